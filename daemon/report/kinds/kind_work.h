/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_KINDS_KIND_WORK_H
#define FRICID_KINDS_KIND_WORK_H

#include "report/kinds/record_kind.h"
#include "segment/segmenter.h"

/* What is done with the records of a kind. */
struct kind_work {
    const struct record_kind *kind;
    /* Makes what finds them in a stream; NULL: they are only handed in. */
    struct segmenter *(*finder)(const struct segment_settings *settings, const struct segment_listener *listener);
    record_analysis *analyse;
};

/* By the name of the kind, as record_kind_named(); NULL: there is none. */
const struct kind_work *kind_work_named(const char *name);

#endif
