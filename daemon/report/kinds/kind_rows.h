/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_KINDS_KIND_ROWS_H
#define FRICID_KINDS_KIND_ROWS_H

/* The kinds of records, a row each; `struct record_kind record_kind_NAME` is everything else about a kind. The first is
 * the default. */
#define RECORD_KIND_ROWS(ROW)                                                                                          \
    ROW(free_decay)                                                                                                    \
    ROW(bounces)

#endif
