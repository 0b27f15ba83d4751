/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_shaking.h"

#include "identify/common/sample_pass.h"
#include "identify/loop/friction_quantity.h"

#include <errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

/* Noise that is less than this share of the residuals even where the contact is stiffest adds less than 5 % to the
 * variance of a parameter, though it repeated over 50 samples. */
static const double share_that_counts = 0.03;

/* After a reversal Dahl's shape is twice as stiff as at force zero. */
static const double stiffest = 2;

/* Trials go along so many samples in all, and are as many at least: standard errors of theirs are known within 6 % of
 * records of some thousand samples, and within 14 %. */
enum { SAMPLES_IN_ALL = 400000, FEWEST = 24 };

/* What trials work on. */
struct trials {
    struct loop_signal signal; /* in smooth pieces */
    const struct friction_motions *motions;
    const struct friction_fit *fit;
    gsl_rng *random;                /* owned */
    struct contact_sample *samples; /* owned, like the rest: smoothed */
    double *displacement, *residuals;
    double *changed;                           /* with AR_MOST + 1 zeros before the first, which is the one behind */
    struct friction_motion probe;              /* motions->all with a force of its own */
    struct friction_window window[LOOP_PARTS]; /* those of the measured motion */
    size_t count;
    double step, noise; /* the encoder's, and what is not rounding */
};

static bool counts(const struct loop_signal *signal, const struct friction_motion *motion,
                   const struct friction_fit *fit)
{
    if (signal->velocity || !friction_row_has(&fit->point.row, FRICTION_SIGMA_0))
        return false;
    const double stiffness = friction_quantity_of(motion, fit, FRICTION_SIGMA_0).value;
    const double rms = sqrt(fit->squares / (double)motion->samples) * motion->unit_force;
    /* Steps that are coarse beside the motion show less noise than they are. */
    const double noise = fmax(signal->noise_displacement, signal->rounding);
    return stiffest * stiffness * noise > share_that_counts * rms;
}

static int trials_make(const struct loop_signal *signal, const struct friction_motions *motions,
                       const struct friction_fit *fit, struct trials *trials)
{
    const struct friction_motion *all = &motions->all;
    *trials = (struct trials){.signal = *signal, .motions = motions, .fit = fit, .probe = *all};
    trials->signal.begins = motions->begins;
    trials->random = gsl_rng_alloc(gsl_rng_taus2);
    trials->samples = calloc(signal->count, sizeof *trials->samples);
    trials->displacement = calloc(signal->count, sizeof *trials->displacement);
    trials->residuals = calloc(all->samples + 1, sizeof *trials->residuals);
    trials->changed = calloc(all->samples + AR_MOST + 1 + FRICTION_PADDING, sizeof *trials->changed);
    trials->probe.force = calloc(all->count + FRICTION_PADDING, sizeof *trials->probe.force);
    for (size_t p = 0; p < motions->parts.count; p++) {
        const struct loop_signal part = loop_part_signal(&trials->signal, &motions->parts.part[p]);
        trials->window[p] = friction_window_of(&part);
    }
    const size_t wanted = SAMPLES_IN_ALL / signal->count;
    trials->count = wanted < FEWEST ? FEWEST : wanted < FRICTION_SHAKES ? wanted : FRICTION_SHAKES;
    trials->step = signal->rounding > 0 ? signal->step : 0;
    trials->noise = sqrt(fmax(pow(signal->noise_displacement, 2) - trials->step * trials->step / 12, 0));
    return trials->random && trials->samples && trials->displacement && trials->residuals && trials->changed &&
                   trials->probe.force
               ? 0
               : -ENOMEM;
}

static void trials_clear(struct trials *trials)
{
    if (trials->random)
        gsl_rng_free(trials->random);
    free(trials->samples);
    free(trials->displacement);
    free(trials->residuals);
    free(trials->changed);
    free(trials->probe.force);
}

