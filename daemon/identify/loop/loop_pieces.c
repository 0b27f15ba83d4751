/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_pieces.h"

#include "identify/loop/local_cubic.h"
#include "identify/loop/loop_parts.h"
#include "identify/loop/loop_reversal.h"

#include <errno.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Where corners are known windows on either side are longer, which show others: so often at most. A sample on the wrong
 * side of a corner pulls the crossing. */
enum { ROUNDS = 16, SETTLING_ROUNDS = 3 };

/* While corners are looked for, these marks stay where they are. */
enum { BEHIND_GAP = 2 };

/* A velocity jumps by more than so many of its standard deviations, as noise alone does in 2 of 10^9 samples, and than
 * this share of the speeds that most samples are below. */
static const double jump_noise = 6, jump_share = 0.05;

/* It is more than so many of the differences that cubics from either side have at the fifth of the samples where they
 * agree best, which of noise alone is 0.25 standard deviations: 3 of these, or 6.3 where cubics leave more than so many
 * times of what noise does, which it does in 3 of 1000 windows of nine samples and in 1 of 10^5 of the widest, and may
 * be bent, often by more than at other samples. */
static const double noise_left = 1.5, jump_straight = 12, jump_bent = 25, usual_quantile = 0.2, fast_quantile = 0.9;

/* Of the velocity between two samples, by cubics that end at the first and begin at the second. */
struct jump {
    double size, speed, se; /* speed: the larger one of both */
    double time_s;          /* where both ways cross */
    double left;            /* mean square that both cubics leave; INFINITY: there is no room for them */
};

/* A cubic's slope at its end: 1200/n^3 of the variance of one of n samples, over a mean step, and more of few. */
static double end_slope_variance(const struct cubic_series *series, size_t first, size_t half)
{
    const double n = 2 * (double)half + 1,
                 step_s = (series->time_s[first + 2 * half] - series->time_s[first]) / (n - 1);
    return 1200 / (pow(n, 3) * (1 - 1 / (n * n)) * (1 - 4 / (n * n)) * (1 - 9 / (n * n)) * step_s * step_s);
}

/* Between samples i - 1 and i, of the piece from `from` to before `to`. */
static struct jump jump_at(const struct cubic_series *series, size_t from, size_t i, size_t to, size_t widest)
{
    const size_t room_before = (i - from - 1) / 2, room_behind = (to - i - 1) / 2;
    const size_t half[2] = {room_before < widest ? room_before : widest, room_behind < widest ? room_behind : widest};
    const double step_s = series->time_s[i] - series->time_s[i - 1];
    const struct local_cubic before = local_cubic_beside(series, i - 1, half[0], 2 * half[0]);
    const struct local_cubic behind = local_cubic_beside(series, i, half[1], 0);
    const double first = before.slope + before.curvature * step_s / 2;
    const double second = behind.slope - behind.curvature * step_s / 2;
    const double variance =
        end_slope_variance(series, i - 1 - 2 * half[0], half[0]) + end_slope_variance(series, i, half[1]);
    const double apart = behind.value - second * step_s / 2 - before.value - first * step_s / 2;
    const double turn = second - first, behind_s = fabs(turn) > 0 ? apart / turn : 0;
    const double time_s = series->time_s[i] - step_s / 2 - behind_s;
    return (struct jump){fabs(turn), fmax(fabs(first), fabs(second)), series->noise * sqrt(variance), time_s,
                         before.left + behind.left};
}

/* What is looked at: with wide windows some of the samples first, and all near those that may be next to a corner. */
struct scan {
    struct cubic_series series; /* begins: those that are known */
    size_t widest, stride;
    struct jump *jump;  /* of every sample */
    double usual, fast; /* size, and speed */
};

static bool is_above(const struct scan *scan, const struct jump *jump, double share)
{
    const bool straight = jump->left < 2 * noise_left * scan->series.noise * scan->series.noise;
    const double usual = (straight ? jump_straight : jump_bent) * scan->usual;
    return isfinite(jump->left) &&
           jump->size > share * fmax(fmax(usual, jump_noise * jump->se), jump_share * scan->fast);
}

/* A quarter of a window from a corner, which is as far as the nearest sample of the first look, half of the jump is
 * left: a third of it misses none. */
static const double share_nearby = 0.35;

/* Whether a sample is to be looked at, now that the usual size is known. */
static bool is_near_one(const struct scan *scan, size_t i)
{
    const size_t before = i - i % scan->stride, behind = before + scan->stride;
    return is_above(scan, &scan->jump[before], share_nearby) ||
           (behind < scan->series.count && is_above(scan, &scan->jump[behind], share_nearby));
}

