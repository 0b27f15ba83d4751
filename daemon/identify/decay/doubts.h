/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_DOUBTS_H
#define FRICID_IDENTIFY_DOUBTS_H

#include <stdbool.h>
#include <stddef.h>

/* What is to be thought of before the recommended figures are believed. */
struct doubts {
    bool few_effective_samples, few_half_cycles;
    /* What the record shows and the recommended model does not: that a figure changes with the amplitude, that friction
     * gives way before it slides. */
    bool frequency_drift, damping_drift, presliding;
    bool baseline_drift, mains_hum;
};

/* Below 60 effective samples the noise model is itself uncertain. Of correlated noise their number is known to a
 * quarter only: 90 keeps those of truly fewer than 60 from passing. */
static inline bool noise_few_samples(double effective_samples, bool correlated)
{
    return effective_samples < (correlated ? 90.0 : 60.0);
}

/* Below 24 half cycles correlated noise is not seen often enough at the decay's frequency to be known there. Fewer than
 * 300 samples may hide a correlation of 0.3 behind the scatter of their own. */
static inline bool noise_few_half_cycles(size_t half_cycles, double samples, bool correlated)
{
    return (correlated || samples < 300.0) && half_cycles < 24;
}

#endif