/* Another measurement of the smoothed displacement, by an encoder whose zero is anywhere. */
static void measure_again(struct trials *trials)
{
    const double zero = trials->step * gsl_rng_uniform(trials->random);
    for (size_t i = 0; i < trials->signal.count; i++) {
        double *x = &trials->displacement[i];
        *x = trials->motions->samples[i].displacement + gsl_ran_gaussian(trials->random, trials->noise);
        if (trials->step > 0)
            *x = trials->step * rint((*x + zero) / trials->step) - zero;
    }
}

/* What the model's force is more along another motion than along the one that was measured. */
static int change_force(struct trials *trials)
{
    const struct loop_parts *parts = &trials->motions->parts;
    struct loop_signal signal = trials->signal;
    struct friction_motion motion;
    signal.displacement = trials->displacement;
    for (size_t p = 0; p < parts->count; p++) {
        const struct loop_signal part = loop_part_signal(&signal, &parts->part[p]);
        friction_smooth(&part, &trials->window[p], trials->samples + parts->part[p].begin);
    }
    const int error = friction_motion_again(&signal, parts, trials->motions->samples, trials->samples,
                                            trials->motions->pieces, &trials->motions->all, &motion);
    if (error == 0) {
        double *change = trials->changed + AR_MOST + 1;
        friction_residuals(&motion, &trials->fit->point, change);
        for (size_t i = 0; i < motion.samples; i++)
            change[i] = trials->residuals[i] - change[i];
    }
    friction_motion_clear(&motion);
    return error;
}

/* The row of a trial, whose change of the force stands where the measured one did. */
static void take_sums(struct trials *trials, double sum[FRICTION_UNKNOWNS])
{
    struct friction_normal normal;
    const double *change = trials->changed + AR_MOST + 1;
    for (size_t i = 0; i < trials->probe.count; i++)
        trials->probe.force[i] = trials->probe.weight[i] > 0 ? *change++ : 0;
    friction_pass(&trials->probe, &trials->fit->point, true, &normal);
    for (enum friction_column c = 0; c < FRICTION_UNKNOWNS; c++)
        sum[c] = normal.sum[COLUMN_FORCE][c];
}

static void take_products(const struct trials *trials, double mean[AR_MOST + 1])
{
    double products[AR_MOST + 1] = {0};
    const size_t samples = trials->probe.samples;
    lagged_products(lanes_widest(), trials->changed + AR_MOST + 1, samples, 0, AR_MOST + 1, products);
    for (size_t lag = 0; lag <= AR_MOST; lag++)
        mean[lag] += products[lag] / (double)samples / (double)trials->count;
}

/* The noise of one record is known by how trials scatter about their mean. */
static void take_mean(struct friction_shaking *shaking)
{
    const double count = (double)shaking->count;
    for (enum friction_column c = 0; c < FRICTION_UNKNOWNS; c++) {
        double mean = 0;
        for (size_t k = 0; k < shaking->count; k++)
            mean += shaking->sum[k][c] / count;
        for (size_t k = 0; k < shaking->count; k++)
            shaking->sum[k][c] -= mean;
    }
}

static int shake_all(struct trials *trials, struct friction_shaking *shaking)
{
    friction_residuals(&trials->motions->all, &trials->fit->point, trials->residuals);
    for (size_t k = 0; k < trials->count; k++) {
        if (friction_motion_is_cancelled(&trials->probe))
            return -ECANCELED;
        measure_again(trials);
        if (change_force(trials) != 0)
            return -ENOMEM;
        take_sums(trials, shaking->sum[k]);
        take_products(trials, shaking->products);
    }
    shaking->count = trials->count;
    take_mean(shaking);
    return 0;
}

int friction_shake(const struct loop_signal *signal, const struct friction_motions *motions,
                   const struct friction_fit *fit, struct friction_shaking *shaking)
{
    struct trials trials;
    *shaking = (struct friction_shaking){.count = 0};
    if (!counts(signal, &motions->all, fit))
        return 0;
    int error = trials_make(signal, motions, fit, &trials);
    if (error == 0)
        error = shake_all(&trials, shaking);
    trials_clear(&trials);
    return error;
}