/* Of samples that have room for a cubic on either side within their piece. */
static void find_jumps(struct scan *scan, bool between)
{
    const struct cubic_series *series = &scan->series;
    for (size_t from = 0, to; from < series->count; from = to) {
        for (to = from + 1; to < series->count && !series->begins[to]; to++)
            ;
        for (size_t i = from; i < to; i++) {
            const bool at_stride = i % scan->stride == 0;
            const bool room = i >= from + LOCAL_CUBIC_LEAST && i + LOCAL_CUBIC_LEAST <= to;
            if (between && at_stride)
                continue;
            scan->jump[i].left = INFINITY;
            if (room && (between ? is_near_one(scan, i) : at_stride))
                scan->jump[i] = jump_at(series, from, i, to, scan->widest);
        }
    }
}

static double size_of(const struct jump *jump)
{
    return jump->size;
}

static double speed_of(const struct jump *jump)
{
    return jump->speed;
}

/* The quantile of a figure of the samples that were looked at first. */
static double quantile_of(const struct scan *scan, double (*figure)(const struct jump *jump), double quantile,
                          double *room)
{
    size_t found = 0;
    for (size_t i = 0; i < scan->series.count; i += scan->stride)
        if (isfinite(scan->jump[i].left))
            room[found++] = figure(&scan->jump[i]);
    gsl_sort(room, 1, found);
    return found > 0 ? gsl_stats_quantile_from_sorted_data(room, 1, found, quantile) : 0;
}

/* Next to a corner, too, cubics that run across it differ: of those within a window it is where they leave least. */
static bool leaves_least(const struct scan *scan, size_t i)
{
    const size_t reach = 2 * scan->widest;
    bool least = true;
    for (size_t k = i > reach ? i - reach : 0; k < scan->series.count && k <= i + reach && least; k++)
        least = k == i || !is_above(scan, &scan->jump[k], 1) || scan->jump[k].left > scan->jump[i].left ||
                (k > i && !(scan->jump[k].left < scan->jump[i].left));
    return least;
}

/* With noise the first sample behind the crossing may be another one near sample i. */
static size_t first_behind(const struct cubic_series *series, size_t i, double time_s)
{
    const double *t = series->time_s;
    size_t first = i;
    while (first > 0 && i - first < LOCAL_CUBIC_LEAST && t[first - 1] > time_s)
        first--;
    while (first >= i && first - i < LOCAL_CUBIC_LEAST && first + 1 < series->count && t[first] <= time_s)
        first++;
    return first;
}

static bool has_room(const unsigned char *begins, size_t count, size_t i)
{
    bool room = i >= LOCAL_CUBIC_LEAST && i + LOCAL_CUBIC_LEAST <= count;
    for (size_t k = i - (room ? LOCAL_CUBIC_LEAST - 1 : 0); room && k < i + LOCAL_CUBIC_LEAST; k++)
        room = !begins[k];
    return room;
}

/* How many. */
static size_t mark_corners(const struct scan *scan, unsigned char *begins)
{
    size_t marked = 0;
    for (size_t i = 0; i < scan->series.count; i++) {
        if (!is_above(scan, &scan->jump[i], 1) || !leaves_least(scan, i))
            continue;
        const size_t first = first_behind(&scan->series, i, scan->jump[i].time_s);
        if (has_room(begins, scan->series.count, first)) {
            begins[first] = 1;
            marked++;
        }
    }
    return marked;
}

static size_t look_for_corners(struct scan *scan, size_t widest, double *room, unsigned char *begins)
{
    scan->widest = widest;
    scan->stride = widest / 2;
    find_jumps(scan, false);
    scan->usual = quantile_of(scan, size_of, usual_quantile, room);
    scan->fast = quantile_of(scan, speed_of, fast_quantile, room);
    find_jumps(scan, true);
    return mark_corners(scan, begins);
}

/* Where the windows that suit the pieces have the ways cross. */
static void settle_corners(const struct cubic_series *series, unsigned char *begins)
{
    const size_t widest = local_cubic_window(series, LOCAL_CUBIC_NEIGHBOURS_MOST), count = series->count;
    for (size_t i = 0, from = 0, next, mark; i < count; from = mark, i = next) {
        mark = i;
        for (next = i + 1; next < count && !begins[next]; next++)
            ;
        if (begins[i] == BEHIND_GAP || i < from + LOCAL_CUBIC_LEAST || next < i + LOCAL_CUBIC_LEAST)
            continue;
        const struct jump jump = jump_at(series, from, i, next, widest);
        const size_t first = first_behind(series, i, jump.time_s);
        begins[i] = 0;
        mark = has_room(begins, count, first) ? first : i;
        begins[mark] = 1;
    }
}

/* Of the samples from `from` to before `to`, the first behind one corner, where cubics on either side leave least of
 * all from `first` to `last`; 0 where they leave more than noise does. No other corner is marked there. */
static size_t one_corner(const struct cubic_series *series, size_t from, size_t first, size_t last, size_t to,
                         size_t widest)
{
    double least = 2 * noise_left * series->noise * series->noise;
    size_t corner = 0;
    for (size_t k = first; k <= last; k++) {
        const double left = jump_at(series, from, k, to, widest).left;
        if (left < least) {
            least = left;
            corner = k;
        }
    }
    return corner;
}

