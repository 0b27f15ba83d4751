/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From samples to refined extrema in three layers: a first look finds the rhythm, a zigzag above the noise finds the
 * turning points, and a local fit with the decay's own shape places each between the samples. What the fits tell of
 * noise, beta and x_k goes back into the next round. */

#include "identify/decay/extremum.h"

#include "identify/common/correlated_noise.h"
#include "identify/common/sensor_steps.h"
#include "identify/decay/extremum_refine.h"
#include "identify/decay/turning_points.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* A reversal this many standard deviations of the smoothed trace high is motion. */
static const double SIGNIFICANT = 6.0;

enum { PASSES = 8 };
static_assert((int)EXTREMA_MOST == (int)TURNING_POINTS_MOST, "every turning point is a possible extremum");

/* The extrema while they are being refined; fit[n] belongs to points.point[n]. */
struct search {
    struct trace trace;
    struct turning_points points;
    struct local_fit *fit;
    struct extremum_shape shape;
    const atomic_bool *cancel;
    double noise; /* standard deviation, in units of the trace, like all heights here */
    bool settled; /* another refinement of the same points would change nothing */
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
    free(search->fit);
    search->fit = calloc(points->count, sizeof *search->fit);
    if (!search->fit)
        return false;
    for (size_t n = 0; n < points->count; n++) {
        const struct turning_point *here = &points->point[n], *other = &points->point[n > 0 ? n - 1 : 1];
        search->fit[n].time = trace_time(&search->trace, here->at);
        search->fit[n].height = here->height;
        search->fit[n].curve = (here->height - other->height) / 2;
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
    const double uncertain = 3 * search->noise * sqrt(fabs(fit->shift_gain));
    const double allowed = 0.6 * search->trace.spacing_s + fmin(uncertain, 0.25) / omega;
    const double swing = fabs(fit->height - search->fit[n + 1].height) / 2;
    return fit->time < search->trace.first_time - allowed || fabs(fit->curve) < 0.5 * swing ||
           fabs(fit->curve) > 2 * swing;
}

/* Refines all extrema once; what does not hold at the start is dropped, what does not hold later ends the list. */
static void refine_all(struct search *search)
{
    size_t from = 0, count = 0;
    for (size_t n = 0; n < search->points.count && !cancelled(search); n++) {
        const double omega = omega_near(search, n);
        struct local_fit fit = search->fit[n];
        const bool good =
            extremum_refine(&search->trace, &search->points.point[n], omega, &search->shape, EXTREMUM_WINDOW, &fit) &&
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
        freedom += (double)search->fit[n].samples - EXTREMUM_UNKNOWNS;
    }
    return freedom >= (from > 0 ? 20 : 1) ? sqrt(squares / freedom) : NAN;
}

/* What is left of the samples around an extremum, as the variance of one. */
static double local_variance(const struct search *search, size_t n)
{
    const struct local_fit *fit = &search->fit[n];
    return fit->squares / ((double)fit->samples - EXTREMUM_UNKNOWNS);
}

/* The noise of so many samples is never so many times that of as many others. */
enum { FEWEST_THAT_TELL = 40 };
static const double STRANGE = 16;

/* Where the samples follow the curve four times worse than around both neighbours, a jump of the recorder's clock or
 * a knock is among them. Those nearest to the extremum are nearly always on one side of it. */
static void narrow_disturbed(struct search *search)
{
    for (size_t n = 1; n + 1 < search->points.count; n++) {
        struct local_fit fit = search->fit[n];
        if (fit.samples < FEWEST_THAT_TELL ||
            !(local_variance(search, n) > STRANGE * fmax(local_variance(search, n - 1), local_variance(search, n + 1))))
            continue;
        const double squares = fit.squares;
        if (extremum_refine(&search->trace, &search->points.point[n], omega_near(search, n), &search->shape,
                            EXTREMUM_WINDOW / 2, &fit) &&
            fit.squares < squares / STRANGE) {
            search->fit[n] = fit;
            search->noise = pooled_noise(search, 0);
        }
    }
}

/* By how much the noise averages out less than white noise; 1 where it is steps that make neighbours alike. */
static double pooled_correlation(const struct search *search, size_t from)
{
    double squares = 0, neighbours = 0;
    if (!noise_blurs_steps(search->noise, search->trace.resolution))
        return 1;
    for (size_t n = from; search->fit && n < search->points.count; n++) {
        squares += search->fit[n].squares;
        neighbours += extremum_neighbours(&search->trace, &search->points.point[n], omega_near(search, n),
                                          &search->shape, &search->fit[n]);
    }
    if (!(squares > 0))
        return 1;
    return correlated_noise_factor(squares, neighbours);
}

/* Straight line through successive differences, D_{i+1} = q D_i - 2 (1+q) x_k (LF Eq. 9 in absolute values). */
static struct extremum_shape shape_of(const struct search *search)
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
        return (struct extremum_shape){0, 0};
    /* Without spread in the swings (friction so small that all look alike) the line through zero is all that can be
     * told. */
    const double spread = n * xx - x * x;
    double q = fmin(spread > 1e-12 * n * xx ? (n * xy - x * y) / spread : xy / xx, 1);
    double loss = (q * x - y) / n;
    if (loss < 0 || q < 0.2) {
        q = fmin(fmax(xy / xx, 0.2), 5); /* above 1 it grows; that is for others to complain about */
        loss = 0;
    }
    return (struct extremum_shape){-log(q) / M_PI, loss / (2 * (1 + q))};
}

