/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_FINDING_H
#define FRICID_CLIENT_FINDING_H

#include "proto/complaint.h"

#include <stddef.h>

enum finding_level { FINDING_OK, FINDING_NOTE, FINDING_PROBLEM };

/* One check and its outcome. */
struct finding {
    enum finding_level level;
    const char *topic; /* "daemon", "rights", … */
    struct complaint sentence;
    struct complaint remedy; /* what to do; empty: nothing */
};

enum { FINDINGS_MOST = 64 };

struct findings {
    size_t count;
    struct finding all[FINDINGS_MOST];
};

/* A new finding. When there are too many, which no computer has seen, the last place is used again. */
void finding_say(struct findings *findings, enum finding_level level, const char *topic, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* What to do about the latest finding. */
void finding_mend(struct findings *findings, const char *format, ...) __attribute__((format(printf, 2, 3)));

size_t findings_count(const struct findings *findings, enum finding_level level);

#endif
