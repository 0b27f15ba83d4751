/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From samples to refined extrema in three layers: a first look finds the rhythm, a zigzag above the noise finds the
 * turning points, and a local fit with the decay's own shape places each between the samples. What the fits tell of
 * noise, beta and x_k goes back into the next round. */

#include "identify/extremum.h"

#include "identify/small_least_squares.h"
#include "identify/turning_points.h"

#include <math.h>
#include <stdlib.h>

/* Half width of the samples around an extremum that refine it, as phase angle; wider when samples are few. */
static const double WINDOW = 1.1, WIDEST_WINDOW = 1.57;

/* A reversal this many standard deviations of the smoothed trace high is motion. */
static const double SIGNIFICANT = 6.0;

/* A time that moves less than this, in radians, is settled: heights depend on its square. */
static const double SETTLED = 1e-8;

enum { FEWEST_IN_WINDOW = 4, REFINE_LIMIT = 30, PASSES = 8 };

/* What an extremum's surroundings look like beside height and time; learnt from the extrema themselves. */
struct shape {
    double beta;
    double x_k;
};

/* Unknowns of one extremum's fit. */
enum { HEIGHT, CURVE, SHIFT, LOCAL_UNKNOWNS };

struct local_fit {
    double time;   /* s after the trace's origin */
    double height; /* from the trace's centre */
    double curve;  /* X_j: height above the point of equal friction, from the bend alone */
    double inverse[SMALL_MAX][SMALL_MAX];
    double squares;    /* of the residuals */
    double neighbours; /* sum of products of neighbouring residuals */
    size_t samples;
    size_t before; /* samples before the extremum */
};

/* Samples whose phase is within `window` of the extremum: [*from, *to). */
static void window_around(const struct trace *trace, size_t near, double from_s, double to_s, size_t *from, size_t *to)
{
    *from = *to = near;
    while (*from > 0 && trace->time[*from - 1] >= from_s)
        --*from;
    while (*from < trace->count && trace->time[*from] < from_s)
        ++*from;
    while (*to < trace->count && trace->time[*to] <= to_s)
        ++*to;
    while (*to > *from && trace->time[*to - 1] > to_s)
        --*to;
}

/* One sample of the neighbourhood of an extremum, SHK Eq. 5: before it the height of the curve is X_j plus x_k, after
 * it X_j minus x_k (counted along X_j), and the bend is g(theta) - 1 with theta = omega_d (t - t_j) on both sides. */
struct neighbour {
    double bend;  /* g - 1 */
    double slope; /* g' */
    double kink;  /* what x_k adds to the curve, displacement unit */
};

static struct neighbour neighbour_at(double theta, double side, const struct shape *shape)
{
    const double beta = shape->beta, decay = exp(-beta * theta), sine = sin(theta);
    struct neighbour result;
    result.bend = decay * (cos(theta) + beta * sine) - 1;
    result.slope = -(1 + beta * beta) * decay * sine;
    result.kink = theta < 0 ? side * shape->x_k : -side * shape->x_k;
    return result;
}

/* One Gauss-Newton pass over the samples [from, to); returns the shift in radians, NAN when it cannot be solved.
 * Unknowns are the height, the curve (how strongly it bends) and the shift of the time. */
static double refine_once(const struct trace *trace, size_t from, size_t to, double omega, double side,
                          const struct shape *shape, struct local_fit *fit)
{
    struct small_least_squares equations = {.unknowns = LOCAL_UNKNOWNS};
    double x[SMALL_MAX] = {0}, squares = 0, neighbours = 0, previous = 0;
    fit->before = 0;
    fit->samples = to - from;
    for (size_t i = from; i < to; i++) {
        const struct neighbour at = neighbour_at(omega * (trace->time[i] - fit->time), side, shape);
        const double row[LOCAL_UNKNOWNS] = {1, at.bend, -(fit->curve + at.kink) * at.slope};
        const double residual = trace->value[i] - fit->height - (fit->curve + at.kink) * at.bend;
        small_least_squares_add(&equations, row, residual);
        squares += residual * residual;
        neighbours += residual * previous;
        previous = residual;
        fit->before += trace->time[i] < fit->time;
    }
    fit->squares = squares;
    fit->neighbours = neighbours;
    if (!small_least_squares_solve(&equations, x, fit->inverse))
        return NAN;
    /* A step of more than 0.4 rad leaves the range in which the linear fit means anything. */
    const double shift = fmin(fmax(x[SHIFT], -0.4), 0.4);
    fit->height += x[HEIGHT];
    fit->curve += x[CURVE];
    fit->time += shift / omega;
    return shift;
}