/* Refines all and learns from them until what is learnt changes less than the noise could matter. */
static void refine_until_settled(struct search *search, int passes)
{
    search->settled = false;
    for (int pass = 0; pass < passes && search->points.count >= 2 && !cancelled(search); pass++) {
        const struct extremum_shape before = search->shape;
        refine_all(search);
        search->shape = shape_of(search);
        search->noise = pooled_noise(search, 0);
        if (!isfinite(search->noise))
            search->noise = 0;
        const double change = fabs(search->shape.x_k - before.x_k) + fabs(search->shape.beta - before.beta);
        search->settled = change < 1e-2 * search->noise || change < 1e-13;
        if (search->settled)
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
    /* Of steps that no noise blurs, only reversals of more than one count. */
    const double steps = noise_blurs_steps(noise, step) ? 0.25 * step : 1.5 * step;
    return fmax(fmax(SIGNIFICANT * noise * averaged, steps), 1e-9);
}

static enum verdict too_few(size_t count)
{
    return count == 0 ? VERDICT_NO_OSCILLATION : VERDICT_TOO_FEW_HALF_CYCLES;
}

/* What lies before the time from which extrema are wanted. */
static void drop_early(struct turning_points *points, const struct trace *trace, double from_s)
{
    size_t early = 0;
    while (early < points->count && trace_time(trace, points->point[early].at) < from_s - points->half_cycle_s / 2)
        early++;
    points->count -= early;
    for (size_t n = 0; n < points->count; n++)
        points->point[n] = points->point[n + early];
}

static bool same_points(const struct turning_points *a, const struct turning_points *b)
{
    bool same = a->count == b->count;
    for (size_t n = 0; same && n < a->count; n++)
        same = a->point[n].at == b->point[n].at;
    return same;
}

/* Extrema above the noise known so far, refined `passes` times. */
static enum verdict find_and_refine(struct search *search, double from_s, int passes)
{
    /* A sixth of a half cycle takes little off a crest, and most of the noise. */
    const size_t side = trace_side(&search->trace, search->points.half_cycle_s / 6);
    const double hysteresis = hysteresis_for(search, 2 * (double)side + 1);
    struct turning_points before = search->points;
    const bool found = turning_points_find(&search->trace, side, hysteresis, &search->points);
    drop_early(&search->points, &search->trace, from_s);
    const bool known = found && search->settled && same_points(&before, &search->points);
    turning_points_clear(&before);
    if (known)
        return VERDICT_OK;
    if (!found)
        return VERDICT_NO_MEMORY;
    if (search->points.count < 2)
        return too_few(search->points.count);
    if (!start_fits(search))
        return VERDICT_NO_MEMORY;
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
    /* An eighth of the range, or more where the noise asks for it, but never so much that the second swing is
     * missed. */
    const double hysteresis = fmax(0.12, fmin(8 * search->noise, 0.3));
    if (!turning_points_find(trace, 0, hysteresis, &search->points))
        return VERDICT_NO_MEMORY;
    return search->points.count < 2 ? too_few(search->points.count) : VERDICT_OK;
}

/* Steps alone, without noise to blur them, make errors that do not average over samples but over steps crossed. */
static double step_variance(const struct search *search, const struct local_fit *fit)
{
    const double step = search->trace.resolution;
    if (noise_blurs_steps(search->noise, step))
        return 0;
    const double crossed = 1 + fabs(fit->curve) * (1 - cos(EXTREMUM_WINDOW)) / step;
    return step * step / 12 * fmax(0, 1 / crossed - 1 / (double)fit->samples);
}

/* Of the samples that count; sought from one of them. */
static size_t nearest_sample(const struct trace *trace, size_t near, double time)
{
    for (size_t i = near; i > 0 && trace_time(trace, near) > time; i--)
        near = trace_usable(trace, i - 1) ? i - 1 : near;
    for (size_t i = near + 1; i < trace->count; i++) {
        if (!trace_usable(trace, i))
            continue;
        if (!(fabs(trace_time(trace, i) - time) < fabs(trace_time(trace, near) - time)))
            break;
        near = i;
    }
    return near;
}

static enum verdict hand_over(const struct search *search, struct extremum **extrema, size_t *count)
{
    *extrema = calloc(search->points.count, sizeof **extrema);
    if (!*extrema)
        return VERDICT_NO_MEMORY;
    *count = search->points.count;
    for (size_t n = 0; n < *count; n++) {
        const struct local_fit *fit = &search->fit[n];
        const double variance = search->noise * search->noise * fit->height_gain;
        (*extrema)[n] = (struct extremum){
            .time_s = search->trace.origin_s + fit->time,
            .displacement = search->trace.centre + search->trace.span * fit->height,
            .se = search->trace.span * sqrt(variance + step_variance(search, fit)),
            .time_se_s = search->noise * sqrt(fit->shift_gain) / omega_near(search, n),
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
    if (verdict == VERDICT_OK)
        narrow_disturbed(search);
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
    bool more;
    return extrema_find_first(record, cancel, extrema, count, &more);
}

enum verdict extrema_find_first(const struct decay_record *record, const atomic_bool *cancel, struct extremum **extrema,
                                size_t *count, bool *more)
{
    *extrema = NULL;
    *count = 0;
    struct search search = {.points = {.half_cycle_s = NAN}, .cancel = cancel};
    enum verdict verdict = trace_of(record, &search.trace);
    if (verdict == VERDICT_OK)
        verdict = find_in(&search, record, extrema, count);
    const struct turning_points *points = &search.points;
    *more =
        verdict == VERDICT_OK && points->stopped_at > 0 && points->point[points->count - 1].at == points->stopped_at;
    free(search.fit);
    turning_points_clear(&search.points);
    return verdict;
}
