/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where did the mass stop, while the fit is still under way? Half cycle by half cycle, moving model and constant
 * level are compared on the same samples. Apart from rest_tail.c, which asks the finished record without needing a
 * model. */

#include "identify/decay/rest_search.h"

#include "identify/decay/half_cycle_residual.h"

#include <math.h>
#include <string.h>

/* Half cycles after the presumed stop that are compared with it. */
enum { WINDOW = 6 };

/* The samples [first, last) of one half cycle or several in a row: sums about the bias and about the moving model. */
struct piece {
    size_t first, last;
    double samples, sum, squares;
    double moving; /* squares about the moving model */
};

/* The last WINDOW + 1 half cycles; pieces[0] is the oldest. */
struct window {
    struct piece pieces[WINDOW + 1];
    size_t oldest_j, count;
};

/* What is looked at, and how. */
struct search {
    const struct scaled_record *scaled;
    struct decay_walk walk;
    struct half_cycle_pass damped;
    double variance;
};

/* The piece comes next. */
static void add_piece(struct piece *total, const struct piece *piece)
{
    total->first = total->last > total->first ? total->first : piece->first;
    total->last = piece->last;
    total->samples += piece->samples;
    total->sum += piece->sum;
    total->squares += piece->squares;
    total->moving += piece->moving;
}

/* Squares about the mean. */
static double scatter(const struct piece *piece)
{
    return piece->samples > 0.0 ? fmax(piece->squares - piece->sum * piece->sum / piece->samples, 0.0) : 0.0;
}

/* Products of the samples with the phase counted from t0. */
static struct phase_sums phase_of(const struct search *search, const struct piece *piece)
{
    const struct scaled_record *scaled = search->scaled;
    const double *parameters = search->walk.parameters, omega_d = search->walk.shape.omega_d;
    struct phase_sums sums = {.cosine = 0.0};
    if (scaled_is_plain(scaled)) {
        const struct decay_shape undamped = {.omega_d = omega_d};
        struct half_cycle_pass phase =
            half_cycle_pass_with(search->damped.kind, &undamped, scaled->offset, scaled->scale);
        phase.beyond = search->damped.beyond;
        phase_sums_of(&phase, parameters[FIT_BIAS], omega_d * ((double)piece->first - parameters[FIT_T0]),
                      scaled->record->displacement + piece->first, piece->last - piece->first, &sums);
        return sums;
    }
    for (size_t i = piece->first; i < piece->last; i++) {
        if (!scaled_usable(scaled, i))
            continue;
        const double theta = omega_d * (scaled_time(scaled, i) - parameters[FIT_T0]);
        const double height = scaled_value(scaled, i) - parameters[FIT_BIAS], cosine = cos(theta), sine = sin(theta);
        sums.cosine += cosine;
        sums.sine += sine;
        sums.with_cosine += cosine * height;
        sums.with_sine += sine * height;
    }
    return sums;
}

/* No oscillation at the decay's frequency, in whatever phase, makes up half of the scatter, or the scatter is no
 * more than the noise. The factor 1.3 allows for the chance scatter of few samples, 1e-24 for rounding (scaled
 * units). */
