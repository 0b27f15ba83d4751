/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_ZERO_DRIFT_H
#define FRICID_IDENTIFY_ZERO_DRIFT_H

#include "identify/common/ar_model.h"
#include "identify/ladder/ladder_fit.h"

/* The sensor's zero moves in a straight line along the record, as with its temperature. Beside a decay that is much
 * like an unsymmetric spring, which moves the middle of the swings too. */
struct zero_drift {
    bool found;
    struct estimate change; /* of the zero from the first extremum to the last, in the record's unit; NAN: not found */
    double span_s;          /* between these */
};

struct zero_drift zero_drift_none(void);

/* A line in what a rung leaves, beside all of its parameters, in the units of the data. */
struct zero_line {
    double slope;
    double variance; /* of the slope, for residuals of variance 1 */
    double gain;     /* what it takes from the sum of squares */
};

/* False: the record does not tell it from the rung's parameters. */
bool zero_line_beside(const struct ladder_data *data, const struct ladder_rung *rung, struct zero_line *line);

/* The line's shape: the time from the middle of the record on, where the zero is the bias. */
double zero_line_at(const struct ladder_data *data, size_t sample);

/* Takes a line of this slope out of samples and extrema. */
void zero_line_remove(struct ladder_data *data, double slope);

/* What was taken out of the data, with the standard error that noise leaves to it beside a rung. */
struct zero_drift zero_drift_of(const struct ladder_data *data, const struct ladder_rung *rung, double slope);

/* The slope of a drift, or of its standard error, in the units of data that may be a part of those that it was found
 * in. */
double zero_drift_slope(const struct ladder_data *data, const struct zero_drift *drift, double change);

#endif
