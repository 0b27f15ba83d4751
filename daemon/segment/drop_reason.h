/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_DROP_REASON_H
#define FRICID_SEGMENT_DROP_REASON_H

/* A candidate did not become a decay for one of these reasons. */
enum drop_reason {
    DROP_TOO_SHORT,
    DROP_IRREGULAR_PERIOD,
    DROP_NOT_DECAYING,
    DROP_CLIPPED,
    DROP_GAP,
    DROP_NO_MEMORY,
    DROP_IN_DOUBT,
    DROP_REASONS
};

/* The name that appears in JSON ("too_short", …). */
const char *drop_reason_name(enum drop_reason reason);

/* The same for people. */
const char *drop_reason_sentence(enum drop_reason reason);

#endif
