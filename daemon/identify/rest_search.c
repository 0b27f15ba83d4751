/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/rest_search.h"

#include <math.h>
#include <string.h>

/* Half cycles after the presumed stop that are compared with it. */
enum { WINDOW = 6 };

/* The samples of one half cycle: about the bias, and about the moving model. */
struct piece {
    double samples, sum, squares, moving;
    double start; /* X_{j-1} */
};

/* The last WINDOW + 1 half cycles; pieces[0] is the oldest. */
struct window {
    struct piece pieces[WINDOW + 1];
    size_t oldest_j, count;
};

/* Squares about the mean when the mass moves through the first `moving` pieces and rests in the others. */
static double cost_of_rest(const struct window *window, size_t moving, double *rest_samples)
{
    double cost = 0.0, samples = 0.0, sum = 0.0, squares = 0.0;
    for (size_t k = 0; k < window->count; k++) {
        const struct piece *piece = &window->pieces[k];
        if (k < moving) {
            cost += piece->moving;
            continue;
        }
        samples += piece->samples;
        sum += piece->sum;
        squares += piece->squares;
    }
    *rest_samples = samples;
    return samples > 0.0 ? cost + fmax(squares - sum * sum / samples, 0.0) : cost;
}

/* True when the mass rests from some piece of the window on, and the oldest may be it: *moved is the best piece. */
static bool rests(const struct window *window, double variance, size_t *moved)
{
    double samples, unused, cost = cost_of_rest(window, 0, &samples);
    double moving = cost_of_rest(window, window->count, &unused);
    double amplitude = window->pieces[0].start;
    if (samples < 4.0 || cost > samples * (1.5 * variance + 0.02 * amplitude * amplitude))
        return false;
    if (moving - cost <= 25.0 * variance + 1e-18)
        return false;
    *moved = 0;
    for (size_t k = 1; k < window->count; k++) {
        double later = cost_of_rest(window, k, &unused);
        if (later < cost) {
            cost = later;
            *moved = k;
        }
    }
    return true;
}

static void drop_oldest(struct window *window)
{
    memmove(window->pieces, window->pieces + 1, (window->count - 1) * sizeof *window->pieces);
    window->count--;
    window->oldest_j++;
}

/* The extremum where |X_j| <= x_k: there the model itself stops. */
struct natural_stop {
    bool reached;
    double level, time;
    struct piece after; /* all samples seen since */
    size_t pieces;
};

/* The motion goes on formally beyond the natural stop, so that the two can be compared. */
static struct piece gather(const struct scaled_record *scaled, const struct decay_walk *walk, size_t first, size_t last)
{
    struct piece piece = {.start = walk->half.start};
    double bias = walk->parameters[FIT_BIAS];
    for (size_t i = first; i < last; i++) {
        if (!scaled_usable(scaled, i))
            continue;
        double base[DECAY_BASES], y = scaled_value(scaled, i);
        decay_base_at(&walk->shape, walk->shape.omega_d * (scaled_time(scaled, i) - walk->zero_time), base);
        double residual = y - decay_value_here(walk, base, NULL);
        piece.samples += 1.0;
        piece.sum += y - bias;
        piece.squares += (y - bias) * (y - bias);
        piece.moving += residual * residual;
    }
    return piece;
}

static void note_natural_stop(const struct decay_walk *walk, struct natural_stop *stop)
{
    if (stop->reached || walk->half.j == 1 || fabs(walk->half.start) > walk->parameters[FIT_X_K])
        return;
    stop->reached = true;
    stop->level = walk->half.start;
    stop->time = walk->zero_time;
}

static void add_after_stop(struct natural_stop *stop, const struct piece *piece)
{
    if (!stop->reached)
        return;
    stop->after.samples += piece->samples;
    stop->after.sum += piece->sum;
    stop->after.squares += piece->squares;
    stop->after.moving += piece->moving;
    stop->pieces++;
}

/* Whether the record ends where the model stops of itself: not when the samples there cannot tell. If the record moves
 * on, x_k is still too large, and one more half cycle will say so. */
static bool stops_naturally(const struct natural_stop *stop, double variance, double half_period, double *stop_time)
{
    const struct piece *after = &stop->after;
    if (!stop->reached || after->samples < 1.0)
        return false;
    double rest = fmax(after->squares - after->sum * after->sum / after->samples, 0.0);
    if (after->moving - rest <= 25.0 * variance)
        return false;
    bool quiet = rest <= after->samples * (1.5 * variance + 0.02 * stop->level * stop->level + 1e-24);
    *stop_time = quiet ? stop->time : stop->time + half_period;
    return true;
}

bool rest_search(const struct scaled_record *scaled, const double *parameters, double noise, size_t first, size_t last,
                 double *stop_time)
{
    struct decay_walk walk = decay_walk_from(parameters);
    struct window window = {.oldest_j = 1};
    struct natural_stop stop = {0};
    double variance = noise * noise, half_period = walk.shape.half_period;
    while (first < last || window.count) {
        if (first < last) {
            double end_time = walk.zero_time + half_period;
            size_t end = scaled_first_at(scaled, end_time);
            end = end < last ? (end > first ? end : first) : last;
            struct piece *piece = &window.pieces[window.count++];
            *piece = gather(scaled, &walk, first, end);
            note_natural_stop(&walk, &stop);
            add_after_stop(&stop, piece);
            first = end;
            if (stop.pieces == WINDOW)
                last = first;
            decay_walk_to(&walk, end_time);
        }
        if (window.count <= WINDOW && first < last)
            continue;
        size_t moved;
        if (window.oldest_j > 1 && rests(&window, variance, &moved)) {
            *stop_time = parameters[FIT_T0] + (double)(window.oldest_j - 1 + moved) * half_period;
            return true;
        }
        drop_oldest(&window);
    }
    return stops_naturally(&stop, variance, half_period, stop_time);
}
