/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_LABVIEW_H
#define FRICID_PROTO_LABVIEW_H

#include "proto/complaint.h"
#include "proto/dialect/cells.h"
#include "proto/dialect/sample.h"

#include <stdbool.h>
#include <stddef.h>

/* What LabVIEW writes above the rows of its text files: measurements (.lvm), and waveforms as a table (.txt). */

struct labview {
    bool found;
    size_t from;                         /* names and rows stand from this line on, from 0 */
    char delimiter, decimal;             /* '\0': it does not say */
    bool stamped;                        /* the first cell that counts is the time; else rate_hz holds */
    double rate_hz;                      /* 0: not known */
    double unit_s;                       /* seconds that a unit of the first cell has */
    struct text_piece date, time;        /* when the rows' time is 0; length 0: not known. A date may have the time */
    size_t channels;                     /* which stand behind the first cell */
    struct text_piece units[CELLS_MOST]; /* of them; length 0: not known */
};

/* 0, also where it is no such file; or -EBADMSG and a complaint when it is one that cannot be read. */
int labview_read(const struct sample *sample, struct labview *labview, struct complaint *complaint);

#endif
