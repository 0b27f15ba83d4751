/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_figures.h"

#include "identify/loop/loop_between.h"
#include "identify/loop/loop_speed.h"

#include <errno.h>
#include <gsl/gsl_errno.h>
#include <math.h>

/* Fewer samples draw no loop. */
enum { SAMPLES_LEAST = 10 };

/* A loop is closed within this share of its stroke and of its range of forces, or within the noise. */
static const double closing_share = 0.05, closing_noise = 8;

/* On the way to a reversal it is in this part of the period before it. */
static const double before_from = 0.06, before_to = 0.01;

/* Friction is built up, and the motion not yet at its end, in this part of the stroke. */
static const double plateau_from = 0.6, plateau_to = 0.95;

/* A loop, in the samples that it has. */
struct span {
    const struct loop_signal *signal;
    const struct loop_curves *curves;
    const struct loop_reversal *low, *high, *end;
    double start_s, end_s;
    size_t first, top, last; /* samples */
    double half_stroke, middle;
};

int loop_curves_make(const struct loop_signal *signal, struct loop_curves *curves)
{
    *curves = (struct loop_curves){gsl_spline_alloc(gsl_interp_cspline, signal->count),
                                   gsl_spline_alloc(gsl_interp_cspline, signal->count), gsl_interp_accel_alloc()};
    if (!curves->displacement || !curves->force || !curves->place ||
        gsl_spline_init(curves->displacement, signal->time_s, signal->displacement, signal->count) != GSL_SUCCESS ||
        gsl_spline_init(curves->force, signal->time_s, signal->force, signal->count) != GSL_SUCCESS)
        return -ENOMEM;
    return 0;
}

void loop_curves_clear(struct loop_curves *curves)
{
    gsl_spline_free(curves->displacement);
    gsl_spline_free(curves->force);
    gsl_interp_accel_free(curves->place);
    *curves = (struct loop_curves){NULL, NULL, NULL};
}

/* Behind a pause a loop begins where the pause ends, and before one it ends where that begins. */
static struct span span_of(const struct loop_signal *signal, const struct loop_curves *curves,
                           const struct loop_reversal reversal[3])
{
    const double *t = signal->time_s;
    struct span span = {
        .signal = signal, .curves = curves, .low = &reversal[0], .high = &reversal[1], .end = &reversal[2]};
    span.start_s = reversal[0].pause ? t[reversal[0].left] : reversal[0].time_s;
    span.end_s = reversal[2].pause ? t[reversal[2].arrived] : reversal[2].time_s;
    span.first = reversal[0].pause ? reversal[0].left : reversal[0].sample;
    span.top = reversal[1].sample;
    span.last = reversal[2].pause ? reversal[2].arrived : reversal[2].sample;
    const double bottom = 0.5 * (reversal[0].displacement + reversal[2].displacement);
    span.half_stroke = 0.5 * (reversal[1].displacement - bottom);
    span.middle = 0.5 * (reversal[1].displacement + bottom);
    return span;
}

/* Beside its ends, too: the signal may have turned back in a gap there. */
static bool has_gap(const struct span *span)
{
    const double *t = span->signal->time_s, longest = LOOP_GAP_SHARE * (span->end_s - span->start_s);
    if (span->last < span->first + SAMPLES_LEAST || !(span->half_stroke > 0))
        return true;
    const size_t from = span->first > 0 && !span->low->pause ? span->first - 1 : span->first;
    const size_t to = span->last + 1 < span->signal->count && !span->end->pause ? span->last + 1 : span->last;
    for (size_t i = from; i < to; i++)
        if (t[i + 1] - t[i] > longest)
            return true;
    return false;
}

/* --- energy --- */

/* The integral of (F - level) dx between two times in one interval of the splines, where it is a polynomial of the
 * fifth degree: three points after Gauss are exact. */
static double work_between(const struct loop_curves *curves, double level, double from_s, double to_s)
{
    static const double place[] = {-0.7745966692414834, 0, 0.7745966692414834}, weight[] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
    const double middle = 0.5 * (from_s + to_s), half = 0.5 * (to_s - from_s);
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        const double time_s = middle + half * place[k];
        sum += weight[k] * (gsl_spline_eval(curves->force, time_s, curves->place) - level) *
               gsl_spline_eval_deriv(curves->displacement, time_s, curves->place);
    }
    return sum * half;
}

/* That of the nearest sample beyond its ends. */
static double force_at(const struct span *span, double time_s)
{
    const gsl_spline *force = span->curves->force;
    return gsl_spline_eval(force, fmax(force->x[0], fmin(time_s, force->x[force->size - 1])), span->curves->place);
}

