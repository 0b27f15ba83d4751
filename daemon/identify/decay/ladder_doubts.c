/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/decay/ladder_doubts.h"

#include "identify/decay/fit_values.h"
#include "identify/decay/window_drifts.h"
#include "identify/ladder/ladder_consistency.h"
#include "identify/ladder/ladder_noise.h"
#include "motion/small_cholesky.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- noise --- */

static void doubt_noise(const struct ladder_reopened *open, struct doubts *doubts)
{
    const struct ladder_data *data = &open->data;
    const double spacing = ladder_data_spacing(data);
    struct ladder_rung rung = {.terms = open->terms};
    struct ar_model noise;
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++)
        rung.parameters[p] = open->parameters[p];
    ladder_sample_pass(data, rung.terms, rung.parameters, &rung.normal);
    ladder_noise_from(data, &rung, &noise);
    const double power = noise.innovation * ar_gain_at(&noise, open->parameters[LADDER_OMEGA_N] * spacing);
    const double effective = power > 0 ? rung.normal.squares / power : (double)data->count;
    doubts->few_effective_samples = noise_few_samples(fmin(effective, (double)data->count), noise.order > 0);
    doubts->few_half_cycles = noise_few_half_cycles(data->extrema - 1, (double)data->count, noise.order > 0);
}

/* --- the amplitude --- */

/* A window that could not be made is no window that tells nothing. */
static enum verdict all_made(const struct amplitude_windows *windows)
{
    for (size_t n = 0; n < windows->count; n++) {
        const enum verdict verdict = windows->window[n].verdict;
        if (verdict == VERDICT_NO_MEMORY || verdict == VERDICT_CANCELLED)
            return verdict;
    }
    return VERDICT_OK;
}

/* The windows of the rung's motion. */
static enum verdict windows_of_motion(const struct decay_record *motion, const struct extrema_chain *chain,
                                      const double *start, const atomic_bool *cancel, struct amplitude_windows *windows)
{
    struct full_record_workspace *workspace = full_record_workspace_create();
    if (!workspace)
        return VERDICT_NO_MEMORY;
    const enum verdict verdict =
        amplitude_windows_of(motion, chain->extrema, chain->count, start, cancel, workspace, windows);
    free(workspace);
    return verdict == VERDICT_OK ? all_made(windows) : verdict;
}

/* The terms that explain a figure which changes with the amplitude. */
static const unsigned EXPLAIN_FREQUENCY = LADDER_BIT(LADDER_CUBIC) | LADDER_BIT(LADDER_SQUARE) | LADDER_BIT(LADDER_X_D),
                      EXPLAIN_DAMPING = LADDER_BIT(LADDER_DRAG) | LADDER_BIT(LADDER_X_D);

/* Without windows to ask, what was doubted before stays, unless the rung has a term that explains it. */
static void doubt_amplitude_unseen(unsigned terms, struct doubts *doubts)
{
    doubts->frequency_drift = doubts->frequency_drift && !(terms & EXPLAIN_FREQUENCY);
    doubts->damping_drift = doubts->damping_drift && !(terms & EXPLAIN_DAMPING);
    doubts->presliding = doubts->presliding && !ladder_terms_have(terms, LADDER_X_D);
}

/* What a term would explain is in the rung: what is left must not show in the windows. */
static enum verdict doubt_amplitude(const struct ladder_reopened *open, const struct decay_record *motion,
                                    const struct extrema_chain *chain, const atomic_bool *cancel,
                                    const struct identification *identification, struct doubts *doubts)
{
    const struct full_record_fit *fit = &identification->fit;
    const struct amplitude_windows *windows = &identification->windows;
    struct amplitude_windows of_rung, left;
    double start[FIT_PARAMETERS];
    if (windows->verdict != VERDICT_OK) {
        doubt_amplitude_unseen(open->terms, doubts);
        return VERDICT_OK;
    }
    fit_values(fit, start);
    const enum verdict verdict =
        windows_of_motion(motion, chain, fit->verdict == VERDICT_OK ? start : NULL, cancel, &of_rung);
    if (verdict != VERDICT_OK)
        return verdict;
    windows_beyond(windows, &of_rung, &left);
    doubts->frequency_drift = windows_differ_in_frequency(windows, &of_rung);
    doubts->damping_drift = windows_differ_in_damping(windows, &of_rung);
    doubts->presliding = !ladder_terms_have(open->terms, LADDER_X_D) && windows_show_presliding(&left);
    return VERDICT_OK;
}

/* --- disturbances --- */

static double wider(const struct estimate *estimate, double variance)
{
    return estimate->se > 0 ? sqrt(1 + variance / (estimate->se * estimate->se)) : 1;
}

/* A parameter that a fit moves by its logarithm is also uncertain by that. */
static void widen(bool logarithmic, double factor, struct estimate *estimate)
{
    const double value = estimate->value;
    estimate->se *= factor;
    estimate->low = logarithmic ? value * pow(estimate->low / value, factor) : value - factor * (value - estimate->low);
    estimate->high =
        logarithmic ? value * pow(estimate->high / value, factor) : value + factor * (estimate->high - value);
}

/* J's, of the shape that something has which was put right. */
struct fault_shape {
    const struct ladder_data *data;
    size_t next, from; /* from: what sample on a step of the clock is */
    double with_jacobian[LADDER_PARAMETERS];
};

static void add_sample(const struct ladder_block *block, size_t i, double size, struct fault_shape *shape)
{
    for (size_t p = 0; p < LADDER_PARAMETERS; p++)
        shape->with_jacobian[p] += block->row[p][i] * size;
}