/* Fits height, curve and time of the extremum near `fit->time`. False when it is none. */
static bool refine(const struct trace *trace, const struct turning_point *point, double omega,
                   const struct shape *shape, struct local_fit *fit)
{
    const double side = point->crest ? 1 : -1, start = trace->time[point->at];
    /* 3.5 samples to either side at least: with less, three unknowns leave nothing to average. */
    double half_width = fmin(WIDEST_WINDOW, fmax(WINDOW, 3.5 * omega * trace->spacing_s)) / omega;
    size_t from = 0, to = 0;
    double shift = INFINITY;
    for (int pass = 0; pass < REFINE_LIMIT && (pass < 2 || !(fabs(shift) < SETTLED)); pass++) {
        /* Later the window stays: samples that come and go at its edges would keep the fit from settling. */
        if (pass < 4)
            window_around(trace, point->at, fit->time - half_width, fit->time + half_width, &from, &to);
        if (to - from < FEWEST_IN_WINDOW)
            return false;
        shift = refine_once(trace, from, to, omega, side, shape, fit);
        /* 1.2 rad away from the turning point it is another piece of the curve, not this extremum. */
        if (!isfinite(shift) || fabs(fit->time - start) * omega > 1.2)
            return false;
    }
    return fabs(shift) < 1e-4 && fit->curve * side > 0 && isfinite(fit->height);
}

/* The extrema while they are being refined; fit[n] belongs to points.point[n]. */
struct search {
    struct trace trace;
    struct turning_points points;
    struct local_fit *fit;
    struct shape shape;
    const atomic_bool *cancel;
    double noise; /* standard deviation, in units of the trace, like all heights here */
};

static bool cancelled(const struct search *search)
{
    return search->cancel && atomic_load(search->cancel);
}

/* Angular frequency about extremum n from the times of its neighbours: a frequency that drifts is followed. */
static double omega_near(const struct search *search, size_t n)
{
    const size_t reach = 4, last = search->points.count - 1;
    const size_t from = n > reach ? n - reach : 0, to = n + reach < last ? n + reach : last;
    const double duration = search->fit[to].time - search->fit[from].time;
    const double usual = M_PI / search->points.half_cycle_s;
    const double omega = duration > 0 ? M_PI * (double)(to - from) / duration : 0;
    return omega > usual / 2 && omega < usual * 2 ? omega : usual;
}

static bool start_fits(struct search *search)
{
    const struct turning_points *points = &search->points;
    const struct trace *trace = &search->trace;
    free(search->fit);
    search->fit = calloc(points->count, sizeof *search->fit);
    if (!search->fit)
        return false;
    for (size_t n = 0; n < points->count; n++) {
        const size_t at = points->point[n].at, other = points->point[n > 0 ? n - 1 : 1].at;
        search->fit[n].time = trace->time[at];
        search->fit[n].height = trace->smooth[at];
        search->fit[n].curve = (trace->smooth[at] - trace->smooth[other]) / 2;
    }
    return true;
}

static void keep_points(struct search *search, size_t from, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        search->fit[n] = search->fit[from + n];
        search->points.point[n] = search->points.point[from + n];
    }
    search->points.count = count;
}

/* An extremum at the very start counts only when it lies within the record and bends like the next swing. */
static bool false_start(const struct search *search, size_t n, const struct local_fit *fit, double omega)
{
    if (fit->before >= 2 || n + 1 >= search->points.count)
        return false;
    const double uncertain = 3 * search->noise * sqrt(fabs(fit->inverse[SHIFT][SHIFT]));
    const double allowed = 0.6 * search->trace.spacing_s + fmin(uncertain, 0.25) / omega;
    const double swing = fabs(fit->height - search->fit[n + 1].height) / 2;
    return fit->time < search->trace.time[0] - allowed || fabs(fit->curve) < 0.5 * swing ||
           fabs(fit->curve) > 2 * swing;
}

/* Refines all extrema once; what does not hold at the start is dropped, what does not hold later ends the list. */
static void refine_all(struct search *search)
{
    size_t from = 0, count = 0;
    for (size_t n = 0; n < search->points.count && !cancelled(search); n++) {
        const double omega = omega_near(search, n);
        struct local_fit fit = search->fit[n];
        const bool good = refine(&search->trace, &search->points.point[n], omega, &search->shape, &fit) &&
                          !false_start(search, n, &fit, omega) && (count == 0 || fit.time > search->fit[n - 1].time);
        if (good) {
            search->fit[n] = fit;
            count++;
        } else if (count == 0) {
            from = n + 1;
        } else {
            break;
        }
    }
    keep_points(search, from, count);
}

