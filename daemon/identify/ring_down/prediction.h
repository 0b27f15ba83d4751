/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_PREDICTION_H
#define FRICID_IDENTIFY_PREDICTION_H

#include <stdbool.h>
#include <stddef.h>

/* The next sample of what rings, of hum and of coloured noise follows from the samples before it, by weights that least
 * squares find without knowing any mode. */
struct prediction {
    size_t count, memory;
    double *x, *left, *sums;        /* owned, one block: x: less the mean; left[i]: of x[i], 0 where no weights reach;
                                       sums[count + 1]: of the squares of left before a sample */
    double *matrix, *factor;        /* owned: memory * memory */
    double *right, *weight, *scale; /* owned: of the latest sample before it first; right: of the normal equations */
    double largest;                 /* of x */
};

/* No recorder tells less of its largest sample: what rounding to 24 bits leaves. */
#define PREDICTION_FINEST 3e-8

/* How many weights predict samples of such a rate, and how many samples they are to be found from. */
size_t prediction_memory(double rate_hz);
size_t prediction_wanted(double rate_hz);

/* 0 or -ENOMEM; prediction_clear() in any case. There are to be four samples more than weights, or more. */
int prediction_make(const double *samples, size_t count, double rate_hz, struct prediction *prediction);
void prediction_clear(struct prediction *prediction);

/* Finds the weights, and what they leave. What they do not predict at all teaches them nothing. False: so many weights
 * cannot be told. */
bool prediction_learn(struct prediction *prediction);

/* The same from all but a range of samples: one that is wrong bends all weights that it is weighed by itself. */
bool prediction_learn_without(struct prediction *prediction, size_t from, size_t to);

/* The mean square of what is left of the samples from one on up to the one before another. */
double prediction_left(const struct prediction *prediction, size_t from, size_t to);

/* The largest of these of so many samples in a row each, all of them between two samples; 0: there is no room. */
double prediction_largest_left(const struct prediction *prediction, size_t length, size_t from, size_t to);

/* How many samples there are in that time, and `least` at the least. */
size_t prediction_samples_in(double seconds, double rate_hz, size_t least);

#endif
