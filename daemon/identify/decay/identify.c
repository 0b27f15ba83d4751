/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which method runs on what, and whose answer counts. The science itself is in the sections' own files. */

#include "identify/decay/identify.h"

#include "identify/decay/conclusions.h"
#include "identify/decay/disturbance.h"
#include "identify/decay/extrema_chain.h"
#include "identify/decay/extrema_drift.h"
#include "identify/decay/fit_values.h"
#include "identify/decay/model_fits.h"
#include "identify/decay/single_decay.h"
#include "identify/decay/window_drifts.h"

#include <math.h>
#include <stdlib.h>

/* What the sections hand to one another. */
struct work {
    struct decay_record record; /* borrows the caller's arrays */
    struct extrema_chain chain;
    struct extrema_fit chain_fit; /* of the chain as it is, thinned or not */
    enum verdict extrema_verdict;
    struct rest_observation rest; /* from the record's own tail */
    const struct identify_settings *settings;
    struct full_record_workspace *workspace; /* for all fits, one after the other */
};

static bool cancelled(const struct work *work)
{
    return work->settings->cancel && atomic_load(work->settings->cancel);
}

/* The largest error that a measured extremum may have: a step of the sensor and three times the noise that is left.
 * It is the delta of LF's bounds. */
static double largest_error(const struct work *work)
{
    double se = 0, height = 0;
    for (size_t n = 0; n < work->chain.count; n++) {
        se = fmax(se, work->chain.extrema[n].se);
        height = fmax(height, fabs(work->chain.extrema[n].displacement - work->chain.extrema[0].displacement));
    }
    const double step = work->record.resolution > 0 ? work->record.resolution : 0;
    return fmax(step + 3 * se, 1e-14 * height);
}

/* What the extrema alone tell: their own fit, the decrement, and where the motion ends. */
static void use_extrema(struct work *work, struct identification *identification)
{
    struct extrema_chain *chain = &work->chain;
    work->extrema_verdict = extrema_chain_find(&work->record, work->settings->cancel, chain);
    const struct extremum *extrema = chain->extrema;
    extrema_fit(extrema, chain->count, &identification->extrema_fit);
    work->chain_fit = identification->extrema_fit;
    extrema_fit_of_decay(chain->stride, &identification->extrema_fit);
    decrement_identify(extrema, chain->count, largest_error(work), &identification->decrement);
    decrement_of_decay(chain->stride, &identification->decrement);
    logarithmic_decrement(extrema, chain->count, chain->stride, &identification->logarithmic_decrement);
    linear_decrement(extrema, chain->count, chain->stride, &identification->linear_decrement);
    jacobsen_ayre(extrema, chain->count, &identification->jacobsen_ayre);
    jacobsen_ayre_of_decay(chain->stride, &identification->jacobsen_ayre);
    if (work->extrema_verdict != VERDICT_OK)
        identification_without_extrema(identification, work->extrema_verdict);
    /* Last: it needs the extrema and what their fit expects next. */
    const bool thinned = chain->stride > 1;
    work->rest = rest_tail_find(&work->record, thinned ? chain->last : extrema,
                                thinned ? chain->last_count : chain->count, &identification->extrema_fit);
}

/* The full-record fits of all models, and the one that speaks for the record. */
static void fit_models(struct work *work, struct identification *identification)
{
    const struct model_fitting fitting = {&work->record, work->settings->cancel, work->workspace};
    identification->fit = model_fits_compared(&fitting, identification->models);
    if (identification->fit.verdict != VERDICT_OUT_OF_PHASE &&
        !record_holds_single_decay(&work->record, &identification->fit))
        identification->fit.verdict = VERDICT_NOT_ONE_DECAY;
}

/* Fewer samples a cycle than these show no crest, and their third differences look like noise. */
static const double FEWEST_A_CYCLE = 8;

/* A fit that follows the record is proof of an oscillation: then the extrema were missed, not missing. */
static void name_missed_extrema(const struct work *work, struct identification *identification)
{
    const double turned =
        identification->fit.estimate[FIT_OMEGA_N].value * work->record.period_s; /* from sample to sample */
    if (identification->fit.verdict == VERDICT_OK && work->extrema_verdict == VERDICT_NO_OSCILLATION &&
        turned * FEWEST_A_CYCLE > 2 * M_PI)
        identification_without_extrema(identification, VERDICT_TOO_FEW_SAMPLES);
}

/* The largest rms phase between model and record at which the full-record fit may still be recommended, rad: a phase
 * of phi takes phi²/2 from the amplitude, here a thousandth. */
static const double LARGEST_PHASE_RAD = 0.05;

/* The largest part of the residual's sum of squares that the drift of the frequency may make up. Above it the residual
 * is a lag in phase rather than noise, and the fit's standard errors are those of a model that does not hold. */
static const double LARGEST_LAGGING_PART = 0.5;

/* A fit that follows the record is a good start for each of its parts. */
static void find_windows(const struct work *work, struct identification *identification)
{
    double start[FIT_PARAMETERS];
    fit_values(&identification->fit, start);
    amplitude_windows_of(&work->record, work->chain.extrema, work->chain.count,
                         identification->fit.verdict == VERDICT_OK ? start : NULL, work->settings->cancel,
                         work->workspace, &identification->windows);
    for (size_t n = 0; n < identification->windows.count; n++)
        identification->windows.window[n].half_cycles *= work->chain.stride;
}

