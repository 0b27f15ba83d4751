/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From an identification to one with the ladder of models. */

#include "identify/decay/identify_ladder.h"

#include "identify/decay/conclusions.h"
#include "identify/decay/ladder_doubts.h"
#include "identify/decay/rung_of_model.h"
#include "identify/ladder/earlier_releases.h"
#include "identify/ladder/ladder_comparison.h"

#include <math.h>
#include <stdlib.h>

/* Why no model is fitted; VERDICT_OK: they are. */
static enum verdict why_not(const struct decay_record *record, const struct identification *identification)
{
    if (identification->recommended == RECOMMENDED_NONE)
        return identification->verdict;
    return record->count > LADDER_SAMPLES_MOST ? VERDICT_TOO_LONG : VERDICT_OK;
}

/* The ladder is recommended, unless the chosen rung is one of the fit's: the fit has that in closed form, with errors
 * that know more of the noise. What the recorder did is put right in the ladder
 * alone. */
static bool speaks_better(const struct identification *identification)
{
    const struct ladder *ladder = identification->ladder;
    const unsigned beyond = ladder->models[ladder->chosen].terms & ~damping_model_terms(identification->fit.model);
    return identification->recommended != RECOMMENDED_FIT || beyond || ladder->clock_step.found ||
           ladder->zero_drift.found;
}

/* A ladder of which nobody could ask what is wrong with it recommends nothing: it is not made. */
static enum verdict recommend(const struct conclusion_grounds *grounds, struct identification *identification)
{
    enum verdict verdict = VERDICT_OK;
    ladder_speak(identification->ladder);
    if (grounds->settings->earlier)
        earlier_releases_ask(grounds->settings->earlier, identification->ladder);
    const bool better = speaks_better(identification);
    if (better)
        verdict = ladder_doubt(grounds->record, grounds->chain, grounds->settings->cancel, identification);
    if (verdict != VERDICT_OK) {
        ladder_not_made(identification->ladder, verdict);
        return verdict;
    }
    if (better) {
        identification->recommended = RECOMMENDED_LADDER;
        identification->verdict = VERDICT_OK;
    }
    identification_conclude(grounds, identification);
    return VERDICT_OK;
}

/* Every extremum of the record, for the ladder knows no thinned ones. */
static enum verdict climb(const struct decay_record *record, const struct identify_settings *settings,
                          struct identification *identification)
{
    struct ladder *ladder = identification->ladder;
    struct extrema_chain chain;
    enum verdict verdict = extrema_chain_find(record, settings->cancel, &chain);
    if (verdict == VERDICT_OK && (chain.stride > 1 || chain.count > LADDER_HALF_CYCLES_MOST + 1))
        verdict = VERDICT_TOO_LONG;
    if (verdict == VERDICT_OK)
        verdict = ladder_identify(record, chain.extrema, chain.count, settings->cancel, ladder);
    else
        ladder_not_made(ladder, verdict);
    if (verdict == VERDICT_OK)
        verdict = recommend(&(struct conclusion_grounds){record, &chain, settings}, identification);
    extrema_chain_clear(&chain);
    return verdict;
}

/* A step or a noise that is no positive number counts as not known. */
static struct decay_record with_known(const struct decay_record *record)
{
    struct decay_record known = *record;
    known.resolution = isfinite(record->resolution) ? fmax(record->resolution, 0) : 0;
    known.noise = isfinite(record->noise) ? fmax(record->noise, 0) : 0;
    return known;
}

enum verdict identify_ladder(const struct decay_record *record, const struct identify_settings *settings,
                             struct identification *identification)
{
    const struct decay_record known = with_known(record);
    const enum verdict left_for = why_not(record, identification);
    free(identification->ladder);
    identification->ladder = malloc(sizeof *identification->ladder);
    if (!identification->ladder)
        return VERDICT_NO_MEMORY;
    if (left_for == VERDICT_OK)
        return climb(&known, settings, identification);
    ladder_not_made(identification->ladder, left_for);
    return left_for;
}
