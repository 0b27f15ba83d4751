/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CONFIG_CONFIGURATION_H
#define FRICID_CONFIG_CONFIGURATION_H

#include "config/group_settings.h"
#include "identify/decay/physical.h"
#include "recorder/recorder.h"
#include "segment/segment_settings.h"

#include <stddef.h>
#include <stdio.h>

/* The whole configuration, immutable once loaded. */
struct configuration {
    const char *path; /* NULL: built-in defaults */
    char id[17];      /* config_id: 16 hexadecimal digits that change with any byte of the file */
    const char *text; /* the file as read; what the method `config` shows */
    struct service_configuration service;
    struct store_configuration store;
    struct recorder_settings recorder;
    size_t rig_count;
    const struct rig_configuration *rigs;
    struct segment_settings segment;   /* for --offline and `identify` */
    struct physical_settings physical; /* likewise */
};

/* Reads and checks a whole file. Every semantic error, or the first syntax error, is written to `complaints` as one
 * line "FILE:LINE: sentence". Returns NULL when there was any. Free with configuration_destroy(). */
struct configuration *configuration_load(const char *path, FILE *complaints);

/* Calls visit for every key that holds for the daemon as a whole, whose values differ between two configurations. Not
 * for what rigs and `segment` and `physical` hold. */
void configuration_each_difference(const struct configuration *a, const struct configuration *b,
                                   void (*visit)(void *context, const char *section, const char *key), void *context);

/* What holds without a file: no rigs, all defaults. NULL when memory is short. */
struct configuration *configuration_defaults(void);

void configuration_destroy(struct configuration *configuration); /* NULL is fine */

/* Calls visit for every key that a file may hold, with the kind of group that it stands in ("segment", "simulated
 * channel", …). Documents are held against it. */
void configuration_each_key(void (*visit)(void *context, const char *section, const char *key), void *context);

#endif
