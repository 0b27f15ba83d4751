/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LADDER_DATA_H
#define FRICID_IDENTIFY_LADDER_DATA_H

#include "identify/decay/extremum.h"
#include "identify/ladder/ladder_term.h"

/* What the rungs of the ladder are fitted to: the usable samples of a decay from its first extremum to its last, and
 * these extrema, all in units near 1: displacement in those of the first one's height over its bias, time in those of
 * 1/omega_n as the extrema have it on average, from the first one on. */
enum { LADDER_PADDING = 16 };
struct ladder_data {
    size_t count;
    double *time, *value; /* count each, and LADDER_PADDING zeros, which the vectors of the last samples read; owned */
    size_t extrema;
    double *extremum_time, *extremum_value, *height; /* extrema each; owned. height: half the swing there */
    double unit, unit_s, origin, origin_s;           /* of the record: one unit and zero of displacement and time */
};

/* Takes the samples and extrema from a record. The extrema stand in the order of the record, each half a cycle behind
 * the one before; the motion is followed up to where that is not so. VERDICT_OK, VERDICT_TOO_FEW_HALF_CYCLES with less
 * than LADDER_EXTREMA of them, VERDICT_TOO_FEW_SAMPLES, VERDICT_NO_MEMORY. */
enum { LADDER_EXTREMA = 6 };
enum verdict ladder_data_from(const struct decay_record *record, const struct extremum *extrema, size_t count,
                              struct ladder_data *data);

void ladder_data_clear(struct ladder_data *data);

/* Moves the times from a sample and from an extremum on, as a step of the recorder's clock does. */
void ladder_data_shift(struct ladder_data *data, size_t sample, size_t extremum, double by);

/* The mean time from sample to sample. */
double ladder_data_spacing(const struct ladder_data *data);

/* Parameters to the record's own units. */
void ladder_to_record(const struct ladder_data *data, const double scaled[LADDER_PARAMETERS],
                      double parameters[LADDER_PARAMETERS]);
void ladder_from_record(const struct ladder_data *data, const double parameters[LADDER_PARAMETERS],
                        double scaled[LADDER_PARAMETERS]);

/* What one unit of a parameter's spread is in the record's own units. */
double ladder_parameter_unit(const struct ladder_data *data, enum ladder_parameter parameter);

#endif
