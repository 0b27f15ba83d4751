/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_CHUNK_H
#define FRICID_SEGMENT_CHUNK_H

#include <stddef.h>

/* The cheapest look at the stream: so many samples at once, in loops without branches that a compiler turns into vector
 * instructions. Whoever wants to look closer first asks whether anything in the chunk is worth it. */
enum { CHUNK = 16 };

/* The samples of a chunk say this together, displacement unit. */
struct chunk {
    double lowest, highest;
    double magnitude;          /* the largest of either half of them, of which a wild reading is in one: the smaller */
    double mean_difference;    /* of the magnitudes of fourth differences */
    double largest_difference; /* magnitude of a fourth difference */
    double smallest_step;      /* magnitude of a difference between successive samples; INFINITY: all are alike */
    int alike;                 /* samples that are like the one before */
};

/* Looks at CHUNK samples at `sample`, of which two more on either side are readable. */
void chunk_look(const double *sample, struct chunk *chunk);

/* The lowest and highest only, of `count` samples, at least FEWEST_FOR_RANGE and at most CHUNK. */
enum { FEWEST_FOR_RANGE = 4 };
void chunk_range(const double *sample, size_t count, double *lowest, double *highest);

/* It returns how many of the first samples are finite. */
size_t chunk_finite(const double *sample, size_t count);

/* Fourth difference centred at *sample. */
static inline double fourth_difference(const double *sample)
{
    return sample[-2] - 4 * sample[-1] + 6 * sample[0] - 4 * sample[1] + sample[2];
}

#endif
