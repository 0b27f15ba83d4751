/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ladder_campaign.h"

#include "identify/ladder/ladder_motion.h"

#include <check.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS_MOST = 400 };

/* Excess of a sum of squares that is not rounding. */
static const double SAME = 1e-6;

struct turns {
    double x[TURNS_MOST], time[TURNS_MOST];
    size_t count, wanted;
};

static bool note_turn(void *taker, const struct ladder_turn *turn)
{
    struct turns *turns = taker;
    turns->x[turns->count] = turn->x;
    turns->time[turns->count++] = turn->time;
    return turns->count < turns->wanted;
}

/* Terms and their sizes: the damping leaves 5 to 35 % of the amplitude, in random shares. Again until the last swing is
 * above the noise. */
static size_t draw_truth(gsl_rng *rng, const struct ladder_range *range, struct ladder_record *record)
{
    double *truth = record->truth;
    const double least = range->half_cycles_least > 0 ? range->half_cycles_least : 20;
    const double faintness = range->faintness > 0 ? range->faintness : 1;
    for (;;) {
        const size_t half_cycles = (size_t)(least * pow(range->half_cycles_most / least, gsl_rng_uniform(rng)));
        const double left = 0.05 + 0.3 * gsl_rng_uniform(rng), n = (double)half_cycles;
        double share[3], shares = 0;
        static const enum ladder_parameter damping[3] = {LADDER_ZETA, LADDER_X_K, LADDER_DRAG};
        for (size_t k = 0; k < 3; k++) {
            share[k] = -log(gsl_rng_uniform_pos(rng)) * ladder_terms_have(record->terms, damping[k]);
            shares += share[k];
        }
        const double drawn[LADDER_MOTION] = {share[0] / shares * log(1 / left) / (M_PI * n),
                                             share[1] / shares * (1 - left) / (2 * n),
                                             faintness * share[2] / shares * (1 / left - 1) / (4.0 / 3.0 * n),
                                             faintness * 0.2 * (gsl_rng_uniform(rng) - 0.6),
                                             faintness * 0.1 * (gsl_rng_uniform(rng) - 0.5),
                                             pow(10, -2.5 + 1.8 * gsl_rng_uniform(rng)),
                                             gsl_rng_uniform(rng) < 0.5 ? 1 : -1};
        for (enum ladder_parameter p = 0; p < LADDER_MOTION; p++)
            truth[p] = ladder_terms_have(record->terms, p) ? drawn[p] : 0;
        struct turns turns = {.wanted = half_cycles + 1};
        const struct ladder_takers takers = {note_turn, NULL, &turns};
        if (ladder_walk(truth, record->terms, INFINITY, WALK_EXACT, &takers) && turns.count == turns.wanted &&
            fabs(turns.x[half_cycles] - turns.x[half_cycles - 1]) > 0.08)
            return half_cycles;
    }
}

/* The same motion at times in its own units. */
struct samples {
    double spacing, *value;
    size_t next, count;
};

static bool note_piece(void *taker, const struct ladder_piece *piece)
{
    struct samples *samples = taker;
    for (; samples->next < samples->count; samples->next++) {
        const double time = (double)samples->next * samples->spacing;
        if (!(time < piece->to))
            return true;
        double x = piece->x[SERIES_ORDER];
        for (size_t k = SERIES_ORDER; k-- > 0;)
            x = x * (time - piece->origin) + piece->x[k];
        samples->value[samples->next] = x;
    }
    return false;
}

static void measure(gsl_rng *rng, struct ladder_record *record)
{
    record->noise = 0.001 * pow(30, gsl_rng_uniform(rng));
    record->step = gsl_rng_uniform(rng) < 0.4 ? 0.0003 * pow(27, gsl_rng_uniform(rng)) : 0;
    if (record->step > 0 && gsl_rng_uniform(rng) < 0.5)
        record->noise = 0;
    for (size_t i = 0; i < record->record.count; i++) {
        record->value[i] += gsl_ran_gaussian(rng, record->noise);
        if (record->step > 0)
            record->value[i] = record->step * round(record->value[i] / record->step);
    }
    record->record.resolution = record->step;
}