/* Pooled standard deviation of the residuals about the local fits from extremum `from` on; NAN with hardly any data. */
static double pooled_noise(const struct search *search, size_t from)
{
    double squares = 0, freedom = 0;
    for (size_t n = from; search->fit && n < search->points.count; n++) {
        squares += search->fit[n].squares;
        freedom += (double)(search->fit[n].samples - LOCAL_UNKNOWNS);
    }
    return freedom >= (from > 0 ? 20 : 1) ? sqrt(squares / freedom) : NAN;
}

/* By how much the noise averages out less than white noise, from how alike neighbouring residuals are:
 * sqrt((1 + r)/(1 - r)) for a first-order process. 1 where steps without noise make them alike. */
static double pooled_correlation(const struct search *search, size_t from)
{
    double squares = 0, neighbours = 0;
    for (size_t n = from; search->fit && n < search->points.count; n++) {
        squares += search->fit[n].squares;
        neighbours += search->fit[n].neighbours;
    }
    if (!(squares > 0) || search->noise < 0.45 * search->trace.resolution)
        return 1;
    const double r = fmin(fmax(neighbours / squares, 0), 0.95);
    return sqrt((1 + r) / (1 - r));
}

/* Straight line through successive differences, D_{i+1} = q D_i - 2 (1+q) x_k (LF Eq. 9 in absolute values). */
static struct shape shape_of(const struct search *search)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (size_t i = 0; i + 2 < search->points.count; i++) {
        const double now = fabs(search->fit[i + 1].height - search->fit[i].height);
        const double next = fabs(search->fit[i + 2].height - search->fit[i + 1].height);
        n++;
        x += now;
        y += next;
        xx += now * now;
        xy += now * next;
    }
    if (!(xx > 0))
        return (struct shape){0, 0};
    /* Without spread in the swings (friction so small that all look alike) the line through zero is all that can be
     * told. */
    const double spread = n * xx - x * x;
    double q = fmin(spread > 1e-12 * n * xx ? (n * xy - x * y) / spread : xy / xx, 1);
    double loss = (q * x - y) / n;
    if (loss < 0 || q < 0.2) {
        q = fmin(fmax(xy / xx, 0.2), 5); /* above 1 it grows; that is for others to complain about */
        loss = 0;
    }
    return (struct shape){-log(q) / M_PI, loss / (2 * (1 + q))};
}

/* Refines all and learns from them until what is learnt changes less than the noise could matter. */
static void refine_until_settled(struct search *search, int passes)
{
    for (int pass = 0; pass < passes && search->points.count >= 2 && !cancelled(search); pass++) {
        const struct shape before = search->shape;
        refine_all(search);
        search->shape = shape_of(search);
        search->noise = pooled_noise(search, 0);
        if (!isfinite(search->noise))
            search->noise = 0;
        const double change = fabs(search->shape.x_k - before.x_k) + fabs(search->shape.beta - before.beta);
        if (change < 1e-2 * search->noise || change < 1e-13)
            return;
    }
}

/* A reversal has to be this high: above the noise that smoothing leaves, and above what steps alone can make. */
static double hysteresis_for(const struct search *search, double samples_averaged)
{
    /* Where a real rig departs from the model it does so at large amplitudes; the small ones show the sensor's noise.
     */
    const size_t late = search->points.count * 2 / 3;
    const double noise = fmin(search->noise, pooled_noise(search, late));
    const double averaged = fmin(pooled_correlation(search, late) / sqrt(samples_averaged), 1);
    const double step = search->trace.resolution;
    /* Noise above 0.45 step blurs the steps so that they average out; below, only reversals of more than one step
     * count. */
    const double steps = noise < 0.45 * step ? 1.5 * step : 0.25 * step;
    return fmax(fmax(SIGNIFICANT * noise * averaged, steps), 1e-9);
}

static enum verdict too_few(size_t count)
{
    return count == 0 ? VERDICT_NO_OSCILLATION : VERDICT_TOO_FEW_HALF_CYCLES;
}

/* Extrema above the noise known so far, refined `passes` times. */
static enum verdict find_and_refine(struct search *search, double from_s, int passes)
{
    /* A sixth of a half cycle takes little off a crest, and most of the noise. */
    const double averaged = trace_smooth(&search->trace, search->points.half_cycle_s / 6);
    const double hysteresis = hysteresis_for(search, averaged);
    turning_points_clear(&search->points);
    if (!turning_points_find(&search->trace, hysteresis, &search->points))
        return VERDICT_NO_MEMORY;
    if (search->points.count < 2)
        return too_few(search->points.count);
    if (!start_fits(search))
        return VERDICT_NO_MEMORY;
    size_t early = 0;
    while (early < search->points.count &&
           search->trace.time[search->points.point[early].at] < from_s - search->points.half_cycle_s / 2)
        early++;
    keep_points(search, early, search->points.count - early);
    refine_until_settled(search, passes);
    return search->points.count < 2 ? too_few(search->points.count) : VERDICT_OK;
}

