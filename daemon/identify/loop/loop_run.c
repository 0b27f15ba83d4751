/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_run.h"

#include "identify/common/correlated_noise.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

/* Strokes, periods and mean forces (of the range of forces) are alike within this share, or within their noise. */
static const double alike = 0.1, alike_noise = 6;

/* Loops that tell a drift from scatter at least. */
enum { DRIFT_LEAST = 4 };

const char *loop_run_end_name(size_t end)
{
    static const char *const names[LOOP_RUN_ENDS] = {
        [LOOP_RUN_STROKE] = "stroke", [LOOP_RUN_PERIOD] = "period", [LOOP_RUN_MEAN_FORCE] = "mean_force",
        [LOOP_RUN_REST] = "rest",     [LOOP_RUN_GAP] = "gap",       [LOOP_RUN_RECORD_ENDS] = "end_of_record",
    };
    return end < LOOP_RUN_ENDS ? names[end] : NULL;
}

const char *loop_figure_name(size_t figure)
{
    static const char *const names[LOOP_FIGURES] = {
        [LOOP_ENERGY] = "energy",
        [LOOP_STROKE] = "stroke",
        [LOOP_MIDDLE] = "middle",
        [LOOP_PERIOD] = "period_s",
        [LOOP_K_SEC] = "k_sec",
        [LOOP_C_EQ] = "c_eq",
        [LOOP_LOSS_FACTOR] = "loss_factor",
        [LOOP_FORWARD] = "plateau_forward",
        [LOOP_BACKWARD] = "plateau_backward",
        [LOOP_FRICTION] = "friction",
        [LOOP_MU_FORWARD] = "mu_forward",
        [LOOP_MU_BACKWARD] = "mu_backward",
    };
    return figure < LOOP_FIGURES ? names[figure] : NULL;
}

static bool figures_differ(const struct loop_figures *one, const struct loop_figures *next, enum loop_figure figure)
{
    const double limit = fmax(alike * one->value[figure], alike_noise * hypot(one->se[figure], next->se[figure]));
    return !(fabs(next->value[figure] - one->value[figure]) <= limit);
}

enum loop_run_end loops_differ(const struct loop_figures *one, const struct loop_figures *next)
{
    if (one->gap || next->gap)
        return LOOP_RUN_GAP;
    /* Between the two the displacement paused. */
    if (next->start_s > one->end_s)
        return LOOP_RUN_REST;
    if (figures_differ(one, next, LOOP_STROKE) || one->returns != next->returns)
        return LOOP_RUN_STROKE;
    const double longer_s = next->value[LOOP_PERIOD] - one->value[LOOP_PERIOD];
    if (!(fabs(longer_s) <= alike * one->value[LOOP_PERIOD]))
        return fabs(longer_s - (next->rest_s - one->rest_s)) < 0.5 * fabs(longer_s) ? LOOP_RUN_REST : LOOP_RUN_PERIOD;
    return fabs(next->mean_force - one->mean_force) <= alike * one->force_range ? LOOP_RUN_RECORD_ENDS
                                                                                : LOOP_RUN_MEAN_FORCE;
}

/* The line through a figure of all loops that have it. */
struct line {
    size_t count;
    double middle, spread; /* of their places in the run: mean, and sum of squares about it */
    double mean, slope;
    double sd, factor; /* of a single one about it; by how much alike neighbours make a mean worse */
    double se;         /* by the noise alone, of the mean */
    double freedom;
};

/* Where a larger share of the loops lacks a figure, its mean is given up. */
static const double lacking_most = 0.1;

/* Loops that lack a figure may be those at one end of its scatter: where it is normal, so much of the scatter of the
 * others is their mean moved at most. It is 0.231 of it where a tenth lacks it. */
static double moved_by(double lacking)
{
    if (!(lacking > 0))
        return 0;
    const double end = gsl_cdf_ugaussian_Qinv(lacking), moved = gsl_ran_ugaussian_pdf(end) / (1 - lacking);
    return moved / sqrt(1 - moved * (end + moved));
}

static struct line places_of(const struct loop_figures *loops, size_t count, enum loop_figure figure)
{
    struct line line = {.factor = 1};
    for (size_t i = 0; i < count; i++)
        if (isfinite(loops[i].value[figure])) {
            const double away = (double)i - line.middle;
            line.middle += away / (double)++line.count;
            line.spread += away * ((double)i - line.middle);
        }
    return line;
}

static void find_mean(const struct loop_figures *loops, size_t count, enum loop_figure figure, struct line *line)
{
    for (size_t i = 0; i < count; i++)
        if (isfinite(loops[i].value[figure])) {
            line->mean += loops[i].value[figure] / (double)line->count;
            line->se = hypot(line->se, loops[i].se[figure] / (double)line->count);
        }
    for (size_t i = 0; i < count && line->count >= DRIFT_LEAST; i++)
        if (isfinite(loops[i].value[figure]))
            line->slope += ((double)i - line->middle) * (loops[i].value[figure] - line->mean) / line->spread;
}

