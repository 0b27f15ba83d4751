/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_DISTURBANCE_MEANS_H
#define FRICID_IDENTIFY_DISTURBANCE_MEANS_H

#include "identify/decay/full_record_fit.h"
#include "identify/decay/scaled_record.h"
#include "identify/ladder/ladder_reopen.h"

#include <stdbool.h>

/* Means over neighbouring samples of what a fit, or a rung of the ladder, leaves: of the residual, of the Jacobian's
 * rows, and beside them what a disturbance would have there. Scaled units. For disturbance.c alone. */

/* A straight line and its square, time going from -1 at the record's begin to 1 at its end; hum of the mains. */
enum { COLUMN_LINE, COLUMN_BEND, COLUMN_COS_50, COLUMN_SIN_50, COLUMN_COS_60, COLUMN_SIN_60, DISTURBANCE_COLUMNS };

/* Room for the parameters of a fit, and for those of a rung, which has more; the others are 0, and not free. */
enum { DISTURBANCE_ROWS = LADDER_PARAMETERS, DISTURBANCE_MEANS_MOST = 640 };

/* Of neighbouring samples: the fit's row, the columns, and the residual. */
struct disturbance_mean {
    double row[DISTURBANCE_ROWS], column[DISTURBANCE_COLUMNS], residual;
};

struct disturbance_means {
    size_t count;
    double width;          /* samples in each */
    double spacing_s;      /* from sample to sample */
    double middle, unit_s; /* of the record: half its length, in units of time of so many seconds */
    bool free[DISTURBANCE_ROWS];
    struct disturbance_mean mean[DISTURBANCE_MEANS_MOST];
};

/* A fit's, of the samples of its range. parameters: its own, scaled. */
void disturbance_means_of_fit(const struct scaled_record *scaled, const struct full_record_fit *fit,
                              const double *parameters, struct disturbance_means *means);

/* A rung's; false where its motion cannot be walked. */
bool disturbance_means_of_rung(const struct ladder_reopened *open, struct disturbance_means *means);

/* Whether the means show a column as what it is. Hum of more than half a cycle a mean (Nyquist) would show at an alias,
 * where a slow vibration of the building looks the same: 60 Hz where the motion lasts for more than 5.3 s, 50 Hz from
 * 6.4 s on; where hardly more than one sample is in a mean, for it has a whole number of them, from half of that on. A
 * decay of no more than 60 half cycles in that time is too slow for such hum to bend it. Means of one
 * sample are the record itself, in which hum is the alias that the recorder has made of it. */
bool disturbance_resolves(const struct disturbance_means *means, int column);

#endif
