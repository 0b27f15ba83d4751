/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_RING_DOWN_FINDINGS_H
#define FRICID_IDENTIFY_RING_DOWN_FINDINGS_H

#include "identify/ring_down/ring_down_mode.h"
#include "identify/ring_down/steady_lines.h"

/* What is said of the record of a structure that was hit. */

enum { SENSOR_NAME_BYTES = 64, READING_BYTES = 256 };

/* One among others that says nothing, or nothing of its own. */
struct dead_sensor {
    const char *name;
    enum verdict verdict;
    double since_s; /* of one that moved before; NAN: it never said anything of its own, or not of this ring-down */
};

struct ring_down {
    enum verdict verdict;
    const char *cut_short; /* a sentence: all was not looked at, why, and what to do; NULL: all was */
    const char *read_as; /* how the file was read, and which sensors of it were left out, in reading; NULL: as it is */
    char reading[READING_BYTES];
    const char *quantity;                       /* that the sensors measure; NULL: their unit does not say */
    char name[PASS_SENSORS][SENSOR_NAME_BYTES]; /* of the sensors in the order of the record */
    size_t dead_count;
    struct dead_sensor dead[PASS_SENSORS];
    struct estimate f_n_hz, zeta; /* of the mode that moves most, where its damping is known best */
    double blow_s;                /* NAN: the record begins behind it */
    double double_hit_s;          /* when the hammer came back, before start_s; NAN: it did not */
    size_t wild;                  /* places of wild samples that were bridged, of all sensors */
    double start_s, end_s;        /* of the samples that were used */
    enum ring_down_end ended_by;
    bool clipped, fell_to_tenth;
    size_t blows; /* in the whole record; the modes are those behind the first that makes something ring, which up to
                     seven others repeat */
    size_t line_count;
    struct steady_line line[STEADY_LINES]; /* by frequency */
    struct left_lines left;
    size_t mode_count;
    struct ring_down_mode mode[RING_DOWN_MODES];
};

#endif
