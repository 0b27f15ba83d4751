/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_RELOAD_REPORT_H
#define FRICID_RELOAD_REPORT_H

#include "config/configuration.h"
#include "rig/rig_set.h"

#include <stdbool.h>
#include <stddef.h>

/* What a reload did, as a sentence. */

/* A list of names for people, cut with "…" when it gets long. A zeroed struct is an empty list. */
struct name_list {
    size_t count;
    bool cut;
    char text[160];
};

struct reload_report {
    struct name_list rigs[RIG_CHANGES];
    struct name_list waiting; /* keys that need a restart */
};

/* A rig_change_listener whose context is the report. */
void reload_report_rig(void *context, enum rig_change change, const char *rig);

/* Notes the keys of which the daemon keeps the value that it started with, where the next configuration has another. */
void reload_report_keys(struct reload_report *report, const struct configuration *started,
                        const struct configuration *next);

/* "configuration … is in force; rigs: 1 unchanged (bearing), 1 added (spindle)", and the keys that wait. Both sentences
 * are cut to `size`; RELOAD_SENTENCE is enough. */
enum { RELOAD_SENTENCE = 1024 };
void reload_report_sentence(const struct reload_report *report, const char *config_id, char *sentence, size_t size);

/* The complaints of a file that was refused, lines "FILE:LINE: sentence": the first, and how many there are. */
void reload_refusal_sentence(const char *complaints, char *sentence, size_t size);

#endif