/* The derivative by t_0, behind the step. */
static void add_step(void *taker, const struct ladder_block *block)
{
    struct fault_shape *shape = taker;
    for (size_t i = 0; i < block->count; i++, shape->next++)
        if (shape->next >= shape->from)
            add_sample(block, i, block->row[LADDER_T0][i], shape);
}

static void add_line(void *taker, const struct ladder_block *block)
{
    struct fault_shape *shape = taker;
    for (size_t i = 0; i < block->count; i++, shape->next++)
        add_sample(block, i, zero_line_at(shape->data, shape->next), shape);
}

/* The parameters move with a fault whose size is not known exactly: (J'J)^-1 J's a unit of it. Their errors were those
 * with the size known. se: of the size, in the units of the data. */
static void allow_for(const struct ladder_reopened *open, ladder_block_taker *add, size_t from, double se,
                      double variance[LADDER_PARAMETERS])
{
    struct fault_shape shape = {.data = &open->data, .from = from};
    struct ladder_normal normal;
    struct small_cholesky cholesky;
    double per_unit[LADDER_PARAMETERS] = {0};
    ladder_sample_pass(&open->data, open->terms, open->parameters, &normal);
    if (!cholesky_factorise(&normal.matrix[0][0], LADDER_PARAMETERS, open->free, 0, 1e-14, &cholesky) ||
        !ladder_samples(&open->data, open->terms, open->parameters, add, &shape))
        return;
    cholesky_solve(&cholesky, shape.with_jacobian, per_unit);
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++) {
        const double moved = per_unit[p] * ladder_reopened_unit(open, p) * se;
        variance[p] += moved * moved;
    }
}

static void allow_for_faults(const struct ladder_reopened *open, const struct ladder *ladder,
                             double variance[LADDER_PARAMETERS])
{
    const struct clock_steps *steps = &ladder->clock_steps;
    const struct zero_drift *drift = &ladder->zero_drift;
    for (size_t n = 0; n < steps->count; n++)
        allow_for(open, add_step, steps->step[n].sample, steps->step[n].lost_s.se / open->data.unit_s, variance);
    if (drift->found)
        allow_for(open, add_line, 0, zero_drift_slope(&open->data, drift, drift->change.se), variance);
}

static enum disturbance doubt_surroundings(const struct ladder_reopened *open, struct ladder *ladder)
{
    double variance[LADDER_PARAMETERS] = {0};
    const enum disturbance drifts = ladder->zero_drift.found ? DISTURBANCE_DRIFT : DISTURBANCE_NONE;
    const enum disturbance seen = disturbance_of_rung(open, variance) | drifts;
    allow_for_faults(open, ladder, variance);
    widen(false, wider(&ladder->estimate[LADDER_OMEGA_N], variance[LADDER_OMEGA_N]), &ladder->f_n_hz);
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++)
        if (open->free[p])
            widen(ladder_parameters[p].logarithmic, wider(&ladder->estimate[p], variance[p]), &ladder->estimate[p]);
    return seen;
}

/* --- the extrema --- */

/* The extrema's own times do not know of a step of the clock. */
static enum verdict compare_extrema(struct ladder_reopened *open, const struct decay_record *motion,
                                    const atomic_bool *cancel, struct ladder *ladder)
{
    struct extrema_chain chain;
    if (ladder->clock_step.found)
        return VERDICT_OK;
    const enum verdict verdict = extrema_chain_find(motion, cancel, &chain);
    ladder->consistency =
        ladder_consistency_of(open, chain.extrema, chain.count, &ladder->estimate[LADDER_X_K], cancel);
    extrema_chain_clear(&chain);
    return verdict == VERDICT_NO_MEMORY || verdict == VERDICT_CANCELLED ? verdict : VERDICT_OK;
}

/* motion: a record that is the rung's motion, without noise or steps. Nothing outside the ladder changes before all is
 * known. */
static enum verdict ask(struct ladder_reopened *open, const struct decay_record *motion,
                        const struct extrema_chain *chain, const atomic_bool *cancel,
                        struct identification *identification)
{
    struct ladder *ladder = identification->ladder;
    struct doubts doubts = identification->doubts;
    enum verdict verdict = doubt_amplitude(open, motion, chain, cancel, identification, &doubts);
    if (verdict != VERDICT_OK)
        return verdict;
    doubt_noise(open, &doubts);
    const enum disturbance seen = doubt_surroundings(open, ladder);
    disturbance_doubts(seen, &doubts);
    verdict = compare_extrema(open, motion, cancel, ladder);
    if (verdict != VERDICT_OK || (cancel && atomic_load(cancel)))
        return verdict != VERDICT_OK ? verdict : VERDICT_CANCELLED;
    identification->disturbance = seen;
    identification->doubts = doubts;
    return VERDICT_OK;
}

enum verdict ladder_doubt(const struct decay_record *record, const struct extrema_chain *chain,
                          const atomic_bool *cancel, struct identification *identification)
{
    struct ladder_reopened open;
    enum verdict verdict = ladder_reopen(record, chain->extrema, chain->count, identification->ladder, &open);
    if (verdict != VERDICT_OK)
        return verdict;
    struct decay_record motion = *record;
    double *displacement = malloc(record->count * sizeof *displacement);
    verdict = displacement ? VERDICT_OK : VERDICT_NO_MEMORY;
    if (verdict == VERDICT_OK) {
        memcpy(displacement, record->displacement, record->count * sizeof *displacement);
        ladder_reopened_motion(&open, record, displacement);
        motion.displacement = displacement;
        motion.resolution = motion.noise = 0;
        verdict = ask(&open, &motion, chain, cancel, identification);
    }
    free(displacement);
    ladder_data_clear(&open.data);
    return verdict;
}