/* The motion of random parameters, sampled; bias included. */
static void simulate(gsl_rng *rng, const struct ladder_range *range, struct ladder_record *record)
{
    const size_t half_cycles = draw_truth(rng, range, record);
    const double spacing = 2 * M_PI / (range->samples_a_cycle * (0.5 + gsl_rng_uniform(rng))), period_s = 0.01;
    const size_t count = (size_t)(((double)half_cycles * M_PI + 1) / spacing);
    record->value = calloc(count, sizeof *record->value);
    if (!record->value)
        abort();
    struct samples samples = {spacing, record->value, 0, count};
    const struct ladder_takers takers = {NULL, note_piece, &samples};
    ladder_walk(record->truth, record->terms, INFINITY, WALK_EXACT, &takers);
    record->truth[LADDER_OMEGA_N] = spacing / period_s;
    record->truth[LADDER_BIAS] = 0.2 * (gsl_rng_uniform(rng) - 0.5);
    for (size_t i = 0; i < count; i++)
        record->value[i] += record->truth[LADDER_BIAS];
    record->record = (struct decay_record){
        .displacement = record->value, .count = count, .period_s = period_s, .first_extremum_s = NAN};
}

struct ladder_record ladder_record_make(unsigned seed, const struct ladder_range *range)
{
    struct ladder_record record = {.seed = seed};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, seed + 1000);
    do
        record.terms = (unsigned)gsl_rng_uniform_int(rng, LADDER_BIT(LADDER_TERMS));
    while (!ladder_terms_allowed(record.terms));
    simulate(rng, range, &record);
    measure(rng, &record);
    gsl_rng_free(rng);
    return record;
}

struct ladder_record ladder_record_noise_free(unsigned terms, unsigned seed, const struct ladder_range *range)
{
    struct ladder_record record = {.seed = seed, .terms = terms};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, seed);
    simulate(rng, range, &record);
    gsl_rng_free(rng);
    return record;
}

void ladder_record_clear(struct ladder_record *record)
{
    free(record->value);
}

/* Each rung that contains the generating one, against its optimum from the truth; and all, against those that they
 * contain. */
static void compare(const struct ladder_record *record, const struct ladder_data *data,
                    const struct ladder_rung rungs[LADDER_RUNGS], struct ladder_tally *tally)
{
    for (size_t n = 0; n < LADDER_RUNGS; n++) {
        struct ladder_normal normal;
        double parameters[LADDER_PARAMETERS];
        tally->rungs++;
        for (size_t m = 0; m < n; m++)
            tally->above_contained +=
                !(rungs[m].terms & ~rungs[n].terms) && rungs[n].normal.squares > rungs[m].normal.squares * (1 + SAME);
        if (record->terms & ~rungs[n].terms)
            continue;
        ladder_from_record(data, record->truth, parameters);
        ladder_minimise(ladder_sample_pass, data, rungs[n].terms, 1e-12, 200, NULL, parameters, &normal);
        const double excess = rungs[n].normal.squares / normal.squares - 1;
        tally->worst = fmax(tally->worst, excess);
        if (!(excess > SAME))
            continue;
        tally->above_truth++;
        printf("seed %u, terms %u: rung %u is %g above the optimum from the truth\n", record->seed, record->terms,
               rungs[n].terms, excess);
    }
}

static void add_estimate(const struct estimate *estimate, double truth, struct ladder_tally_line *line)
{
    const double error = (estimate->value - truth) / estimate->se;
    line->estimates++;
    line->covered += estimate->low < truth && truth < estimate->high;
    line->squared_errors += error * error;
}

static double root_mean_square(const struct ladder_tally_line *line)
{
    return line->estimates > 0 ? sqrt(line->squared_errors / (double)line->estimates) : (double)NAN;
}

