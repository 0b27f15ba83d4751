/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_SIMULATED_CARRIAGE_H
#define FRICID_ACQUIRE_SIMULATED_CARRIAGE_H

#include "acquire/simulated_hand.h"
#include "acquire/simulated_motion.h"
#include "acquire/simulated_parts.h"
#include "acquire/simulated_random.h"

enum simulated_phase { SIMULATED_AT_REST, SIMULATED_IN_HAND, SIMULATED_FREE };

/* The carriage over time: at rest, in the hand, free until it rests again, and so on; now and then somebody kicks it.
 */
struct simulated_carriage {
    struct simulated_mechanics mechanics;
    struct simulated_hand hand;
    struct simulated_random *hand_random, *kick_random; /* borrowed */
    struct simulated_motion motion;
    struct simulated_pull pull;
    enum simulated_phase phase;
    double until_s;    /* the present phase, or stretch of free motion, is known as far as here */
    double rest_end_s; /* when the hand comes again */
    double released_s;
    double next_kick_s;
};

/* A carriage at rest at 0; the hand comes after its rest_s. */
void simulated_carriage_init(struct simulated_carriage *carriage, const struct simulated_mechanics *mechanics,
                             const struct simulated_hand *hand, struct simulated_random *hand_random,
                             struct simulated_random *kick_random);

/* Displacement at a time, m; times never decrease. */
double simulated_carriage_displacement(struct simulated_carriage *carriage, double time_s);

#endif
