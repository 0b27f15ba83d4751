/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_uncertainty.h"

#include "identify/common/instrument_estimate.h"
#include "identify/common/sensor_steps.h"
#include "identify/common/unit_powers.h"
#include "identify/loop/contact_correction.h"

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- settings that are off --- */

static double known_or_zero(double configured)
{
    return isfinite(configured) ? configured : 0;
}

/* u(1/k), of which the bending is that many times the force. */
static double compliance_uncertainty(const struct contact_settings *settings)
{
    const double k = settings->path_stiffness_n_per_m;
    return k > 0 ? known_or_zero(settings->u_path_stiffness_n_per_m) / (k * k) : 0;
}

/* Which of them are looked at. */
enum { FORCE_DELAY, NORMAL_DELAY, MOVING_MASS, PATH_STIFFNESS, DEPARTURES };

/* False: that setting counts as exact. */
static bool depart(const struct contact_settings *settings, int which, struct contact_settings *off)
{
    const double u_s = known_or_zero(which == FORCE_DELAY ? settings->u_force_delay_s : settings->u_normal_delay_s);
    const double u_kg = known_or_zero(settings->u_moving_mass_kg), compliance = compliance_uncertainty(settings);
    *off = *settings;
    switch (which) {
    case FORCE_DELAY:
        off->force_delay_s = known_or_zero(settings->force_delay_s) + u_s;
        return u_s > 0;
    case NORMAL_DELAY:
        off->normal_delay_s = known_or_zero(settings->normal_delay_s) + u_s;
        return u_s > 0;
    case MOVING_MASS:
        off->moving_mass_kg = known_or_zero(settings->moving_mass_kg) + u_kg;
        return u_kg > 0;
    default:
        if (!(compliance > 0))
            return false;
        off->path_stiffness_n_per_m = 1 / (1 / settings->path_stiffness_n_per_m + compliance);
        return true;
    }
}

/* Where the displacement turns back, it is as far off as at that time; when it does, stays. Both signals have the same
 * samples. 0 or -ENOMEM. */
static int move_reversals(const struct loops_seen *seen, const struct loop_signal *off, struct loop_reversal **moved)
{
    const size_t count = seen->reversals->count;
    *moved = calloc(count + 1, sizeof **moved);
    if (!*moved)
        return -ENOMEM;
    for (size_t i = 0, k = 0; i < count; i++) {
        const double time_s = seen->reversals->reversal[i].time_s;
        while (k + 2 < off->count && off->time_s[k + 1] < time_s)
            k++;
        const double share = (time_s - off->time_s[k]) / (off->time_s[k + 1] - off->time_s[k]);
        const double before = off->displacement[k] - seen->corrected->displacement[k];
        const double behind = off->displacement[k + 1] - seen->corrected->displacement[k + 1];
        (*moved)[i] = seen->reversals->reversal[i];
        (*moved)[i].displacement += before + share * (behind - before);
    }
    return 0;
}

/* The mean of the changes of a figure, of the loops that have it in either case: one that is near the limit beyond
 * which it is not told says nothing of how it changes. 0: none has. */
static double mean_change(const struct loop_figures *off, const struct loop_figures *loops, size_t count,
                          enum loop_figure figure)
{
    double change = 0;
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        const double by = off[i].value[figure] - loops[i].value[figure];
        change += isfinite(by) ? by : 0;
        found += isfinite(by) ? 1 : 0;
    }
    return found > 0 ? change / (double)found : 0;
}

/* The means of loops that were made anew, less those of before, into the variances. */
static void add_variances(const struct loops_seen *seen, const struct loop_figures *off, struct loops_mean *means,
                          size_t count)
{
    for (size_t r = 0; r < count; r++)
        for (int figure = 0; figure < LOOP_FIGURES; figure++) {
            const size_t first = means[r].first;
            const double change =
                mean_change(off + first, seen->loop + first, means[r].count, (enum loop_figure)figure);
            means[r].variance[figure] += change * change;
        }
}

static int add_departure(const struct loops_seen *seen, const struct contact_settings *off, struct loops_mean *means,
                         size_t count)
{
    struct contact_correction correction;
    struct loop_curves curves = {NULL, NULL, NULL};
    struct loop_reversal *moved = NULL;
    struct loop_figures *loops = calloc(seen->count + 1, sizeof *loops);
    int error = loops ? contact_correct(off, seen->settings, seen->measured, seen->cancel, &correction) : -ENOMEM;
    if (!error)
        error = loop_curves_make(&correction.signal, &curves);
    if (!error)
        error = move_reversals(seen, &correction.signal, &moved);
    if (!error) {
        const struct loop_reversals there = {moved, seen->reversals->count, 0};
        loop_figures_of_all(&correction.signal, &curves, &there, seen->cancel, loops);
        error = seen->cancel && atomic_load(seen->cancel) ? -ECANCELED : 0;
    }
    if (!error)
        add_variances(seen, loops, means, count);
    free(moved);
    loop_curves_clear(&curves);
    if (loops)
        contact_correction_clear(&correction);
    free(loops);
    return error;
}