/* The generating rung's estimates, and whether it was chosen, where all of its terms can be seen. */
static void judge_choice(const struct ladder_record *record, const struct ladder *ladder, struct ladder_tally *tally)
{
    size_t n = 0;
    bool seen = true;
    while (ladder->models[n].terms != record->terms)
        n++;
    const struct estimate *estimate = ladder->models[n].estimate;
    for (enum ladder_parameter p = 0; p < LADDER_TERMS; p++)
        if (ladder_terms_have(record->terms, p))
            seen = seen && fabs(record->truth[p]) > 4 * estimate[p].se;
    const unsigned chosen = ladder->models[ladder->chosen].terms;
    if (!seen)
        return;
    tally->judged++;
    tally->right += chosen == record->terms;
    tally->false_terms += (chosen & ~record->terms) != 0;
    if (chosen != record->terms)
        printf("seed %u: terms %u chosen for %u\n", record->seed, chosen, record->terms);
    /* The amplitude and the time are those of the first extremum, which noise may hide. */
    const double late = fabs(estimate[LADDER_T0].value - record->truth[LADDER_T0]) * record->truth[LADDER_OMEGA_N];
    /* Steps that are much larger than the noise make errors of their own, which are white no more. */
    const bool white = record->noise > 0.5 * record->step, stepped = !(record->noise > 0);
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS && (white || stepped); p++) {
        if (!ladder_terms_have(record->terms, p) || ((p == LADDER_X0 || p == LADDER_T0) && late > M_PI / 2))
            continue;
        add_estimate(&estimate[p], record->truth[p], stepped ? &tally->stepped : &tally->all);
        if (white)
            add_estimate(&estimate[p], record->truth[p], &tally->parameter[p]);
        ck_assert(!ladder_parameters[p].logarithmic || estimate[p].low > 0);
    }
}

void ladder_record_judge(const struct ladder_record *record, struct ladder_tally *tally)
{
    static struct ladder_rung rungs[LADDER_RUNGS];
    static struct ladder ladder;
    struct ladder_data data;
    struct extremum *extrema = NULL;
    size_t count = 0;
    tally->records++;
    if (extrema_find(&record->record, NULL, &extrema, &count) != VERDICT_OK ||
        ladder_data_from(&record->record, extrema, count, &data) != VERDICT_OK) {
        printf("seed %u, terms %u: no data\n", record->seed, record->terms);
        tally->not_found++;
        free(extrema);
        return;
    }
    ladder_fit(&data, NULL, rungs);
    compare(record, &data, rungs, tally);
    ladder_choose(&data, rungs, &ladder);
    if (ladder.verdict == VERDICT_OK)
        judge_choice(record, &ladder, tally);
    else
        tally->not_found++;
    ladder_data_clear(&data);
    free(extrema);
}

void ladder_tally_print(const struct ladder_tally *tally)
{
    printf("%zu records, %zu without answer; %zu rungs: %zu above the truth's optimum (by %.2g at most), %zu above one "
           "that they contain; %zu choices: %zu right, %zu with false terms; %zu estimates: %zu covered, error over "
           "standard error %.3f; of encoders without noise %zu: %zu covered, %.3f\n",
           tally->records, tally->not_found, tally->rungs, tally->above_truth, tally->worst, tally->above_contained,
           tally->judged, tally->right, tally->false_terms, tally->all.estimates, tally->all.covered,
           root_mean_square(&tally->all), tally->stepped.estimates, tally->stepped.covered,
           root_mean_square(&tally->stepped));
    fflush(stdout);
}

void ladder_tally_print_parameters(const struct ladder_tally *tally)
{
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++)
        printf("%s: %zu of %zu covered, error over standard error %.3f\n", ladder_parameters[p].name,
               tally->parameter[p].covered, tally->parameter[p].estimates, root_mean_square(&tally->parameter[p]));
    fflush(stdout);
}
