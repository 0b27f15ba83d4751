/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What an encoder's steps alone make of the parameters. The errors of neighbouring samples hang together through the
 * motion itself, so no noise model describes them: the rounding is done again for many places of the decay on the
 * encoder's grid. Within a half cycle a shifted model is a linear combination of g and s, which are computed once. */

#include "identify/decay/quantisation.h"

#include "identify/decay/half_cycle_pass.h"

#include <math.h>
#include <string.h>

/* Random places would leave the standard errors uncertain by a tenth; evenly spread ones do better. */
enum { REPLICATES = 64, BLOCK = ROUNDED_MOST };

/* One place on the grid: half a step up or down in displacement, half a sample to either side in time, so that the
 * whole cell of the grid is visited. */
struct place {
    double bias, x0, t0;
};

/* The additive sequence of the plastic number's cubic kin: even, and the same every time. */
static struct place place_of(int k, double step)
{
    static const double advance[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
    return (struct place){(fmod(k * advance[0], 1.0) - 0.5) * step, (fmod(k * advance[1], 1.0) - 0.5) * step,
                          fmod(k * advance[2], 1.0) - 0.5};
}

/* weights: of the walk's present half cycle. */
static struct rounded_curve curve_of(const struct decay_walk *walk, double weights[DECAY_BASES][PARAMETER_COLUMNS],
                                     const struct place *place, double step)
{
    const double *parameters = walk->parameters;
    return (struct rounded_curve){
        .constant = (parameters[FIT_BIAS] + place->bias + decay_level(parameters, &walk->half)) / step,
        .g_part = (decay_amplitude(parameters, &walk->half) + weights[BASE_G][FIT_X0] * place->x0) / step,
        .s_part = weights[BASE_S][FIT_T0] * place->t0 / step,
    };
}

static void put(struct rounded_samples *block, size_t at, double theta, double g, double s, double weight)
{
    block->g[at] = g;
    block->s[at] = s;
    block->theta[at] = theta;
    block->weight[at] = weight;
}

/* Fills a block with samples from `first` on, all in one half cycle, to which it takes the walk; returns where the next
 * block begins. On uniform samples e^((-beta + i) theta) advances by one complex multiplication a sample; a block is
 * too short for rounding to gather. */
static size_t fill_block(const struct scaled_record *scaled, struct decay_walk *walk, size_t first, size_t last,
                         struct rounded_samples *block)
{
    const double beta = walk->shape.beta, turn = walk->shape.omega_d, shrink = exp(-beta * turn);
    const double turn_re = shrink * cos(turn), turn_im = shrink * sin(turn);
    double base[DECAY_BASES], theta = decay_walk_to(walk, scaled_time(scaled, first));
    const double end = walk->zero_time + walk->shape.half_period;
    size_t count = 0, i = first;
    decay_base_at(&walk->shape, theta, base);
    double re = base[BASE_G] - beta * base[BASE_S], im = base[BASE_S];
    for (; i < last && i - first < BLOCK && (i == first || scaled_time(scaled, i) < end); i++) {
        if (i > first && scaled->uniform) {
            const double next = re * turn_re - im * turn_im;
            im = re * turn_im + im * turn_re;
            re = next;
            theta += turn;
        } else if (i > first) {
            theta = walk->shape.omega_d * (scaled_time(scaled, i) - walk->zero_time);
            decay_base_at(&walk->shape, theta, base);
            re = base[BASE_G] - beta * base[BASE_S];
            im = base[BASE_S];
        }
        if (scaled_usable(scaled, i))
            put(block, count++, theta, re + beta * im, im, 1.0);
    }
    while (count % ROUNDED_TOGETHER)
        put(block, count++, 0.0, 0.0, 0.0, 0.0);
    block->count = count;
    return i;
}

static void add_block(const struct rounded_samples *block, const struct decay_walk *walk,
                      const struct place places[REPLICATES], double step, double sums[REPLICATES][FIT_PARAMETERS])
{
    const enum lanes_kind kind = lanes_widest();
    double weights[DECAY_BASES][PARAMETER_COLUMNS];
    decay_derivative_weights(walk->parameters, &walk->shape, &walk->half, weights);
    for (int k = 0; k < REPLICATES; k++) {
        const struct rounded_curve curve = curve_of(walk, weights, &places[k], step);
        double errors[DECAY_BASES];
        rounding_sums(kind, block, &curve, errors);
        for (int p = 0; p < FIT_PARAMETERS; p++)
            for (int b = 0; b < DECAY_BASES; b++)
                sums[k][p] += weights[b][p] * errors[b] * step;
    }
}

void closed_form_quantisation(const struct scaled_record *scaled, const double *parameters, size_t first, size_t last,
                              double step, const atomic_bool *cancel, double meat[FIT_PARAMETERS][FIT_PARAMETERS])
{
    double sums[REPLICATES][FIT_PARAMETERS] = {{0}};
    struct decay_walk walk = decay_walk_from(parameters);
    struct place places[REPLICATES];
    struct rounded_samples block = {.count = 0};
    for (int k = 0; k < REPLICATES; k++)
        places[k] = place_of(k + 1, step);
    while (first < last && !(cancel && atomic_load_explicit(cancel, memory_order_relaxed))) {
        first = fill_block(scaled, &walk, first, last, &block);
        add_block(&block, &walk, places, step, sums);
    }
    memset(meat, 0, sizeof(double[FIT_PARAMETERS][FIT_PARAMETERS]));
    for (int k = 0; k < REPLICATES; k++)
        for (int p = 0; p < FIT_PARAMETERS; p++)
            for (int r = 0; r < FIT_PARAMETERS; r++)
                meat[p][r] += sums[k][p] * sums[k][r] / REPLICATES;
}
