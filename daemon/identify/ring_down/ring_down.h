/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_RING_DOWN_H
#define FRICID_IDENTIFY_RING_DOWN_H

#include "identify/record_analysis.h"
#include "identify/ring_down/ring_down_mode.h"
#include "identify/ring_down/steady_lines.h"

/* From the record of a structure that was hit to the backbones of its modes and the models of its joint. */

enum { SENSOR_NAME_BYTES = 64, READING_BYTES = 256 };

/* Samples of a ring-down that are fitted: 40 s at 50 kHz. */
enum { RING_DOWN_SAMPLES_MOST = 2000000 };

/* One among others that says nothing, or nothing of its own. */
struct dead_sensor {
    const char *name;
    enum verdict verdict;
};

struct ring_down {
    enum verdict verdict;
    const char *read_as; /* how the file was read, and which sensors of it were left out, in reading; NULL: as it is */
    char reading[READING_BYTES];
    const char *quantity;                       /* that the sensors measure; NULL: their unit does not say */
    char name[PASS_SENSORS][SENSOR_NAME_BYTES]; /* of the sensors in the order of the record */
    size_t dead_count;
    struct dead_sensor dead[PASS_SENSORS];
    struct estimate f_n_hz, zeta; /* of the mode that moves most, where its damping is known best */
    double blow_s;                /* NAN: the record begins behind it */
    double double_hit_s;          /* when the hammer came back, before start_s; NAN: it did not */
    double start_s, end_s;        /* of the samples that were used */
    enum ring_down_end ended_by;
    bool clipped, fell_to_tenth;
    size_t blows; /* in the whole record; the modes are those behind the first that makes something ring, which up to
                     seven others repeat */
    size_t line_count;
    struct steady_line line[STEADY_LINES]; /* by frequency */
    size_t mode_count;
    struct ring_down_mode mode[RING_DOWN_MODES];
};

/* Of traces that sensors took at the same times, in one unit, which says what they measure: PASS_SENSORS at the most.
 * Found is a struct ring_down. Verdicts: VERDICT_OK: a mode has
 * an answer; VERDICT_NO_BLOW, VERDICT_NO_RING_DOWN, VERDICT_NOT_DECAYING, VERDICT_NO_OSCILLATION (all samples are
 * alike), VERDICT_TOO_FEW_SAMPLES, VERDICT_TOO_LONG, VERDICT_NOT_FINITE, VERDICT_IRREGULAR_STAMPS,
 * VERDICT_UNIT_UNKNOWN, or that of the strongest mode. */
record_analysis analyse_ring_down;

#endif
