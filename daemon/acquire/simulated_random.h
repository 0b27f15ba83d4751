/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_SIMULATED_RANDOM_H
#define FRICID_ACQUIRE_SIMULATED_RANDOM_H

#include <stdint.h>

/* Chance for the simulated rig: seeded, so that a run can be repeated. The hand, the passer-by and each sensor draw
 * from streams of their own: changing the noise of a sensor does not change the pulls. */
struct simulated_random;

/* Stream `stream` of a seed; NULL when memory is short. */
struct simulated_random *simulated_random_create(uint64_t seed, uint64_t stream);
void simulated_random_destroy(struct simulated_random *random); /* NULL is fine */

double simulated_random_between(struct simulated_random *random, double low, double high);
double simulated_random_normal(struct simulated_random *random, double standard_deviation);

/* Normal, drawn again beyond `limit` standard deviations. */
double simulated_random_normal_within(struct simulated_random *random, double standard_deviation, double limit);

/* Waiting time for an event that happens `rate` times a unit of time on average. */
double simulated_random_waiting(struct simulated_random *random, double rate);

/* +1 or -1. */
double simulated_random_sign(struct simulated_random *random);

#endif
