/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CONFIG_CONFIGURATION_H
#define FRICID_CONFIG_CONFIGURATION_H

#include "acquire/source_kinds.h"
#include "identify/decay/physical.h"
#include "recorder/recorder.h"
#include "segment/segmenter.h"

#include <stddef.h>
#include <stdio.h>

/* One channel of a rig: how its decays are cut out. The source's own view of the channel is in rig_configuration. */
struct channel_configuration {
    const char *name;
    struct segment_settings segment;
    const char *calibrated_on, *remarks; /* NULL: none given */
};

struct rig_configuration {
    const char *name;
    const char *written; /* all that its file says of it, in one form: rigs with equal texts are the same */
    enum source_kind source_kind;
    void *source;                      /* its settings, which its driver knows */
    struct physical_settings physical; /* metres_per_unit follows from each channel's unit later */
    size_t channel_count;              /* 0: every column of a recording, with segment_defaults */
    const struct channel_configuration *channels;
    struct segment_settings segment_defaults; /* the rig's own `segment` group */
};

struct service_configuration {
    const char *socket_path;
    const char *group;         /* may call the methods that act */
    unsigned socket_mode;      /* 0666 */
    size_t queue_max_bytes;    /* what may wait to be stored */
    size_t results_held;       /* results and events kept for from_seq */
    size_t samples_held_bytes; /* raw samples kept for the method `samples` */
    double job_deadline_s;     /* an identification that takes longer is cancelled */
};

/* Where decays and results are kept. */
struct store_configuration {
    const char *directory; /* NULL: the usual place */
    double keep_days;      /* 0: for ever */
    size_t max_bytes;      /* 0: as many as there are */
};

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
