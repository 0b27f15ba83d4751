/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where did the mass stop, while the fit is still under way? Half cycle by half cycle, moving model and constant
 * level are compared on the same samples. Apart from rest_tail.c, which asks the finished record without needing a
 * model. */

#include "identify/rest_search.h"

#include "identify/half_cycle_pass.h"

#include <math.h>
#include <string.h>

/* Half cycles after the presumed stop that are compared with it. */
enum { WINDOW = 6 };

/* Sums over the samples of one half cycle or several: about the bias, about the moving model, and with the phase. */
struct piece {
    double samples, sum, squares;
    double moving;       /* squares about the moving model */
    double cosine, sine; /* sums with the phase counted from t0 */
    double with_cosine, with_sine;
};

/* The last WINDOW + 1 half cycles; pieces[0] is the oldest. */
struct window {
    struct piece pieces[WINDOW + 1];
    size_t oldest_j, count;
};

static void add_piece(struct piece *total, const struct piece *piece)
{
    total->samples += piece->samples;
    total->sum += piece->sum;
    total->squares += piece->squares;
    total->moving += piece->moving;
    total->cosine += piece->cosine;
    total->sine += piece->sine;
    total->with_cosine += piece->with_cosine;
    total->with_sine += piece->with_sine;
}

/* Squares about the mean. */
static double scatter(const struct piece *piece)
{
    return piece->samples > 0.0 ? fmax(piece->squares - piece->sum * piece->sum / piece->samples, 0.0) : 0.0;
}

/* No oscillation at the decay's frequency, in whatever phase, makes up half of the scatter, or the scatter is no
 * more than the noise. The factor 1.3 allows for the chance scatter of few samples, 1e-24 for rounding (scaled
 * units). */
static bool quiet(const struct piece *piece, double variance)
{
    double all = scatter(piece), mean = piece->sum / piece->samples;
    double with_cosine = piece->with_cosine - mean * piece->cosine, with_sine = piece->with_sine - mean * piece->sine;
    double explained = 2.0 * (with_cosine * with_cosine + with_sine * with_sine) / piece->samples;
    return all <= 1.3 * variance * piece->samples + 1e-24 || explained < 0.5 * all;
}

/* Squares when the mass moves through the first `moving` pieces and rests in the others. */
static double cost_of_rest(const struct window *window, size_t moving, struct piece *rest)
{
    double cost = 0.0;
    *rest = (struct piece){0};
    for (size_t k = 0; k < window->count; k++) {
        if (k < moving)
            cost += window->pieces[k].moving;
        else
            add_piece(rest, &window->pieces[k]);
    }
    return cost + scatter(rest);
}

/* True when the mass rests from some piece of the window on, and the oldest may be it: *moved is the best piece. */
static bool rests(const struct window *window, double variance, size_t *moved)
{
    struct piece rest;
    double cost = cost_of_rest(window, 0, &rest);
    /* Rest must be better by 25 variances, five standard deviations, before it is believed. */
    if (rest.samples < 4.0 || rest.moving - cost <= 25.0 * variance + 1e-18 || !quiet(&rest, variance))
        return false;
    *moved = 0;
    for (size_t k = 1; k < window->count; k++) {
        double later = cost_of_rest(window, k, &rest);
        if (later < cost) {
            cost = later;
            *moved = k;
        }
    }
    return true;
}

/* The window moves on by one half cycle. */
static void drop_oldest(struct window *window)
{
    memmove(window->pieces, window->pieces + 1, (window->count - 1) * sizeof *window->pieces);
    window->count--;
    window->oldest_j++;
}

/* The extremum where |X_j| <= x_k: there the model itself stops. */
struct natural_stop {
    bool reached;
    double time;
    struct piece after; /* all samples seen since */
    size_t pieces;
};

/* One sample: its height above the bias, the model's, and where in the cycle it is. */
static inline void add_sample(struct piece *piece, double height, double model, double cosine, double sine)
{
    double residual = height - model;
    piece->samples += 1.0;
    piece->sum += height;
    piece->squares += height * height;
    piece->moving += residual * residual;
    piece->cosine += cosine;
    piece->sine += sine;
    piece->with_cosine += cosine * height;
    piece->with_sine += sine * height;
}

/* What a half cycle's samples are compared with. */
struct half_cycle {
    double bias, level, amplitude;
    double side; /* the phase goes on through the half cycles: pi later both cosine and sine change sign */
};

static struct half_cycle half_cycle_here(const struct decay_walk *walk)
{
    return (struct half_cycle){.bias = walk->parameters[FIT_BIAS],
                               .level = decay_level(walk->parameters, &walk->half),
                               .amplitude = decay_amplitude(walk->parameters, &walk->half),
                               .side = walk->half.j % 2 ? 1.0 : -1.0};
}

/* The damped motion's base functions, and the phase alone. */
struct passes {
    struct half_cycle_pass damped, phase;
};