/* The first look at the raw samples: is there an oscillation, and how long is a half cycle? */
static enum verdict first_look(struct search *search, double told_noise)
{
    struct trace *trace = &search->trace;
    search->noise = told_noise > 0 ? told_noise / trace->span : trace_rough_noise(trace);
    /* In units of the record's range: pure noise spans some six to eleven deviations, and a signal of two steps
     * shows no shape. */
    if (11 * search->noise > 1 || 2.5 * trace->resolution > 1)
        return VERDICT_NO_OSCILLATION;
    trace_smooth(trace, 0);
    /* An eighth of the range, or more where the noise asks for it, but never so much that the second swing is
     * missed. */
    const double hysteresis = fmax(0.12, fmin(8 * search->noise, 0.3));
    if (!turning_points_find(trace, hysteresis, &search->points))
        return VERDICT_NO_MEMORY;
    return search->points.count < 2 ? too_few(search->points.count) : VERDICT_OK;
}

/* Steps alone, without noise to blur them, make errors that do not average over samples but over steps crossed. */
static double step_variance(const struct search *search, const struct local_fit *fit)
{
    const double step = search->trace.resolution;
    if (search->noise > 0.45 * step)
        return 0;
    const double crossed = 1 + fabs(fit->curve) * (1 - cos(WINDOW)) / step;
    return step * step / 12 * fmax(0, 1 / crossed - 1 / (double)fit->samples);
}

static size_t nearest_sample(const struct trace *trace, size_t near, double time)
{
    while (near > 0 && trace->time[near] > time)
        near--;
    while (near + 1 < trace->count && fabs(trace->time[near + 1] - time) < fabs(trace->time[near] - time))
        near++;
    return trace->index[near];
}

static enum verdict hand_over(const struct search *search, struct extremum **extrema, size_t *count)
{
    *extrema = calloc(search->points.count, sizeof **extrema);
    if (!*extrema)
        return VERDICT_NO_MEMORY;
    *count = search->points.count;
    for (size_t n = 0; n < *count; n++) {
        const struct local_fit *fit = &search->fit[n];
        const double variance = search->noise * search->noise * fit->inverse[HEIGHT][HEIGHT];
        (*extrema)[n] = (struct extremum){
            .time_s = search->trace.origin_s + fit->time,
            .displacement = search->trace.centre + search->trace.span * fit->height,
            .se = search->trace.span * sqrt(variance + step_variance(search, fit)),
            .time_se_s = search->noise * sqrt(fit->inverse[SHIFT][SHIFT]) / omega_near(search, n),
            .index = nearest_sample(&search->trace, search->points.point[n].at, fit->time),
        };
    }
    return VERDICT_OK;
}

static enum verdict find_in(struct search *search, const struct decay_record *record, struct extremum **extrema,
                            size_t *count)
{
    const double from_s =
        isfinite(record->first_extremum_s) ? record->first_extremum_s - search->trace.origin_s : -INFINITY;
    enum verdict verdict = cancelled(search) ? VERDICT_CANCELLED : first_look(search, record->noise);
    if (verdict == VERDICT_OK)
        verdict = find_and_refine(search, from_s, 2);
    /* Now that the noise is known from the residuals, the small extrema at the end can be told from it. */
    if (verdict == VERDICT_OK)
        verdict = find_and_refine(search, from_s, PASSES);
    /* A first amplitude of less than two standard deviations is not an oscillation. */
    if (verdict == VERDICT_OK && search->noise > 0.5 * fabs(search->fit[0].curve))
        verdict = VERDICT_NO_OSCILLATION;
    if (cancelled(search))
        return VERDICT_CANCELLED;
    return verdict == VERDICT_OK ? hand_over(search, extrema, count) : verdict;
}

enum verdict extrema_find(const struct decay_record *record, const atomic_bool *cancel, struct extremum **extrema,
                          size_t *count)
{
    *extrema = NULL;
    *count = 0;
    struct search search = {.points = {.half_cycle_s = NAN}, .cancel = cancel};
    enum verdict verdict = trace_load(record, &search.trace);
    if (verdict == VERDICT_OK)
        verdict = find_in(&search, record, extrema, count);
    free(search.fit);
    turning_points_clear(&search.points);
    trace_clear(&search.trace);
    return verdict;
}
