/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is told of a ring-down in words, which of its curves is the recommended one, and what ended its search. */

#include "identify/ring_down/law_fitting.h"
#include "identify/ring_down/ring_down_mode.h"
#include "identify/ring_down/ring_down_search.h"

#include <stddef.h>

const char *ring_down_begin_name(size_t begin)
{
    static const char *const names[] = {
        [RING_DOWN_HAMMER_LEFT] = "hammer_left",
        [RING_DOWN_CLIPPING] = "clipping",
        [RING_DOWN_RECORD_BEGINS] = "start_of_record",
        [RING_DOWN_FILTER] = "filter",
    };
    return begin < RING_DOWN_BEGINS ? names[begin] : NULL;
}

const char *ring_down_end_name(size_t end)
{
    static const char *const names[] = {
        [RING_DOWN_RECORD_ENDS] = "end_of_record",
        [RING_DOWN_NEXT_BLOW] = "next_blow",
        [RING_DOWN_GAP] = "gap",
        [RING_DOWN_KNOCK] = "knock",
        [RING_DOWN_DROPOUT] = "dropout",
        [RING_DOWN_NOISE] = "noise",
    };
    return end < RING_DOWN_ENDS ? names[end] : NULL;
}

const char *mode_model_name(size_t model)
{
    static const char *const names[] = {
        [MODE_LINEAR] = "linear", [MODE_MICROSLIP] = "microslip", [MODE_MACROSLIP] = "macroslip"};
    return model < MODE_MODELS ? names[model] : NULL;
}

const char *ring_down_repeat_name(size_t repeat)
{
    static const char *const names[] = {
        [REPEAT_SINGLE] = "single",
        [REPEAT_AGREES] = "agree",
        [REPEAT_NOT_REPEATABLE] = "not_repeatable",
        [REPEAT_MODES_COUPLED] = "modes_coupled",
    };
    return repeat < RING_DOWN_REPEATS ? names[repeat] : NULL;
}

const char *mode_recommended_name(size_t recommended)
{
    static const char *const names[] = {[MODE_LAW] = "law", [MODE_BACKBONE] = "backbone"};
    return recommended < MODE_RECOMMENDATIONS ? names[recommended] : NULL;
}

void ring_down_mode_leave(struct ring_down_mode *mode, enum verdict verdict, const char *sentence)
{
    mode->verdict = verdict;
    for (size_t i = 0; i < MODE_REASONS; i++)
        mode->reason[i] = i == REASON_LAW ? sentence : NULL;
}

enum verdict ring_down_mode_ended(const struct ring_down_mode *mode)
{
    return law_fitting_is_over(mode->verdict)           ? mode->verdict
           : law_fitting_is_over(mode->hilbert.verdict) ? mode->hilbert.verdict
                                                        : VERDICT_OK;
}

/* One that was stopped behind its law says more. */
void ring_down_mode_is_cut_short(struct ring_down_mode *mode, enum verdict verdict)
{
    if (mode->verdict != VERDICT_OK || ring_down_mode_ended(mode) != VERDICT_OK)
        return;
    mode->reason[REASON_STOPPED] =
        verdict == VERDICT_CANCELLED
            ? "provisional: the identification was stopped before all modes and blows of the record were looked at"
            : "provisional: memory was short for some of the modes and blows of the record";
}

void ring_down_mode_is_left_open(struct ring_down_mode *mode, enum verdict verdict)
{
    static const enum verdict open[] = {VERDICT_UNDERDETERMINED, VERDICT_TOO_FEW_SAMPLES, VERDICT_MODES_TOO_NEAR,
                                        VERDICT_NOT_CONVERGED, VERDICT_NOT_DECAYING};
    for (size_t i = 0; i < sizeof open / sizeof open[0]; i++) {
        if (mode->verdict != open[i])
            continue;
        ring_down_mode_leave(mode, verdict,
                             verdict == VERDICT_CANCELLED
                                 ? "provisional: its band alone tells nothing, and the identification was stopped "
                                   "before it was looked at beside its neighbours"
                                 : "provisional: its band alone tells nothing, and memory was short for a look beside "
                                   "its neighbours");
        return;
    }
}

const char *ring_down_cut_short_words(enum verdict verdict, bool more_follows)
{
    return verdict != VERDICT_CANCELLED
               ? "memory was short before all was looked at: modes, backbones and later blows may be lacking"
           : more_follows
               ? "stopped by job_deadline_s, or because the daemon was ending, before all was looked at: modes may be "
                 "lacking, until the revision that follows"
               : "stopped by job_deadline_s and ladder_deadline_s, or because the daemon was ending, before all was "
                 "looked at: modes, backbones and later blows may be lacking; fricidctl reidentify with larger "
                 "deadlines, or fricidd --offline, looks at all of them";
}

const struct backbone_point *mode_curve(const struct ring_down_mode *mode, size_t *count)
{
    const bool law = (mode->recommended == MODE_LAW || mode->points == 0) && mode->law_points > 0;
    *count = law ? mode->law_points : mode->points;
    return law ? mode->law : mode->backbone;
}