/* What the force is where the loop begins and ends. */
static double force_at_ends(const struct span *span)
{
    return 0.5 * (force_at(span, span->start_s) + force_at(span, span->end_s));
}

/* Where nothing gives way the force leaps at the turn: it may be anywhere between what it is before and behind it. That
 * is more than the difference of two samples is by chance once in 500 million. The extreme sample is the one before or
 * the one behind the turn. */
static const double leap_noise = 6 * M_SQRT2;
enum { LEAP_REACH = 1 };

/* Splines through a corner of the motion and a leap of the force at it lose so much of the leap times the way from one
 * sample to the next, wherever between two the corner is: the sum of what cubic splines through a sign and through an
 * absolute value are off. */
static const double leap_lost = 0.28094;

/* The largest change of the force from sample to sample about a corner, and the next one. Where it is at most twice the
 * next one friction is built up there, which splines follow; so much of it is never put back. */
struct leap {
    double change, next, way; /* way: from one sample to the next, beside the corner */
};

static const double leap_least = 2;

static struct leap leap_at(const struct span *span, size_t corner)
{
    enum { REACH = 3 };
    const double *x = span->signal->displacement, *f = span->signal->force;
    struct leap leap = {0, 0, 0};
    if (corner < REACH || corner + REACH >= span->signal->count)
        return leap;
    for (size_t i = corner - REACH; i < corner + REACH; i++) {
        const double change = f[i + 1] - f[i];
        leap.next = fmax(leap.next, fmin(fabs(change), fabs(leap.change)));
        leap.change = fabs(change) > fabs(leap.change) ? change : leap.change;
    }
    leap.way = 0.25 * (fabs(x[corner - 1] - x[corner - 3]) + fabs(x[corner + 3] - x[corner + 1]));
    return leap;
}

/* What the splines lose of the energy at a reversal, and what may be lost of a force that is built up within few
 * samples. */
static double lost_at(const struct span *span, const struct loop_reversal *reversal, double *may_be)
{
    const struct leap leap = leap_at(span, reversal->sample);
    const double beyond = fabs(leap.change) - leap_least * leap.next, sense = reversal->upper ? -1 : 1;
    if (!reversal->corner || !(fabs(leap.change) > leap_noise * span->signal->noise_force))
        return 0;
    /* What is not put back may be any part of the leap, all as likely: of friction on a spring it mostly is. */
    *may_be += leap_least / sqrt(3) * leap_lost * leap.next * leap.way;
    return beyond > 0 ? sense * copysign(beyond, leap.change) * leap_lost * leap.way : 0;
}

/* In a loop; it begins and ends in the middle of a reversal. */
static double lost_at_leaps(const struct span *span, double *may_be)
{
    double at_top = 0, at_ends = 0;
    const double lost = lost_at(span, span->high, &at_top) +
                        0.5 * (lost_at(span, span->low, &at_ends) + lost_at(span, span->end, &at_ends));
    *may_be = at_top + 0.5 * at_ends;
    return lost;
}

/* The mean force on the way to a reversal: at it the force changes with every bit of the way. */
static double force_before(const struct span *span, double time_s)
{
    const struct loop_signal *signal = span->signal;
    const double period_s = span->end_s - span->start_s;
    const size_t at = gsl_interp_accel_find(span->curves->place, signal->time_s, signal->count, time_s);
    double sum = 0;
    size_t found = 0;
    for (size_t i = at + 1; i-- > 0 && signal->time_s[i] >= time_s - before_from * period_s;)
        if (signal->time_s[i] <= time_s - before_to * period_s) {
            sum += signal->force[i];
            found++;
        }
    return found > 0 ? sum / (double)found : force_at(span, time_s);
}

/* A loop that does not close is closed by a straight line. What the contact gives back on that way, or takes, is by a
 * force between those at its ends: any one is as likely. */
static void find_closing(const struct span *span, struct loop_figures *figures)
{
    const struct loop_signal *signal = span->signal;
    double lowest = INFINITY, highest = -INFINITY, sum = 0;
    for (size_t i = span->first; i <= span->last; i++) {
        lowest = fmin(lowest, signal->force[i]);
        highest = fmax(highest, signal->force[i]);
        sum += signal->force[i];
    }
    figures->mean_force = sum / (double)(span->last - span->first + 1);
    figures->force_range = highest - lowest;
    const double way = fabs(span->low->displacement - span->end->displacement);
    const double force = fabs(force_before(span, span->start_s) - force_before(span, span->end_s));
    figures->returns = way <= fmax(closing_share * 2 * span->half_stroke, closing_noise * signal->wander);
    figures->closes =
        figures->returns && force <= fmax(closing_share * figures->force_range, closing_noise * signal->noise_force);
    figures->between = figures->closes ? 0 : way * force / (2 * sqrt(3));
}