/* Whether the extrema speak for the record, for one frequency does not fit it. */
static bool extrema_step_in(const struct identification *identification)
{
    const enum verdict fit = identification->fit.verdict;
    return fit != VERDICT_OK && fit != VERDICT_CANCELLED && fit != VERDICT_NOT_ONE_DECAY &&
           identification->extrema_fit.verdict == VERDICT_OK;
}

/* Does the model hold? Where the frequency drifts so much that the model does not follow the record, that is the fit's
 * verdict. */
static void judge_model(struct work *work, struct identification *identification)
{
    struct full_record_fit *fit = &identification->fit;
    struct drifts *drifts = &identification->drifts;
    drifts_of(&work->record, fit, drifts);
    if (fit->verdict == VERDICT_OK && drifts->verdict == VERDICT_OK && drifts->frequency.flagged &&
        (drifts->phase > LARGEST_PHASE_RAD || drifts->lagging > LARGEST_LAGGING_PART))
        fit->verdict = VERDICT_OUT_OF_PHASE;
    /* The residual of a fit that is not to be trusted says nothing of drifts. */
    if (extrema_step_in(identification)) {
        extrema_drifts(work->chain.extrema, work->chain.count, &work->chain_fit, drifts);
        drifts_of_decay(work->chain.stride, drifts);
    }
    /* A residual that wanders in phase is a drift, also where it is none that follows the amplitude's square. */
    if (fit->verdict == VERDICT_OUT_OF_PHASE)
        drifts->frequency.flagged = true;
    if (fit->verdict == VERDICT_OK || fit->verdict == VERDICT_OUT_OF_PHASE)
        find_windows(work, identification);
    else
        identification->windows.verdict = fit->verdict;
    identification->disturbance = disturbance_widen(&work->record, fit);
}

/* What speaks against the figures of the fit, or of the extrema. */
static void doubt(struct identification *identification)
{
    struct doubts *doubts = &identification->doubts;
    *doubts = (struct doubts){
        .few_effective_samples = identification->fit.few_effective_samples,
        .few_half_cycles = identification->fit.few_half_cycles,
        .frequency_drift = identification->drifts.frequency.flagged,
        .damping_drift = identification->drifts.damping.flagged,
        .presliding = windows_show_presliding(&identification->windows),
    };
    disturbance_doubts(identification->disturbance, doubts);
}

/* The full record uses every sample and comes first. */
static void recommend(struct identification *identification)
{
    struct extrema_fit *extrema_fit = &identification->extrema_fit;
    extrema_fit->verdict =
        estimates_checked(extrema_fit->verdict, DAMPING_VISCOUS_COULOMB, extrema_fit->estimate, &extrema_fit->f_n_hz);
    identification->verdict = identification->fit.verdict;
    if (identification->fit.verdict == VERDICT_OK)
        identification->recommended = RECOMMENDED_FIT;
    else if (extrema_step_in(identification))
        identification->recommended = RECOMMENDED_EXTREMA_FIT;
    if (identification->recommended == RECOMMENDED_EXTREMA_FIT)
        identification->verdict = VERDICT_OK;
    /* The extrema say most plainly what is wrong with an oscillation that does not decay. */
    if (identification->recommended == RECOMMENDED_NONE && identification->extrema_fit.verdict == VERDICT_NOT_DECAYING)
        identification->verdict = VERDICT_NOT_DECAYING;
}

/* A step or a noise that is no positive number counts as not known. */
static double known_or_zero(double value)
{
    return isfinite(value) && value > 0 ? value : 0;
}

/* What the segmenter saw of the stop, or else the record's own tail. */
static struct rest_observation rest_of(const struct rest_observation *told, const struct work *work)
{
    if (!told || !isfinite(told->position))
        return work->rest;
    return (struct rest_observation){told->position, isfinite(told->se) ? fabs(told->se) : NAN};
}

enum verdict identify(const struct decay_record *record, const struct rest_observation *rest,
                      const struct identify_settings *settings, struct identification *identification)
{
    struct work work = {.record = *record, .rest = {NAN, NAN}, .settings = settings};
    work.record.resolution = known_or_zero(record->resolution);
    work.record.noise = known_or_zero(record->noise);
    /* Every member is set before anything can fail. */
    identification_not_made(identification, VERDICT_CANCELLED);
    if (cancelled(&work))
        return identification->verdict;
    decrement_clear(&identification->decrement);
    use_extrema(&work, identification);
    /* The workspace is made only now, so that it and what the search for extrema works in are never held at once.
     * Without memory for it, each fit asks for its own, and says so. */
    work.workspace = full_record_workspace_create();
    identification->rest = rest_of(rest, &work);
    fit_models(&work, identification);
    name_missed_extrema(&work, identification);
    judge_model(&work, identification);
    doubt(identification);
    recommend(identification);
    identification_conclude(&(struct conclusion_grounds){&work.record, &work.chain, settings}, identification);
    extrema_chain_clear(&work.chain);
    free(work.workspace);
    return identification->verdict;
}
