/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_SPECTRAL_MODES_H
#define FRICID_IDENTIFY_SPECTRAL_MODES_H

#include "identify/ring_down/left_lines.h"

#include <stdbool.h>
#include <stddef.h>

/* Of one ring-down. */
enum { RING_DOWN_MODES = 12 };

/* A mode that stands out of a ring-down's spectrum. */
struct spectral_mode {
    double f_hz;
    double stop_hz; /* nearer to it than this it is alone */
    bool of_two;    /* it stands for two modes that are far apart for a record so short */
    double height;  /* of its peak, over the middle of the spectrum around it, in power */
};

/* Peaks of a spectrum that are as near to each other, of their frequency, may be fitted at once: both are where the
 * filter is flat. */
#define SPECTRAL_NEAR 0.08

/* By how much the power of a mode falls from the first half of a record to the second, at the least: hum, which does
 * not fall at all, and noise stay far below; and of one whose record ends early, where there is no other: whether that
 * falls at all its fit tells, for power changes by less than this where nothing does. */
#define MODE_FALLS 1.25
#define MODE_HARDLY_FALLS 0.9

/* Finds the modes of a ring-down that are apart from each other, by frequency, `most` at most; those beyond
 * are the weakest. Left out are what does not fall by least_fall; what is below 1 % of the strongest one's amplitude,
 * each sensor over its noise, through every window, as the odd harmonics are that a joint makes of a strong mode; and
 * lines where two modes make one, at sums and differences of their frequencies and doubles, that are below a fourteenth
 * of the amplitude of both. Modes nearer than 3 % are one here. Sensors, whose samples are `count` each, count by their
 * noise. left: what is left out, and those beyond `most`, is added; may be NULL. The number of modes, or -ENOMEM. */
int spectral_modes_of(const double *const *samples, size_t sensors, size_t count, double rate_hz, double least_fall,
                      struct spectral_mode *modes, size_t most, struct left_lines *left);

#endif
