/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chance for the simulated rig, from GSL. Apart, so that one seed gives each user of chance a stream of its own. */

#include "acquire/simulated_random.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

struct simulated_random {
    gsl_rng *generator;
};

/* One step of splitmix64 (Steele, Lea, Flood 2014): neighbouring seeds and streams become unlike. */
static uint64_t mix(uint64_t value)
{
    value += UINT64_C(0x9E3779B97F4A7C15);
    value = (value ^ (value >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94D049BB133111EB);
    return value ^ (value >> 31);
}

struct simulated_random *simulated_random_create(uint64_t seed, uint64_t stream)
{
    struct simulated_random *random = calloc(1, sizeof *random);
    if (!random)
        return NULL;
    random->generator = gsl_rng_alloc(gsl_rng_mt19937);
    if (!random->generator) {
        free(random);
        return NULL;
    }
    /* The generator takes 32 bits of seed; the upper ones are mixed best. */
    gsl_rng_set(random->generator, (unsigned long)(mix(mix(seed) + stream) >> 32));
    return random;
}

void simulated_random_destroy(struct simulated_random *random)
{
    if (!random)
        return;
    gsl_rng_free(random->generator);
    free(random);
}

double simulated_random_between(struct simulated_random *random, double low, double high)
{
    return low + (high - low) * gsl_rng_uniform(random->generator);
}

double simulated_random_normal(struct simulated_random *random, double standard_deviation)
{
    return gsl_ran_gaussian_ziggurat(random->generator, standard_deviation);
}

/* Drawing again keeps the shape of the middle; cutting off would heap values at the limit. */
double simulated_random_normal_within(struct simulated_random *random, double standard_deviation, double limit)
{
    double value;
    do
        value = simulated_random_normal(random, 1);
    while (fabs(value) > limit);
    return standard_deviation * value;
}

/* Exponential: however long nothing has happened, the next kick is as far away as ever. */
double simulated_random_waiting(struct simulated_random *random, double rate)
{
    return rate > 0 ? gsl_ran_exponential(random->generator, 1 / rate) : INFINITY;
}

double simulated_random_sign(struct simulated_random *random)
{
    return gsl_rng_uniform(random->generator) < 0.5 ? -1 : 1;
}
