/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_SCAN_BLOCK_H
#define FRICID_SEGMENT_SCAN_BLOCK_H

#include "identify/decay/record.h"

#include <stddef.h>
#include <stdint.h>

/* The samples of one channel in a block of scans. */
struct channel_samples {
    size_t channel;             /* its number in the source's description */
    const double *displacement; /* scan_count values, displacement unit */
    const uint8_t *flags;       /* scan_count sets of enum sample_flag; NULL: none is flagged */
    double delay_s;             /* after the start of the scan: multiplexer or polling, s; 0 with time stamps */
};

/* A run of scans without a gap, as a source delivers it. The block borrows every array: they live until the
 * listener returns. A block holds the channels that are sampled together; a source may have others.
 *
 * Scans are counted from the start of the source, lost ones included, so a gap shows as a jump of first_index. Scan i
 * of the block was taken at origin_s + (first_index + i) * period_s on the source's clock, or at time_s[i]. */
struct scan_block {
    uint64_t first_index;
    size_t scan_count;
    double origin_s;      /* source clock at scan 0, s */
    double period_s;      /* the period that the device accepted, s; nominal with time stamps */
    const double *time_s; /* scan_count strictly increasing stamps, source clock, s; NULL when sampling is uniform */
    size_t channel_count;
    const struct channel_samples *channels;
};

#endif
