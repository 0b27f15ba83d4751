/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_OFFLINE_H
#define FRICID_OFFLINE_H

#include "config/configuration.h"
#include "proto/recording_parts.h"

/* Recordings to identify. */
struct offline_order {
    char *const *files;
    size_t file_count;
    struct recording_manner manner;      /* what is said of how to read them */
    const char *kind;                    /* what they are of; "": nothing is said */
    bool whole;                          /* each is one decay that somebody has cut already */
    double amplitude_max, amplitude_min; /* decays are used between them, displacement unit; 0: no such limit */
};

/* What became of them; of several files the worst, which is the greatest. */
enum offline_outcome {
    OFFLINE_OK,        /* every file gave at least one `ok` result */
    OFFLINE_NO_RESULT, /* one gave none, or output failed */
    OFFLINE_BAD_INPUT, /* one cannot be read, or is no recording */
};

/* Identifies recordings without socket or store and prints one JSON result a line on standard output. A file is checked
 * whole before anything of it is printed; complaints go to standard error. The caller flushes. */
enum offline_outcome offline_run(const struct configuration *configuration, const struct offline_order *order);

#endif