int loops_mean_variances(const struct loops_seen *seen, struct loops_mean *means, size_t count)
{
    int error = 0;
    for (int which = 0; which < DEPARTURES && !error; which++) {
        struct contact_settings off;
        if (depart(seen->settings, which, &off))
            error = add_departure(seen, &off, means, count);
    }
    return error;
}

/* --- steps of the converter --- */

/* Where a motion turns back in a step is as good as chance: rounding is off by step/sqrt(12) there. The curve through a
 * vertex that has two steps and more in its window tells it better, by as many times two. */
static double turn_uncertainty(double step, double stroke)
{
    const double steps = LOOP_VERTEX_SHARE * stroke / step;
    return step / sqrt(12) / fmax(1, steps / 2);
}

/* Of the work, -closed integral of (rounded - true displacement) dF: behind a turn the force changes by `change`, as
 * exp(-way/length), and what rounding is off has the correlation step^2 (u^2 - u + 1/6)/2 over ways of u steps. With h
 * = step/(2 length) that integral has the variance (step change)^2 (1/3 - coth(h)/h + 1/h^2)/4. Where a force leaps it
 * is that of the turn, where it changes slowly far less. */
static double work_uncertainty(double step, double change, double length)
{
    const double h = length > 0 ? step / (2 * length) : (double)INFINITY, small = h * h / 45;
    const double share = isinf(h) ? 1.0 / 3 : h < 0.1 ? small : 1.0 / 3 - 1 / (h * tanh(h)) + 1 / (h * h);
    return step * fabs(change) / 2 * sqrt(fmax(share, 0));
}

static void add_relative(struct loops_mean *mean, enum loop_figure figure, double relative)
{
    const double by = relative * mean->figure[figure].value;
    mean->variance[figure] += isfinite(by) ? by * by : 0;
}

/* A loop has two turns. Its force changes by twice the friction at each; what the loop is smaller than that times its
 * stroke tells on which way. The square of the speed is known by the way from turn to turn alone. */
void loops_mean_add_steps(const struct loop_signal *measured, struct loops_mean *mean)
{
    const double step = measured->rounding * sqrt(12), stroke = mean->figure[LOOP_STROKE].value;
    const double energy = mean->figure[LOOP_ENERGY].value, friction = mean->figure[LOOP_FRICTION].value;
    if (!(step > 0) || noise_blurs_steps(measured->noise_displacement, step) || !(stroke > 0))
        return;
    const double change = isfinite(friction) ? 2 * friction : energy / stroke;
    const double length = fabs(change) > 0 ? (stroke - energy / change) / 2 : 0;
    const double u_stroke = M_SQRT2 * turn_uncertainty(step, stroke);
    const double u_work = M_SQRT2 * work_uncertainty(step, change, length);
    const double of_work = fabs(energy) > 0 ? u_work / fabs(energy) : 0; /* figures that are 0 with it have no more */
    const double of_stroke = u_stroke / stroke, of_speed = 2 * M_SQRT2 * measured->rounding / stroke;
    mean->variance[LOOP_ENERGY] += isfinite(u_work) ? u_work * u_work : 0;
    add_relative(mean, LOOP_STROKE, of_stroke);
    add_relative(mean, LOOP_K_SEC, of_stroke);
    add_relative(mean, LOOP_LOSS_FACTOR, hypot(of_work, of_stroke));
    add_relative(mean, LOOP_C_EQ, hypot(of_work, of_speed));
    mean->variance[LOOP_MIDDLE] += u_stroke * u_stroke / 4;
}

/* --- between samples --- */

/* Loops of a steady drive are all off by the same. The standard error of the mean of n loops has 1/n of that already.
 */
void loops_mean_add_between(const struct loop_figures *loops, struct loops_mean *mean)
{
    double squares = 0;
    size_t found = 0;
    for (size_t i = mean->first; i < mean->first + mean->count; i++) {
        squares += loops[i].gap ? 0 : loops[i].between * loops[i].between;
        found += !loops[i].gap;
    }
    const double energy = mean->figure[LOOP_ENERGY].value, count = (double)found;
    const double u_work = found > 0 ? sqrt(squares / count * (1 - 1 / count)) : 0;
    const double of_work = fabs(energy) > 0 ? u_work / fabs(energy) : 0; /* figures that are 0 with it have no more */
    mean->variance[LOOP_ENERGY] += u_work * u_work;
    add_relative(mean, LOOP_LOSS_FACTOR, of_work);
    add_relative(mean, LOOP_C_EQ, of_work);
}