/* Two corners become one where that explains the samples from `from` to before `to`; where it is, or 0. */
static size_t merge_two(const struct cubic_series *series, const size_t at[2], size_t from, size_t to, size_t widest,
                        unsigned char *begins)
{
    begins[at[0]] = begins[at[1]] = 0;
    const size_t corner = one_corner(series, from, at[0], at[1], to, widest);
    if (corner > 0)
        begins[corner] = 1;
    else
        begins[at[0]] = begins[at[1]] = 1;
    return corner;
}

/* Wide windows may have put a corner beside the place where narrow ones then saw it, too: none is sure that is closer
 * to another than a window. */
static void merge_corners(const struct cubic_series *series, unsigned char *begins)
{
    const size_t widest = local_cubic_window(series, LOCAL_CUBIC_NEIGHBOURS_MOST), count = series->count;
    size_t from = 0, at[2] = {0, 0};
    for (size_t i = 1; i <= count; i++) {
        if (i < count && !begins[i])
            continue;
        const bool near = at[0] > 0 && begins[at[0]] == 1 && begins[at[1]] == 1 && at[1] - at[0] <= 2 * widest &&
                          at[0] >= from + LOCAL_CUBIC_LEAST && i >= at[1] + LOCAL_CUBIC_LEAST;
        const size_t corner = near ? merge_two(series, at, from, i, widest, begins) : 0;
        from = corner > 0 ? from : at[0];
        at[0] = corner > 0 ? corner : at[1];
        at[1] = i;
    }
}

/* With wider and wider windows, and from the narrowest on where corners were found. */
static int mark_jumps(const struct loop_signal *signal, unsigned char *begins)
{
    struct jump *jump = calloc(signal->count, sizeof *jump);
    double *room = calloc(signal->count, sizeof *room);
    /* A converter's steps are jumps of the velocity of an even motion that shows no noise. */
    const double noise = fmax(loop_smoothing_noise(signal), signal->rounding);
    struct scan scan = {.series = {signal->time_s, signal->displacement, signal->count, noise, begins}, .jump = jump};
    const int error = jump && room ? 0 : -ENOMEM;
    size_t widest = LOCAL_CUBIC_NEIGHBOURS_MOST, marked = 1;
    for (int round = 0; error == 0 && round < ROUNDS && (marked > 0 || widest < LOCAL_CUBIC_NEIGHBOURS_MOST); round++) {
        widest = marked > 0 ? local_cubic_window(&scan.series, LOCAL_CUBIC_NEIGHBOURS_MOST) : 2 * widest;
        widest = widest < LOCAL_CUBIC_NEIGHBOURS_MOST ? widest : LOCAL_CUBIC_NEIGHBOURS_MOST;
        marked = look_for_corners(&scan, widest, room, begins);
    }
    for (int round = 0; error == 0 && round < SETTLING_ROUNDS; round++) {
        settle_corners(&scan.series, begins);
        merge_corners(&scan.series, begins);
    }
    free(jump);
    free(room);
    return error;
}

/* Whether a corner is known so near that the windows of a reversal would see it, too. */
static bool is_known_near(const unsigned char *begins, size_t i, size_t count)
{
    const size_t first = i > LOCAL_CUBIC_NEIGHBOURS_MOST ? i - LOCAL_CUBIC_NEIGHBOURS_MOST : 0;
    bool known = false;
    for (size_t k = first; k < count && k <= i + LOCAL_CUBIC_NEIGHBOURS_MOST; k++)
        known = known || begins[k];
    return known;
}

/* Corners where the motion turns back, of which the noise may hide each, but not all. */
static int mark_reversals(const struct loop_signal *signal, unsigned char *begins)
{
    struct loop_reversals reversals;
    const int error = loop_reversals_of(signal, &reversals);
    size_t last = 0;
    for (size_t k = 0; !error && k < reversals.count; k++) {
        const struct loop_reversal *reversal = &reversals.reversal[k];
        size_t i = reversal->sample;
        while (i > last && signal->time_s[i - 1] > reversal->time_s)
            i--;
        while (i < signal->count && signal->time_s[i] <= reversal->time_s)
            i++;
        if (!reversal->corner || i < last + LOCAL_CUBIC_LEAST || signal->count < i + LOCAL_CUBIC_LEAST ||
            is_known_near(begins, i, signal->count))
            continue;
        begins[i] = 1;
        last = i;
    }
    loop_reversals_clear(&reversals);
    return error;
}

/* No cubic goes across a gap. */
static int mark_gaps(const struct loop_signal *signal, unsigned char *begins)
{
    const int error = loop_gaps_of(signal, begins);
    for (size_t i = 0; i < signal->count; i++)
        begins[i] = begins[i] ? BEHIND_GAP : 0;
    return error;
}

int loop_pieces_of(const struct loop_signal *signal, unsigned char *begins)
{
    memset(begins, 0, signal->count);
    int error = mark_gaps(signal, begins);
    if (!error)
        error = mark_jumps(signal, begins);
    for (size_t i = 0; i < signal->count; i++)
        begins[i] = begins[i] != 0;
    return error ? error : mark_reversals(signal, begins);
}
