/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LAW_START_H
#define FRICID_IDENTIFY_LAW_START_H

#include "identify/ring_down/mode_pass.h"

enum { LAW_STARTS = 3 };

/* Where the fit of a mode begins: microslip laws, the most promising first. */
struct law_starts {
    size_t count;
    struct amplitude_law law[LAW_STARTS];
    double loss; /* nepers of amplitude that the samples show above their noise */
};

/* From the local slopes of amplitude and phase of analytic samples of one sensor that see one mode. noise: standard
 * deviation of a part of a sample. No start where they show no decay. */
void law_start(const struct mode_samples *samples, double noise, struct law_starts *starts);

#endif