/* By cubic splines through even samples the integral of the force over the displacement is a sum: of the force at each
 * sample times a change of the displacement about it, or of displacements times changes of the force. The change is so
 * many times the differences of the samples 1, 2 and so on away on either side. Where a force leaps, the sum of its
 * squares is 1.8 times that of half the differences of neighbours, and of noise three times. */
static double change_at(const double *values, size_t count, size_t i)
{
    static const double share[] = {0.83231, -0.24693, 0.07616, -0.02309, 0.0069, -0.00204};
    enum { REACH = sizeof share / sizeof share[0] };
    double sum = 0;
    for (size_t k = 1; k <= REACH; k++)
        sum += share[k - 1] * (values[i + k < count ? i + k : count - 1] - values[i > k ? i - k : 0]);
    return sum;
}
static const double noise_of_changes = 1.52019; /* sum of the squares of these shares, on both sides */

/* Squares of what samples weigh in a sum, and their absolute values. */
struct weights {
    double squares, all;
};

static void weigh(double weight, struct weights *of)
{
    of->squares += weight * weight;
    of->all += fabs(weight);
}

/* What noise that lasts does in a sum: its samples count one by one in as few as it leaves independent, and at most as
 * if all were alike. */
static double lasting_in(double wander, double memory, const struct weights *of)
{
    return wander * fmin(sqrt(memory * of->squares), of->all);
}

/* A constant does no work round a loop; that of the ends taken out, their displacements' noise does none either. */
static void find_energy(const struct span *span, struct loop_figures *figures)
{
    const struct loop_signal *signal = span->signal;
    const double *t = signal->time_s, *x = signal->displacement, *f = signal->force;
    const double level = force_at_ends(span);
    double energy = 0, at_leaps = 0;
    struct weights ways = {0}, forces = {0};
    const double samples = (double)(span->last - span->first + 1), noise_force = signal->noise_force;
    const size_t begin = gsl_interp_accel_find(span->curves->place, t, signal->count, span->start_s);
    for (size_t i = begin; i + 1 < signal->count && t[i] < span->end_s; i++) {
        const double from_s = fmax(t[i], span->start_s), to_s = fmin(t[i + 1], span->end_s);
        if (to_s > from_s)
            energy += work_between(span->curves, level, from_s, to_s);
    }
    for (size_t i = span->first; i <= span->last; i++) {
        weigh(change_at(x, signal->count, i), &ways);
        weigh(change_at(f, signal->count, i), &forces);
    }
    /* What noise of both channels does together is in the ways. */
    forces.squares = fmax(0, forces.squares - noise_of_changes * samples * noise_force * noise_force);
    figures->value[LOOP_ENERGY] = energy + lost_at_leaps(span, &at_leaps);
    figures->between = hypot(figures->between, at_leaps + loop_work_between(signal, span->first, span->last));
    figures->se[LOOP_ENERGY] = hypot(hypot(lasting_in(signal->wander_force, signal->memory_force, &ways),
                                           lasting_in(signal->wander, signal->memory, &forces)),
                                     figures->between);
}

/* --- speed --- */

static void find_damping(const struct span *span, struct loop_figures *figures)
{
    const struct loop_squares squares =
        loop_squares_of(&(struct loop_ride){.signal = span->signal,
                                            .reversal = {span->low, span->high, span->end},
                                            .first = span->first,
                                            .last = span->last,
                                            .half_stroke = span->half_stroke,
                                            .period_s = span->end_s - span->start_s});
    const double energy = figures->value[LOOP_ENERGY], se = hypot(figures->se[LOOP_ENERGY], energy * squares.relative);
    figures->value[LOOP_C_EQ] = squares.value > 0 ? energy / squares.value : (double)NAN;
    figures->c_eq_beside = squares.value > 0 ? squares.beside * figures->value[LOOP_C_EQ] : 0;
    figures->se[LOOP_C_EQ] = squares.value > 0 ? se / squares.value : (double)NAN;
}

/* --- forces --- */

/* There is no secant stiffness where that leaves more than this share of the force between the reversals open. A leap
 * of all of the friction leaves sqrt(1/8), 0.354, of it; a Dahl contact that is driven over 50 presliding lengths with
 * 50 samples a cycle, 0.2. */
