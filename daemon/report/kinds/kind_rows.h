/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_KINDS_KIND_ROWS_H
#define FRICID_KINDS_KIND_ROWS_H

/* The kinds of records, a row each: its name, and what makes the finder of its records in a stream, NULL where they are
 * only handed in. `record_analysis analyse_NAME` is its analysis, `struct record_kind record_kind_NAME` what is said
 * and shown of it. The first is the default. */
#define RECORD_KIND_ROWS(ROW)                                                                                          \
    ROW(free_decay, segmenter_create)                                                                                  \
    ROW(bounces, NULL)                                                                                                 \
    ROW(ring_down, NULL)                                                                                               \
    ROW(loop, NULL)                                                                                                    \
    ROW(curve, NULL)                                                                                                   \
    ROW(response, NULL)

#endif
