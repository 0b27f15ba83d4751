/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/mode_jump.h"

#include "identify/common/fisher_quantile.h"
#include "identify/ring_down/microslip_law.h"
#include "identify/ring_down/residual.h"

#include <math.h>
#include <stdlib.h>

/* What is left is noise where it is nearly as rough as white noise: of 488 simulated modes in bands of 22 samples and
 * more none left less than 0.87 of that, and beats of two, or a law that did not hold, 0.3 at the most. */
#define NEARLY_AS_ROUGH 0.8
/* And where it is no larger on one side than white noise is by chance in one record of a thousand, half as much again
 * where it is not white: its sides may be short. */
#define CHANCE 1e-3
#define NOT_WHITE 1.5
/* So late that less of the motion's squares is left the sums differ by their rounding. */
#define LEAST_SHARE 1e-9

/* Of one sample of all sensors: how much the mode weighs in it, and how much of the mode is left there. */
struct weighed {
    double weight;
    double complex left;
};

/* What the samples say, and a straight line over the places of samples that is orthogonal to a constant. */
struct jumping {
    const struct mode_samples *samples;
    const struct mode_pass *pass;
    const struct mode_sum *sum;
    struct weighed *at; /* owned */
    double weight, middle, spread;
    double complex constant, line; /* of what is left */
    double variance;
};

/* Real samples see half of the squares. */
static void weigh(const struct jumping *jumping)
{
    const double share = jumping->samples->analytic ? 1 : 0.5;
    for (size_t i = 0; i < jumping->samples->count; i++) {
        const double complex signal = mode_pass_signal(jumping->pass, 0, i);
        for (size_t m = 0; m < jumping->samples->sensors; m++) {
            const double complex seen = jumping->sum->amplitude[0][m] * signal;
            jumping->at[i].weight += share * creal(seen * conj(seen));
            jumping->at[i].left += conj(seen) * mode_pass_left(jumping->pass, jumping->sum, m, i);
        }
    }
}

static void add_up(struct jumping *jumping)
{
    double places = 0;
    for (size_t i = 0; i < jumping->samples->count; i++) {
        jumping->weight += jumping->at[i].weight;
        places += jumping->at[i].weight * (double)i;
    }
    jumping->middle = places / jumping->weight;
    for (size_t i = 0; i < jumping->samples->count; i++) {
        const double place = (double)i - jumping->middle;
        jumping->spread += jumping->at[i].weight * place * place;
        jumping->constant += jumping->at[i].left;
        jumping->line += jumping->at[i].left * place;
    }
}

/* Sums over the samples from a place on. */
struct behind {
    double weight, line;
    double complex left;
};

static void add_sample(const struct jumping *jumping, size_t i, struct behind *behind)
{
    behind->weight += jumping->at[i].weight;
    behind->line += jumping->at[i].weight * ((double)i - jumping->middle);
    behind->left += jumping->at[i].left;
}

/* A jump there beyond what a constant and a line explain; c: by how much. */
static double gain_of(const struct jumping *jumping, const struct behind *behind, double complex *c)
{
    const double own = behind->weight - behind->weight * behind->weight / jumping->weight -
                       behind->line * behind->line / jumping->spread;
    const double complex left = behind->left - behind->weight / jumping->weight * jumping->constant -
                                behind->line / jumping->spread * jumping->line;
    if (!(own > LEAST_SHARE * jumping->weight))
        return 0;
    *c = left / own;
    return 0.5 * creal(left * conj(left)) / (own * jumping->variance);
}

/* Before the first cycles are over a law is not known, and a hammer may still be there. */
static size_t least_place(const struct jumping *jumping)
{
    const double first_s = residual_first_s(jumping->sum->law[0].parameter[MICROSLIP_OMEGA_0]);
    return (size_t)fmax(ceil((first_s - jumping->samples->first_s) / jumping->samples->period_s), 1);
}

struct found {
    double gain;
    size_t place;
    double complex c;
    struct behind behind;
};

/* The likeliest place. */
static struct found look(const struct jumping *jumping)
{
    const size_t least = least_place(jumping);
    struct found found = {0};
    struct behind behind = {0};
    for (size_t i = jumping->samples->count; i-- > least;) {
        double complex c = 0;
        add_sample(jumping, i, &behind);
        const double gain = gain_of(jumping, &behind, &c);
        if (gain > found.gain)
            found = (struct found){gain, i, c, behind};
    }
    return found;
}

/* What is left of a sample of the reference sensor without the jump. */
static double complex left_without(const struct jumping *jumping, const struct found *found, size_t i)
{
    const double complex seen = jumping->sum->amplitude[0][0] * mode_pass_signal(jumping->pass, 0, i);
    const double jump = (i >= found->place ? 1 : 0) - found->behind.weight / jumping->weight -
                        found->behind.line / jumping->spread * ((double)i - jumping->middle);
    const double complex left = mode_pass_left(jumping->pass, jumping->sum, 0, i) - found->c * jump * seen;
    return jumping->samples->analytic ? left : creal(left);
}

static double square(double complex value)
{
    return creal(value * conj(value));
}

/* Whether the mean square of some values is larger than that of others by more than noise is. */
static bool is_larger(double squares, double freedom, double others, double freedom_of_others)
{
    return squares / freedom >
           NOT_WHITE * fisher_quantile(CHANCE, freedom, freedom_of_others) * others / freedom_of_others;
}

/* Half the mean square of differences between neighbours is that of noise, in which none foretells the next. colour:
 * that of the band. */
static bool is_only_noise(const struct jumping *jumping, const struct found *found, double colour)
{
    const size_t count = jumping->samples->count;
    const double of_sample = (jumping->samples->analytic ? 2 : 1) / colour;
    double complex last = left_without(jumping, found, 0);
    double squares[2] = {square(last), 0}, differences = 0;
    for (size_t i = 1; i < count; i++) {
        const double complex left = left_without(jumping, found, i);
        squares[i >= found->place] += square(left);
        differences += square(left - last);
        last = left;
    }
    const double before = fmax(of_sample * (double)found->place, 1),
                 behind = fmax(of_sample * (double)(count - found->place), 1);
    return 0.5 * differences * colour > NEARLY_AS_ROUGH * (squares[0] + squares[1]) &&
           !is_larger(squares[0], before, squares[1], behind) && !is_larger(squares[1], behind, squares[0], before);
}

enum verdict mode_jump_of(const struct mode_band *band, const struct mode_pass *pass, const struct mode_sum *sum,
                          double variance, struct mode_jump *jump)
{
    struct jumping jumping = {.samples = &band->samples, .pass = pass, .sum = sum, .variance = variance};
    *jump = (struct mode_jump){.gain = 0};
    jumping.at = calloc(band->samples.count + 1, sizeof *jumping.at);
    if (!jumping.at)
        return VERDICT_NO_MEMORY;
    weigh(&jumping);
    add_up(&jumping);
    const struct found found = look(&jumping);
    if (found.gain > 0) {
        const double amplitude = cabs(sum->amplitude[0][0] * mode_pass_signal(pass, 0, found.place));
        *jump = (struct mode_jump){.gain = found.gain,
                                   .only_noise = is_only_noise(&jumping, &found, band->colour),
                                   .amplitude = amplitude,
                                   .change = cabs(found.c) * amplitude};
    }
    free(jumping.at);
    return VERDICT_OK;
}
