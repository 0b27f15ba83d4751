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

/* True when the mass rests from the beginning of the oldest piece, or of the one after it: *moved says which. */
static bool rests(const struct window *window, double variance, size_t *moved)
{
    double samples, after, cost = cost_of_rest(window, 0, &samples), unused;
    double moving = cost_of_rest(window, window->count, &unused);
    double amplitude = window->pieces[0].start;
    if (samples < 4.0 || cost > samples * (1.5 * variance + 0.02 * amplitude * amplitude))
        return false;
    if (moving - cost <= 25.0 * variance + 1e-18)
        return false;
    *moved = window->count > 1 && cost_of_rest(window, 1, &after) < cost ? 1 : 0;
    return true;
}

static void drop_oldest(struct window *window)
{
    memmove(window->pieces, window->pieces + 1, (window->count - 1) * sizeof *window->pieces);
    window->count--;
    window->oldest_j++;
}

/* Beyond the extremum where |X_j| <= x_k the model rests, at the level of that extremum. */
struct natural_stop {
    bool reached;
    double level, time;
    struct piece after; /* all samples seen since */
};

static struct piece gather(const struct scaled_record *scaled, const struct decay_walk *walk,
                           const struct natural_stop *stop, size_t first, size_t last)
{
    struct piece piece = {.start = stop->reached ? stop->level : walk->half.start};
    double bias = walk->parameters[FIT_BIAS];
    for (size_t i = first; i < last; i++) {
        if (!scaled_usable(scaled, i))
            continue;
        double base[DECAY_BASES], y = scaled_value(scaled, i) - bias, model = stop->level;
        if (!stop->reached) {
            decay_base_at(&walk->shape, walk->shape.omega_d * (scaled_time(scaled, i) - walk->zero_time), base);
            model = decay_value_here(walk, base, NULL) - bias;
        }
        piece.samples += 1.0;
        piece.sum += y;
        piece.squares += y * y;
        piece.moving += (y - model) * (y - model);
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

static void add_piece(struct piece *total, const struct piece *piece)
{
    total->samples += piece->samples;
    total->sum += piece->sum;
    total->squares += piece->squares;
}

/* Where the model stops of itself. If the record moves on, x_k is still too large: one more half cycle will tell. */
static double natural_stop_time(const struct natural_stop *stop, double variance, double half_period)
{
    const struct piece *after = &stop->after;
    if (after->samples < 4.0)
        return stop->time;
    double scatter = (after->squares - after->sum * after->sum / after->samples) / after->samples;
    bool quiet = scatter <= 1.5 * variance + 0.02 * stop->level * stop->level + 1e-24;
    return quiet ? stop->time : stop->time + half_period;
}

bool rest_search(const struct scaled_record *scaled, const double *parameters, double noise, size_t first, size_t last,
                 double *stop_time)
{
    struct decay_walk walk = decay_walk_from(parameters);
    struct window window = {.oldest_j = 1};
    struct natural_stop stop = {0};
    double variance = noise * noise;
    size_t moved, pieces_after_stop = 0;
    while (first < last || window.count) {
        if (first < last) {
            note_natural_stop(&walk, &stop);
            double end_time = walk.zero_time + walk.shape.half_period;
            size_t end = scaled_first_at(scaled, end_time);
            end = end < last ? (end > first ? end : first) : last;
            window.pieces[window.count] = gather(scaled, &walk, &stop, first, end);
            if (stop.reached) {
                add_piece(&stop.after, &window.pieces[window.count]);
                if (++pieces_after_stop == WINDOW)
                    last = end;
            }
            window.count++;
            first = end;
            decay_walk_to(&walk, end_time);
        }
        if (window.count <= WINDOW && first < last)
            continue;
        if (window.oldest_j > 1 && rests(&window, variance, &moved)) {
            *stop_time = parameters[FIT_T0] + (double)(window.oldest_j - 1 + moved) * walk.shape.half_period;
            return true;
        }
        drop_oldest(&window);
    }
    if (stop.reached)
        *stop_time = natural_stop_time(&stop, variance, walk.shape.half_period);
    return stop.reached;
}
