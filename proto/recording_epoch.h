/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_RECORDING_EPOCH_H
#define FRICID_PROTO_RECORDING_EPOCH_H

#include "proto/decimal.h"

#include <stdbool.h>
#include <stdint.h>

/* Time stamps that count from an epoch, such as nanoseconds since 1970, have more digits than a double. They are read
 * relative to the first of them, digit by digit, so that nothing is rounded but their difference. */

struct recording_epoch {
    bool far;             /* the stamps are so far from 0; otherwise all that follows is empty */
    struct decimal first; /* the stamp that is 0 s, in its unit */
    double unit_s;        /* seconds that a unit of the stamps has */
};

/* Of the first stamp as it is written. */
struct recording_epoch recording_epoch_of(const struct decimal *first, double unit_s);

/* A later stamp minus the first one, in seconds. *exact: no digit of either was lost. */
double recording_epoch_since(const struct recording_epoch *epoch, const struct decimal *stamp, bool *exact);

/* The first stamp, ns, rounded to one where its digits are all known; of stamps within 292 years of 0 only. */
int64_t recording_epoch_ns(const struct recording_epoch *epoch);

#endif