static struct line line_of(const struct loop_figures *loops, size_t count, enum loop_figure figure)
{
    struct line line = places_of(loops, count, figure);
    double squares = 0, neighbours = 0, before = 0;
    find_mean(loops, count, figure, &line);
    for (size_t i = 0; i < count; i++) {
        const double rest = isfinite(loops[i].value[figure])
                                ? loops[i].value[figure] - line.mean - line.slope * ((double)i - line.middle)
                                : 0;
        squares += rest * rest;
        neighbours += rest * before;
        before = rest;
    }
    line.freedom = (double)line.count - (line.count >= DRIFT_LEAST ? 2 : 1);
    line.sd = line.freedom > 0 ? sqrt(squares / line.freedom) : (double)NAN;
    line.factor = line.freedom > 0 ? correlated_noise_factor(squares, neighbours) : 1;
    return line;
}

static struct estimate estimate_of(double value, double se, double freedom)
{
    const double reach = (freedom > 0 ? gsl_cdf_tdist_Pinv(0.975, freedom) : gsl_cdf_ugaussian_Pinv(0.975)) * se;
    return (struct estimate){.value = value, .se = se, .low = value - reach, .high = value + reach};
}

/* NAN: of nothing there is no share. */
static double share_of(double part, double whole)
{
    return whole > 0 ? part / whole : (double)NAN;
}

/* What changes of a figure are a share of: a middle may be anywhere about 0. Figures of a run come in their order. */
static double whole_of(const struct loop_run *run, enum loop_figure figure)
{
    return fabs(run->figure[figure == LOOP_MIDDLE ? LOOP_STROKE : figure].value);
}

static void leave_out(enum loop_figure figure, struct loop_run *run)
{
    run->figure[figure] = estimate_of(NAN, NAN, 0);
    run->scatter[figure] = NAN;
    run->drift[figure] = (struct loop_drift){figure, NAN, NAN, NAN};
}

/* Scatter holds what the noise does, unless a few loops are alike by chance. */
static void summarise(const struct loop_figures *loops, enum loop_figure figure, struct loop_run *run)
{
    const struct line line = line_of(loops, run->count, figure);
    const double count = (double)line.count, lacking = 1 - count / (double)run->count;
    if (line.count == 0 || lacking > lacking_most) {
        leave_out(figure, run);
        return;
    }
    const double by_scatter =
        line.freedom > 0 ? line.sd * hypot(line.factor / sqrt(count), moved_by(lacking)) : (double)NAN;
    run->figure[figure] = estimate_of(line.mean, fmax(by_scatter, line.se), line.se > by_scatter ? 0 : line.freedom);
    run->scatter[figure] = line.sd;
    run->drift[figure] = (struct loop_drift){figure, share_of(line.sd, whole_of(run, figure)), NAN, NAN};
    if (line.count < DRIFT_LEAST)
        return;
    const double se = fmax(line.sd * line.factor, line.se * sqrt(count)) / sqrt(line.spread);
    run->drift[figure].change = share_of(line.slope * ((double)run->count - 1), whole_of(run, figure));
    run->drift[figure].significance = share_of(fabs(line.slope), se);
}

/* A change is one from so many of its standard uncertainties on, which noise alone brings about in less than one run of
 * a million. */
static const double drift_shows = 5;

/* By how much both plateaus change together from loop to loop, as the zero of the force does where it drifts. 0: they
 * do not, or the middle wanders, along which a spring changes both. */
static double zero_drift(const struct loop_run *run)
{
    const struct loop_drift *drift = run->drift;
    const double forward = drift[LOOP_FORWARD].change * whole_of(run, LOOP_FORWARD);
    const double backward = drift[LOOP_BACKWARD].change * whole_of(run, LOOP_BACKWARD);
    const bool shows = drift[LOOP_FORWARD].significance > drift_shows &&
                       drift[LOOP_BACKWARD].significance > drift_shows && forward * backward > 0;
    const bool wanders = drift[LOOP_MIDDLE].significance > drift_shows;
    return shows && !wanders ? 0.5 * fabs(forward + backward) / ((double)run->count - 1) : 0;
}

/* A force that drifts by D from one lower reversal to the next adds D A to the integral over a loop of half the stroke
 * A, the same in every loop, so that no scatter tells of it. */
static void allow_for_drift(struct loop_run *run)
{
    static const enum loop_figure by_energy[] = {LOOP_ENERGY, LOOP_C_EQ, LOOP_LOSS_FACTOR};
    const double added = 0.5 * zero_drift(run) * run->figure[LOOP_STROKE].value;
    const double share = share_of(added, fabs(run->figure[LOOP_ENERGY].value));
    for (size_t k = 0; share > 0 && k < sizeof by_energy / sizeof *by_energy; k++) {
        struct estimate *figure = &run->figure[by_energy[k]];
        *figure = estimate_of(figure->value, hypot(figure->se, share * figure->value), 0);
    }
}

void loop_run_summarise(const struct loop_figures *loops, size_t count, struct loop_run *run)
{
    run->count = count;
    run->start_s = loops[0].start_s;
    run->end_s = loops[count - 1].end_s;
    for (enum loop_figure figure = 0; figure < LOOP_FIGURES; figure++)
        summarise(loops, figure, run);
    allow_for_drift(run);
}