static struct passes passes_along(const struct scaled_record *scaled, const struct decay_walk *walk)
{
    const struct decay_shape undamped = {.omega_d = walk->shape.omega_d};
    const enum lanes_kind kind = lanes_widest();
    struct passes passes = {half_cycle_pass_with(kind, &walk->shape, scaled->offset, scaled->scale),
                            half_cycle_pass_with(kind, &undamped, scaled->offset, scaled->scale)};
    passes.damped.beyond = scaled->record->displacement + scaled->count;
    return passes;
}

/* Uniform samples, none flagged. */
static struct piece gather_uniform(const struct scaled_record *scaled, const struct decay_walk *walk,
                                   struct passes *passes, size_t first, size_t last)
{
    const struct half_cycle half = half_cycle_here(walk);
    const struct half_cycle_curve curve = {half.bias + half.level, half.amplitude};
    struct swing_sums sums;
    swing_sums_of(&passes->damped, &passes->phase, &curve, half.bias,
                  walk->shape.omega_d * ((double)first - walk->zero_time), scaled->record->displacement + first,
                  last - first, &sums);
    return (struct piece){.samples = (double)(last - first),
                          .sum = sums.h,
                          .squares = sums.hh,
                          .moving = sums.rr,
                          .cosine = half.side * sums.cosine,
                          .sine = half.side * sums.sine,
                          .with_cosine = half.side * sums.with_cosine,
                          .with_sine = half.side * sums.with_sine};
}

/* The motion goes on formally beyond the natural stop, so that the two can be compared. */
static struct piece gather(const struct scaled_record *scaled, const struct decay_walk *walk, struct passes *passes,
                           size_t first, size_t last)
{
    struct piece piece = {0};
    if (scaled->uniform && !scaled->record->flags)
        return gather_uniform(scaled, walk, passes, first, last);
    const struct half_cycle half = half_cycle_here(walk);
    for (size_t i = first; i < last; i++) {
        if (!scaled_usable(scaled, i))
            continue;
        double base[DECAY_BASES];
        double theta = walk->shape.omega_d * (scaled_time(scaled, i) - walk->zero_time);
        decay_base_at(&walk->shape, theta, base);
        add_sample(&piece, scaled_value(scaled, i) - half.bias, half.level + half.amplitude * base[BASE_G],
                   half.side * cos(theta), half.side * sin(theta));
    }
    return piece;
}

static void note_natural_stop(const struct decay_walk *walk, struct natural_stop *stop)
{
    if (stop->reached || walk->half.j == 1 || fabs(walk->half.start) > walk->parameters[FIT_X_K])
        return;
    stop->reached = true;
    stop->time = walk->zero_time;
}

static void add_after_stop(struct natural_stop *stop, const struct piece *piece)
{
    if (!stop->reached)
        return;
    add_piece(&stop->after, piece);
    stop->pieces++;
}

/* Whether the record ends where the model stops of itself: not when the samples there cannot tell. If the record moves
 * on, x_k is still too large, and one more half cycle will say so. */
static bool stops_naturally(const struct natural_stop *stop, double variance, double half_period, double *stop_time)
{
    const struct piece *after = &stop->after;
    if (!stop->reached || after->samples < 1.0)
        return false;
    if (after->moving - scatter(after) <= 25.0 * variance + 1e-18)
        return false;
    *stop_time = quiet(after, variance) ? stop->time : stop->time + half_period;
    return true;
}

/* One pass: each half cycle is gathered once, and judged when WINDOW more have been seen behind it, or none is left. */
bool rest_search(const struct scaled_record *scaled, const double *parameters, double noise, size_t first, size_t last,
                 double *stop_time)
{
    struct decay_walk walk = decay_walk_from(parameters);
    struct passes passes = passes_along(scaled, &walk);
    struct window window = {.oldest_j = 1};
    struct natural_stop stop = {0};
    double variance = noise * noise, half_period = walk.shape.half_period;
    while (first < last || window.count) {
        if (first < last) {
            double end_time = walk.zero_time + half_period;
            size_t end = scaled_first_at(scaled, end_time);
            end = end < last ? (end > first ? end : first) : last;
            struct piece *piece = &window.pieces[window.count++];
            *piece = gather(scaled, &walk, &passes, first, end);
            note_natural_stop(&walk, &stop);
            add_after_stop(&stop, piece);
            first = end;
            /* Enough has been seen behind the natural stop; what comes later cannot change it. */
            if (stop.pieces == WINDOW)
                last = first;
            decay_walk_to(&walk, end_time);
        }
        if (window.count <= WINDOW && first < last)
            continue;
        size_t moved;
        /* Never in the first half cycle: a decay that does not move is no decay. */
        if (window.oldest_j > 1 && rests(&window, variance, &moved)) {
            *stop_time = parameters[FIT_T0] + (double)(window.oldest_j - 1 + moved) * half_period;
            return true;
        }
        drop_oldest(&window);
    }
    return stops_naturally(&stop, variance, half_period, stop_time);
}