/* --- corners that are cut off --- */

void loops_mean_add_cuts(const struct loop_figures *loops, struct loops_mean *mean)
{
    double count = 0, sum = 0;
    for (size_t i = mean->first; i < mean->first + mean->count; i++) {
        count += !loops[i].gap;
        sum += loops[i].gap ? 0 : loops[i].cut;
    }
    mean->variance[LOOP_STROKE] += count > 0 ? pow(sum / count, 2) : 0;
}

/* --- rests and shapes that noise hides --- */

/* A mean beyond 0 by more than chance does in one of so many cases is not by chance; fewer loops tell no such mean. */
static const double by_chance = 1.0 / 400;
enum { BESIDE_LEAST = 4 };

/* The mean of what loops of the run have beside a figure; 0 where it may be by chance. */
static double certain_beside(const struct loop_figures *loops, const struct loops_mean *mean,
                             double (*beside_of)(const struct loop_figures *))
{
    double count = 0, sum = 0, squares = 0;
    for (size_t i = mean->first; i < mean->first + mean->count; i++) {
        const double beside = loops[i].gap ? 0 : beside_of(&loops[i]);
        count += !loops[i].gap;
        sum += beside;
        squares += beside * beside;
    }
    if (count < BESIDE_LEAST)
        return 0;
    const double beside = sum / count, variance = fmax(0, squares - sum * beside) / (count - 1);
    return fabs(beside) > gsl_cdf_tdist_Qinv(by_chance / 2, count - 1) * sqrt(variance / count) ? beside : 0;
}

static double c_eq_beside(const struct loop_figures *loop)
{
    return loop->c_eq_beside;
}

static double stroke_beside(const struct loop_figures *loop)
{
    return loop->stroke_beside;
}

/* Speeds over twice as many samples lose as much more to corners as these do. */
void loops_mean_add_hidden_rests(const struct loop_figures *loops, struct loops_mean *mean)
{
    mean->variance[LOOP_C_EQ] += pow(certain_beside(loops, mean, c_eq_beside), 2);
}

/* What a curve of another shape is off falls at least with the square of the window's width, or with a level's depth:
 * windows that are half as deep leave half of it. */
static const double of_half = 2;

void loops_mean_add_shapes(const struct loop_figures *loops, struct loops_mean *mean)
{
    mean->variance[LOOP_STROKE] += pow(of_half * certain_beside(loops, mean, stroke_beside), 2);
}

/* --- gains and clock --- */

static double calibration_of(const struct physical_settings *settings, enum unit_kind unit)
{
    const struct contact_unit_powers powers = unit_powers_of(unit);
    const struct instrument instrument = instrument_of(settings);
    const double force = known_or_zero(settings->contact.u_force_gain_percent) / 100;
    return hypot(hypot(powers.time * instrument.clock, powers.displacement * instrument.gain), powers.force * force);
}

void loops_mean_combine(const struct physical_settings *settings, const struct loops_mean *mean)
{
    static const enum unit_kind units[LOOP_FIGURES] = {
        [LOOP_ENERGY] = KIND_J,
        [LOOP_STROKE] = KIND_DISPLACEMENT,
        [LOOP_MIDDLE] = KIND_DISPLACEMENT,
        [LOOP_PERIOD] = KIND_S,
        [LOOP_K_SEC] = KIND_FORCE_PER_DISPLACEMENT,
        [LOOP_C_EQ] = KIND_FORCE_S_PER_DISPLACEMENT,
        [LOOP_LOSS_FACTOR] = KIND_ONE,
        [LOOP_FORWARD] = KIND_FORCE,
        [LOOP_BACKWARD] = KIND_FORCE,
        [LOOP_FRICTION] = KIND_FORCE,
        [LOOP_MU_FORWARD] = KIND_FORCE,
        [LOOP_MU_BACKWARD] = KIND_FORCE,
    };
    const double normal = known_or_zero(settings->contact.u_normal_gain_percent) / 100;
    for (int k = 0; k < LOOP_FIGURES; k++) {
        const bool over_normal = k == LOOP_MU_FORWARD || k == LOOP_MU_BACKWARD;
        const double calibration = hypot(calibration_of(settings, units[k]), over_normal ? normal : 0);
        if (isfinite(mean->figure[k].se))
            mean->figure[k] =
                estimate_widened(mean->figure[k], hypot(calibration * mean->figure[k].value, sqrt(mean->variance[k])));
    }
}

static void combine_estimate(const struct physical_settings *settings, enum unit_kind unit, struct estimate *estimate)
{
    if (isfinite(estimate->se))
        *estimate = estimate_widened(*estimate, calibration_of(settings, unit) * fabs(estimate->value));
}

