/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_SECOND_PEAK_H
#define FRICID_IDENTIFY_SECOND_PEAK_H

#include "identify/response/response_point.h"

#include <stddef.h>

/* Another maximum of a frequency response beside its largest: another resonance, whose flank stands under the peak. */

/* The place and the gain, over the largest, of the second highest maximum; 0 and 0: there is none. */
struct second_peak {
    double frequency, share;
};

/* Of `count` points by their frequencies, the largest of them `top`, which has fallen to half of its power at f_1 and
 * f_2: between these what rises once more is scatter, or a peak that jumps. scratch: room for as many figures. */
struct second_peak second_peak_of(const struct response_point *points, size_t count, size_t top, double f_1, double f_2,
                                  double *scratch);

#endif
