/* SPDX-License-Identifier: GPL-3.0-or-later */
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
    };
    return names[reason];
}

const char *segment_phase_name(enum segment_phase phase)
{
    static const char *const names[] = {
        [SEGMENT_STARTING] = "starting",
        [SEGMENT_IDLE] = "idle",
        [SEGMENT_HELD] = "held",
        [SEGMENT_DECAYING] = "decaying",
    };
    return names[phase];
}