static void combine_curve_fit(const struct physical_settings *settings, struct curve_fit *fit)
{
    combine_estimate(settings, KIND_FORCE, &fit->f_c);
    combine_estimate(settings, KIND_FORCE, &fit->f_s);
    combine_estimate(settings, KIND_FORCE, &fit->dip);
    combine_estimate(settings, KIND_DISPLACEMENT_PER_S, &fit->v_s);
    combine_estimate(settings, KIND_FORCE_S_PER_DISPLACEMENT, &fit->sigma_2);
    combine_estimate(settings, KIND_FORCE, &fit->f_0);
}

void loop_curve_combine(const struct physical_settings *settings, struct speed_curve *curve)
{
    combine_curve_fit(settings, &curve->both);
    for (size_t way = 0; way < CURVE_WAYS; way++)
        combine_curve_fit(settings, &curve->way[way]);
}

struct estimate loop_damping_ratio(const struct physical_settings *settings, const struct estimate *c_eq)
{
    const double m = settings->mass_kg, k = settings->stiffness_n_per_m;
    if (!(m > 0 && k > 0) || !isfinite(c_eq->value))
        return estimate_unknown();
    const double factor = 1 / (2 * sqrt(k * m));
    struct estimate zeta = {
        .value = c_eq->value * factor, .se = c_eq->se * factor, .low = c_eq->low * factor, .high = c_eq->high * factor};
    if (!c_eq->combined.known)
        return zeta;
    const double besides = sqrt(fmax(0, c_eq->combined.u * c_eq->combined.u - c_eq->se * c_eq->se)) * factor;
    const double mass = known_or_zero(settings->u_mass_kg) / (2 * m);
    const double stiffness = known_or_zero(settings->u_stiffness_n_per_m) / (2 * k);
    return estimate_widened(zeta, hypot(besides, zeta.value * hypot(mass, stiffness)));
}

/* --- parameters of models --- */

/* What a force told too late or too early, and a path that bends otherwise, do to a parameter. */
static double misplaced(const struct contact_settings *settings, const struct friction_figure *figure,
                        enum friction_parameter parameter)
{
    const double late_s = known_or_zero(settings->u_force_delay_s), compliance = compliance_uncertainty(settings);
    const double value = figure[parameter].value, sigma_0 = known_or_zero(figure[FRICTION_SIGMA_0].value);
    const double spring = known_or_zero(figure[FRICTION_K_X].value);
    switch (parameter) {
    case FRICTION_SIGMA_1:
        return hypot(sigma_0 * late_s, 2 * value * sigma_0 * compliance);
    case FRICTION_SIGMA_2:
        return spring * late_s;
    case FRICTION_MOVED_MASS: /* a mass that is taken out already is not found again */
        return hypot(known_or_zero(figure[FRICTION_SIGMA_2].value) * late_s, known_or_zero(settings->u_moving_mass_kg));
    case FRICTION_SIGMA_0:
    case FRICTION_K_X:
        return value * value * compliance;
    case FRICTION_X_D:
    case FRICTION_Z_BA:
        return value * sigma_0 * compliance;
    default:
        return 0;
    }
}

static void combine_figure(struct friction_figure *figure, double calibration, double besides)
{
    figure->u = isfinite(figure->value) ? hypot(figure->se, hypot(calibration * figure->value, besides)) : (double)NAN;
}

static void combine_model(const struct physical_settings *settings, struct friction_figure *figure,
                          struct friction_spectrum *spectrum, struct friction_offsets *offsets)
{
    for (int p = 0; p < FRICTION_PARAMETERS; p++)
        combine_figure(&figure[p], calibration_of(settings, friction_parameters[p].unit),
                       misplaced(&settings->contact, figure, (enum friction_parameter)p));
    for (size_t i = 0; i < spectrum->count; i++) {
        combine_figure(&spectrum->element[i].slip_length, calibration_of(settings, KIND_DISPLACEMENT), 0);
        combine_figure(&spectrum->element[i].slip_force, calibration_of(settings, KIND_FORCE), 0);
    }
    for (size_t i = 0; i < offsets->count; i++)
        combine_figure(&offsets->part[i].figure, calibration_of(settings, KIND_FORCE), 0);
}

void friction_ladder_combine(const struct physical_settings *settings, struct friction_ladder *ladder)
{
    combine_model(settings, ladder->figure, &ladder->spectrum, &ladder->offsets);
    for (size_t i = 0; i < ladder->exponents.count; i++) {
        combine_figure(&ladder->exponents.exponent[i].f_s, calibration_of(settings, KIND_FORCE), 0);
        combine_figure(&ladder->exponents.exponent[i].v_s, calibration_of(settings, KIND_DISPLACEMENT_PER_S), 0);
    }
    for (size_t i = 0; i < ladder->count; i++)
        combine_model(settings, ladder->rung[i].figure, &ladder->rung[i].spectrum, &ladder->rung[i].offsets);
}