static const double leap_share_most = 0.25;

/* Variance of the force at a reversal by that. */
static double leap_variance(const struct span *span, const struct loop_reversal *reversal)
{
    const double *force = span->signal->force;
    const size_t before = reversal->sample > LEAP_REACH ? reversal->sample - LEAP_REACH : 0;
    double leap = 0;
    for (size_t i = before; i <= reversal->sample && i + 1 < span->signal->count; i++)
        leap = fmax(leap, fabs(force[i + 1] - force[i]));
    return leap > leap_noise * span->signal->noise_force ? leap * leap / 12 : 0;
}

static void find_stiffness(const struct span *span, struct loop_figures *figures)
{
    const double a = span->half_stroke, noise = span->signal->wander_force;
    const double stiffness = (force_at(span, span->high->time_s) - force_at_ends(span)) / (2 * a);
    const double leaps =
        leap_variance(span, span->high) + (leap_variance(span, span->low) + leap_variance(span, span->end)) / 4;
    const double se =
        hypot(sqrt(1.5 * noise * noise + leaps) / (2 * a), stiffness * figures->se[LOOP_STROKE] / (2 * a));
    const bool seen = !(sqrt(leaps) > leap_share_most * fabs(2 * a * stiffness));
    figures->value[LOOP_K_SEC] = seen ? stiffness : (double)NAN;
    figures->se[LOOP_K_SEC] = seen ? se : (double)NAN;
    /* A force that is alike at both ends has no stiffness to compare the loss with. */
    const bool stiff = seen && stiffness > 3 * se;
    const double per_energy = stiff ? 1 / (M_PI * stiffness * a * a) : (double)NAN;
    const double loss = figures->value[LOOP_ENERGY] * per_energy;
    figures->value[LOOP_LOSS_FACTOR] = loss;
    figures->se[LOOP_LOSS_FACTOR] =
        stiff ? hypot(figures->se[LOOP_ENERGY] * per_energy, loss * se / stiffness) : (double)NAN;
}

/* What of the way from one sample to the next lies in that part of the stroke: its length, with its sign, and where its
 * middle is between the two. */
struct piece {
    double way, place;
};

static struct piece piece_of(const struct span *span, double upwards, size_t i)
{
    const double *x = span->signal->displacement + i, to = 0.5 * upwards / span->half_stroke;
    const double gone = 0.5 + to * (x[0] - span->middle), step = to * (x[1] - x[0]);
    if (step == 0)
        return (struct piece){0, 0};
    const double enters = fmax(0, fmin(1, (plateau_from - gone) / step));
    const double leaves = fmax(0, fmin(1, (plateau_to - gone) / step));
    return (struct piece){fabs(leaves - enters) * (x[1] - x[0]), 0.5 * (enters + leaves)};
}

/* The standard deviation of where the middle of that part of the stroke is, by those of the reversals. */
static double place_deviation(const struct span *span, double upwards)
{
    const double share = 0.5 * (plateau_from + plateau_to), upper = span->high->se;
    const double lower = 0.5 * hypot(span->low->se, span->end->se);
    return upwards > 0 ? hypot(share * upper, (1 - share) * lower) : hypot(share * lower, (1 - share) * upper);
}

/* Sums along the plateau: of the way, of integrals over it, and of squares of what samples weigh in these. */
struct plateau {
    double way, work, normal, lever, moment;
    struct weights weights, forces;
};

static struct plateau plateau_of(const struct span *span, size_t first, size_t last, double upwards)
{
    const struct loop_signal *signal = span->signal;
    const double *x = signal->displacement, *f = signal->force, *n = signal->normal;
    const double middle = span->middle + upwards * (plateau_from + plateau_to - 1) * span->half_stroke;
    struct plateau sum = {0};
    double before = 0, samples = 0;
    for (size_t i = first > 0 ? first : 1; i < last && i + 1 < signal->count; i++) {
        const struct piece piece = piece_of(span, upwards, i);
        const double force = f[i] + piece.place * (f[i + 1] - f[i]), change = 0.5 * (f[i + 1] - f[i - 1]);
        const double lever = x[i] + piece.place * (x[i + 1] - x[i]) - middle,
                     weight = before + piece.way * (1 - piece.place);
        sum.way += piece.way;
        sum.work += piece.way * force;
        sum.lever += piece.way * lever * force;
        sum.moment += piece.way * lever * lever;
        sum.normal += n ? piece.way * (n[i] + piece.place * (n[i + 1] - n[i])) : 0;
        weigh(weight, &sum.weights);
        weigh(weight != 0 ? change : 0, &sum.forces);
        samples += weight != 0;
        before = piece.way * piece.place;
    }
    /* What noise of both channels does together is in the weights. */
    sum.forces.squares = fmax(0, sum.forces.squares - samples * signal->noise_force * signal->noise_force / 2);
    return sum;
}

