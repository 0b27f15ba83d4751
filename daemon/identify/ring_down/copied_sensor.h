/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_COPIED_SENSOR_H
#define FRICID_IDENTIFY_COPIED_SENSOR_H

#include <stdbool.h>
#include <stddef.h>

/* Whether two columns are of one sensor, be it in another scale: they have their noise in common, which two sensors
 * have not, and counted as two they would make errors smaller by the root of 2. Of `count` samples each. 0 or -ENOMEM.
 */
int copied_sensor(const double *one, const double *other, size_t count, bool *is);

#endif
