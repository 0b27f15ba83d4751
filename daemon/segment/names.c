/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The words for what the segmenter reports: names for programs, sentences for people. */

#include "segment/segmenter.h"

const char *drop_reason_name(enum drop_reason reason)
{
    static const char *const names[DROP_REASONS] = {
        [DROP_TOO_SHORT] = "too_short",
        [DROP_IRREGULAR_PERIOD] = "irregular_period",
        [DROP_NOT_DECAYING] = "not_decaying",
        [DROP_CLIPPED] = "clipped",
        [DROP_GAP] = "gap",
        [DROP_NO_MEMORY] = "no_memory",
        [DROP_IN_DOUBT] = "in_doubt",
    };
    return names[reason];
}

const char *drop_reason_sentence(enum drop_reason reason)
{
    static const char *const sentences[DROP_REASONS] = {
        [DROP_TOO_SHORT] = "fewer half cycles than min_half_cycles",
        [DROP_IRREGULAR_PERIOD] =
            ("its half cycles differ in duration: a hand, not a free vibration; or there are fewer "
             "than 20 samples a cycle, which is too few for one that fades fast"),
        [DROP_NOT_DECAYING] = "its amplitude does not fall from half cycle to half cycle",
        [DROP_CLIPPED] = "the converter was at the end of its range",
        [DROP_GAP] = "samples are missing in it",
        [DROP_NO_MEMORY] = "not enough memory to keep it",
        [DROP_IN_DOUBT] =
            ("so few half cycles must stand out of noise, steps and what swung before them, and lie about "
             "where the mass rests: a hand may have made these"),
    };
    return sentences[reason];
}

const char *segment_phase_name(enum segment_phase phase)
{
    static const char *const names[] = {
        [SEGMENT_STARTING] = "starting", [SEGMENT_IDLE] = "idle",     [SEGMENT_HELD] = "held",
        [SEGMENT_DECAYING] = "decaying", [SEGMENT_DRIVEN] = "driven",
    };
    return names[phase];
}
