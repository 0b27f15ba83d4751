/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_PROGRESS_LINE_H
#define FRICID_CLIENT_PROGRESS_LINE_H

#include "client/phrase.h"

#include <jansson.h>

/* The last line of a terminal, where running decays stand and which is written over and over. */

enum { PROGRESS_CHANNELS = 8 }; /* of which the latest states are shown */

struct progress_line {
    struct running {
        struct phrase place; /* "bearing lvdt"; empty: not used */
        struct phrase words; /* what is shown */
    } running[PROGRESS_CHANNELS];
};

/* A decay runs on the channel that `params` of notify.progress name. Beyond PROGRESS_CHANNELS, the first gives way. */
void progress_line_update(struct progress_line *line, const json_t *params, const struct phrase *words);

/* The decay that ran where this result or event comes from is over. */
void progress_line_end(struct progress_line *line, const json_t *object);

/* Writes the line, cut to `columns`, without going to the next one. Without a running decay it says so. */
void progress_line_show(const struct progress_line *line, size_t columns);

/* Wipes the line, so that something else can be printed. */
void progress_line_wipe(void);

#endif
