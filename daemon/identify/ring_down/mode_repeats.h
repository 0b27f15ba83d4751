/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MODE_REPEATS_H
#define FRICID_IDENTIFY_MODE_REPEATS_H

#include "identify/ring_down/ring_down_mode.h"

/* One blow of several: its mode's backbone, and how much the other modes moved beside it. */
struct repeated_mode {
    const struct ring_down_mode *mode; /* NULL: the mode was not found behind this blow */
    double others; /* first displacement of all other modes together, over that of this one; NAN: nobody knows */
};

/* Blows of different strength must give one curve: compares the backbones of the blows at amplitudes that both saw,
 * each with the first. blows[count], 1 or more. */
void mode_repeats_of(const struct repeated_mode *blows, size_t count, struct ring_down_repeats *repeats);

#endif