static bool quiet(const struct search *search, const struct piece *piece)
{
    double all = scatter(piece), mean = piece->sum / piece->samples;
    if (all <= 1.3 * search->variance * piece->samples + 1e-24)
        return true;
    const struct phase_sums phase = phase_of(search, piece);
    double with_cosine = phase.with_cosine - mean * phase.cosine, with_sine = phase.with_sine - mean * phase.sine;
    return 2.0 * (with_cosine * with_cosine + with_sine * with_sine) / piece->samples < 0.5 * all;
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

/* Whether one account of the samples leaves clearly less than another: by five standard deviations, which Gaussian
 * noise makes once in 1.7 million looks. 1e-18 allows for rounding (scaled units). */
static bool is_clear(const struct search *search, double less)
{
    return less > 25.0 * search->variance + 1e-18;
}

/* Whether the oldest piece alone already scatters so much that no level explains the window better than motion does. */
static bool certainly_moves(const struct search *search, const struct window *window)
{
    double moving = 0.0;
    for (size_t k = 0; k < window->count; k++)
        moving += window->pieces[k].moving;
    return !is_clear(search, moving - scatter(&window->pieces[0]));
}

/* True when the mass rests from some piece of the window on, and the oldest may be it: *moved is the best piece. */
static bool rests(const struct search *search, const struct window *window, size_t *moved)
{
    struct piece rest;
    if (certainly_moves(search, window))
        return false;
    double cost = cost_of_rest(window, 0, &rest);
    if (rest.samples < 4.0 || !is_clear(search, rest.moving - cost) || !quiet(search, &rest))
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

/* Samples with their own time stamps, or some of them flagged. The motion goes on formally beyond the natural stop, so
 * that the two can be compared. */
static struct swing_sums gather_one_by_one(const struct search *search, const struct half_cycle_curve *curve,
                                           struct piece *piece)
{
    const struct scaled_record *scaled = search->scaled;
    const struct decay_walk *walk = &search->walk;
    struct swing_sums sums = {.h = 0.0};
    for (size_t i = piece->first; i < piece->last; i++) {
        if (!scaled_usable(scaled, i))
            continue;
        double base[DECAY_BASES];
        decay_base_at(&walk->shape, walk->shape.omega_d * (scaled_time(scaled, i) - walk->zero_time), base);
        const double value = scaled_value(scaled, i), height = value - walk->parameters[FIT_BIAS];
        const double residual = value - curve->constant - curve->amplitude * base[BASE_G];
        piece->samples += 1.0;
        sums.h += height;
        sums.hh += height * height;
        sums.rr += residual * residual;
    }
    return sums;
}

static struct piece gather(struct search *search, size_t first, size_t last)
{
    const struct scaled_record *scaled = search->scaled;
    const struct decay_walk *walk = &search->walk;
    const double bias = walk->parameters[FIT_BIAS];
    const struct half_cycle_curve curve = half_cycle_curve_of(walk->parameters, &walk->half);
    struct piece piece = {.first = first, .last = last};
    struct swing_sums sums;
    if (scaled_is_plain(scaled)) {
        const double theta = walk->shape.omega_d * ((double)first - walk->zero_time);
        swing_sums_of(&search->damped, &curve, bias, theta, scaled->record->displacement + first, last - first, &sums);
        piece.samples = (double)(last - first);
    } else {
        sums = gather_one_by_one(search, &curve, &piece);
    }
    piece.sum = sums.h;
    piece.squares = sums.hh;
    piece.moving = sums.rr;
    return piece;
}

static void note_natural_stop(const struct decay_walk *walk, struct natural_stop *stop)
{
    if (stop->reached || walk->half.j == 1 || fabs(walk->half.start.x) > walk->parameters[FIT_X_K])
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
static bool stops_naturally(const struct search *search, const struct natural_stop *stop, double *stop_time)
{
    const struct piece *after = &stop->after;
    if (!stop->reached || after->samples < 1.0)
        return false;
    if (!is_clear(search, after->moving - scatter(after)))
        return false;
    *stop_time = quiet(search, after) ? stop->time : stop->time + search->walk.shape.half_period;
    return true;
}

static struct search search_in(const struct scaled_record *scaled, const double *parameters, double noise)
{
    struct search search = {.scaled = scaled, .walk = decay_walk_from(parameters), .variance = noise * noise};
    search.damped = half_cycle_pass_with(lanes_widest(), &search.walk.shape, scaled->offset, scaled->scale);
    search.damped.beyond = scaled->record->displacement + scaled->count;
    return search;
}

/* One pass: each half cycle is gathered once, and judged when WINDOW more have been seen behind it, or none is left. */
bool rest_search(const struct scaled_record *scaled, const double *parameters, double noise, size_t first, size_t last,
                 double *stop_time)
{
    struct search search = search_in(scaled, parameters, noise);
    struct window window = {.oldest_j = 1};
    struct natural_stop stop = {0};
    const double half_period = search.walk.shape.half_period;
    while (first < last || window.count) {
        if (first < last) {
            double end_time = search.walk.zero_time + half_period;
            size_t end = scaled_first_at(scaled, end_time);
            end = end < last ? (end > first ? end : first) : last;
            struct piece *piece = &window.pieces[window.count++];
            *piece = gather(&search, first, end);
            note_natural_stop(&search.walk, &stop);
            add_after_stop(&stop, piece);
            first = end;
            /* Enough has been seen behind the natural stop; what comes later cannot change it. */
            if (stop.pieces == WINDOW)
                last = first;
            decay_walk_to(&search.walk, end_time);
        }
        if (window.count <= WINDOW && first < last)
            continue;
        size_t moved;
        /* Never in the first half cycle: a decay that does not move is no decay. */
        if (window.oldest_j > 1 && rests(&search, &window, &moved)) {
            *stop_time = parameters[FIT_T0] + (double)(window.oldest_j - 1 + moved) * half_period;
            return true;
        }
        drop_oldest(&window);
    }
    return stops_naturally(&search, &stop, stop_time);
}
