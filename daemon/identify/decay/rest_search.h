/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_REST_SEARCH_H
#define FRICID_IDENTIFY_REST_SEARCH_H

#include "identify/decay/scaled_record.h"

#include <stdbool.h>

/* Looks, along a decay with the given parameters (scaled units), for the extremum at which the mass stayed: where the
 * next few half cycles of samples are quiet and the model's motion is not in them. Static friction may hold the mass
 * before |X_j| <= x_k; there the model itself stops. noise: standard deviation of the white noise of a sample.
 * Samples [first, last) are looked at. Returns true and sets *stop_time (scaled) when the mass came to rest. */
bool rest_search(const struct scaled_record *scaled, const double *parameters, double noise, size_t first, size_t last,
                 double *stop_time);

#endif