/* The mean over the way through that part of the stroke, in one direction. Where the force changes along it, as that of
 * a spring, it is as uncertain as where that part is. */
static void find_plateau(const struct span *span, size_t first, size_t last, enum loop_figure plateau,
                         enum loop_figure mu, struct loop_figures *figures)
{
    const struct loop_signal *signal = span->signal;
    const double upwards = plateau == LOOP_FORWARD ? 1 : -1;
    const struct plateau sum = plateau_of(span, first, last, upwards);
    if (!(fabs(sum.way) > 0.1 * span->half_stroke))
        return;
    const double slope = fabs(sum.moment) > 0 ? sum.lever / sum.moment : 0;
    const double noise = hypot(lasting_in(signal->wander_force, signal->memory_force, &sum.weights),
                               lasting_in(signal->wander, signal->memory, &sum.forces));
    figures->value[plateau] = sum.work / sum.way;
    figures->se[plateau] = hypot(noise / fabs(sum.way), slope * place_deviation(span, upwards));
    const double normal = sum.normal / sum.way;
    if (!signal->normal || !(normal > 0))
        return;
    const double of_normal = signal->noise_normal * sqrt(sum.weights.squares) / fabs(sum.way);
    figures->value[mu] = figures->value[plateau] / normal;
    figures->se[mu] = hypot(figures->se[plateau], figures->value[mu] * of_normal) / normal;
}

/* --- the whole --- */

/* A loop ends where a pause begins. */
static double rest_at_end(const struct loop_reversal *reversal)
{
    return reversal->pause ? 0 : 0.5 * reversal->rest_s;
}

struct loop_figures loop_figures_of(const struct loop_signal *signal, const struct loop_curves *curves,
                                    const struct loop_reversal reversal[3])
{
    const struct span span = span_of(signal, curves, reversal);
    struct loop_figures figures = {.start_s = span.start_s, .end_s = span.end_s, .gap = has_gap(&span)};
    for (int k = 0; k < LOOP_FIGURES; k++)
        figures.value[k] = figures.se[k] = NAN;
    if (figures.gap)
        return figures;
    figures.rest_s = rest_at_end(&reversal[0]) + reversal[1].rest_s + rest_at_end(&reversal[2]);
    figures.value[LOOP_STROKE] = 2 * span.half_stroke;
    figures.se[LOOP_STROKE] = hypot(reversal[1].se, 0.5 * hypot(reversal[0].se, reversal[2].se));
    figures.stroke_beside = reversal[1].beside - 0.5 * (reversal[0].beside + reversal[2].beside);
    figures.cut = reversal[1].cut_u + 0.5 * (reversal[0].cut_u + reversal[2].cut_u);
    figures.value[LOOP_MIDDLE] = signal->velocity ? (double)NAN : span.middle;
    figures.se[LOOP_MIDDLE] = signal->velocity ? (double)NAN : 0.5 * figures.se[LOOP_STROKE];
    figures.value[LOOP_PERIOD] = span.end_s - span.start_s;
    find_closing(&span, &figures);
    find_energy(&span, &figures);
    find_damping(&span, &figures);
    find_stiffness(&span, &figures);
    find_plateau(&span, span.first, span.top, LOOP_FORWARD, LOOP_MU_FORWARD, &figures);
    find_plateau(&span, span.top, span.last, LOOP_BACKWARD, LOOP_MU_BACKWARD, &figures);
    figures.value[LOOP_FRICTION] = 0.5 * (figures.value[LOOP_FORWARD] - figures.value[LOOP_BACKWARD]);
    figures.se[LOOP_FRICTION] = 0.5 * hypot(figures.se[LOOP_FORWARD], figures.se[LOOP_BACKWARD]);
    return figures;
}

size_t loop_figures_of_all(const struct loop_signal *signal, const struct loop_curves *curves,
                           const struct loop_reversals *reversals, const atomic_bool *cancel,
                           struct loop_figures *loops)
{
    size_t count = 0;
    for (size_t k = 0; k + 2 < reversals->count && !(cancel && atomic_load(cancel)); k++)
        if (!reversals->reversal[k].upper)
            loops[count++] = loop_figures_of(signal, curves, &reversals->reversal[k]);
    return count;
}
