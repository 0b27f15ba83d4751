/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The story of the simulated mass: rest, hand, release, free motion, rest, and now and then a kick. It knows the
 * order of things; how the hand and the free motion go is in files of their own. */

#include "acquire/simulated_carriage.h"

#include <math.h>

static const double seconds_per_hour = 3600;

/* A blow moves a mass at rest by this much, m. */
static const double weakest_kick_m = 0.5e-3, strongest_kick_m = 3e-3;

/* Without any damping a decay has no end: then the hand takes hold of the moving mass, s. */
static const double patience_s = 120;

/* Step in which presliding friction follows the hand; the tremor takes 80 ms at least, s. */
static const double slide_step_s = 1e-3;

/* Passers-by come independently of each other and of what the rig does. */
static double next_kick(struct simulated_carriage *carriage, double after_s)
{
    return after_s +
           simulated_random_waiting(carriage->kick_random, carriage->mechanics.kicks_per_hour) * seconds_per_hour;
}

static void rest(struct simulated_carriage *carriage, double now_s)
{
    carriage->phase = SIMULATED_AT_REST;
    carriage->rest_end_s = now_s + carriage->hand.rest_s;
    carriage->until_s = fmin(carriage->rest_end_s, carriage->next_kick_s);
}

void simulated_carriage_init(struct simulated_carriage *carriage, const struct simulated_mechanics *mechanics,
                             const struct simulated_hand *hand, struct simulated_random *hand_random,
                             struct simulated_random *kick_random)
{
    *carriage = (struct simulated_carriage){
        .mechanics = *mechanics, .hand = *hand, .hand_random = hand_random, .kick_random = kick_random};
    simulated_motion_init(&carriage->motion, mechanics);
    carriage->next_kick_s = next_kick(carriage, 0);
    rest(carriage, 0);
}

/* The hand takes hold where the mass is and stops it if it still moves. */
static void take_in_hand(struct simulated_carriage *carriage, double now_s)
{
    carriage->phase = SIMULATED_IN_HAND;
    carriage->pull = simulated_pull_plan(&carriage->hand, carriage->hand_random, now_s, carriage->motion.x_m);
    carriage->until_s = simulated_pull_release_s(&carriage->pull);
}

/* Goes on from the motion's present state, which is that of carriage->until_s. */
static void move_on(struct simulated_carriage *carriage)
{
    double now_s = carriage->until_s;
    if (carriage->motion.resting) {
        rest(carriage, now_s);
    } else if (now_s - carriage->released_s > patience_s) {
        take_in_hand(carriage, now_s);
    } else {
        carriage->phase = SIMULATED_FREE;
        simulated_motion_advance(&carriage->motion);
        carriage->until_s = fmin(carriage->motion.time_s, carriage->next_kick_s);
    }
}

/* Presliding friction follows the hand along its whole way. */
static void slide_along(struct simulated_carriage *carriage)
{
    const struct simulated_pull *pull = &carriage->pull;
    double end_s = carriage->until_s;
    double last = pull->from_m;
    if (carriage->mechanics.presliding_distance_m <= 0)
        return;
    for (double time_s = pull->start_s + slide_step_s; time_s < end_s; time_s += slide_step_s) {
        double next = simulated_pull_displacement(pull, time_s);
        simulated_motion_slide(&carriage->motion, next - last);
        last = next;
    }
}

static void let_go(struct simulated_carriage *carriage)
{
    const struct simulated_pull *pull = &carriage->pull;
    double now_s = carriage->until_s;
    slide_along(carriage);
    while (carriage->next_kick_s <= now_s) /* the hand has held it */
        carriage->next_kick_s = next_kick(carriage, carriage->next_kick_s);
    carriage->released_s = now_s;
    simulated_motion_release(&carriage->motion, now_s, simulated_pull_displacement(pull, now_s),
                             simulated_pull_velocity(pull, now_s) + pull->release_velocity_m_per_s);
    move_on(carriage);
}

/* A blow is short against a cycle: it changes the velocity and not the place. */
static void kick(struct simulated_carriage *carriage)
{
    struct simulated_motion *motion = &carriage->motion;
    double now_s = carriage->until_s;
    /* A mass at rest that gets the velocity omega_n x moves about x far. */
    double omega_n = sqrt(motion->stiffness);
    double velocity = omega_n * simulated_random_between(carriage->kick_random, weakest_kick_m, strongest_kick_m);
    if (carriage->phase == SIMULATED_FREE)
        simulated_motion_cut(motion, now_s);
    else
        carriage->released_s = now_s;
    simulated_motion_release(motion, now_s, motion->x_m,
                             motion->v_m_per_s + simulated_random_sign(carriage->kick_random) * velocity);
    carriage->next_kick_s = next_kick(carriage, now_s);
    move_on(carriage);
}

/* What happens at until_s. In the hand, a kick that was due has no effect. */
static void next_phase(struct simulated_carriage *carriage)
{
    if (carriage->phase == SIMULATED_IN_HAND)
        let_go(carriage);
    else if (carriage->until_s == carriage->next_kick_s)
        kick(carriage);
    else if (carriage->phase == SIMULATED_AT_REST)
        take_in_hand(carriage, carriage->until_s);
    else
        move_on(carriage);
}

/* Several phases may pass between two questions; each is gone through. */
double simulated_carriage_displacement(struct simulated_carriage *carriage, double time_s)
{
    while (time_s >= carriage->until_s)
        next_phase(carriage);
    switch (carriage->phase) {
    case SIMULATED_IN_HAND:
        return simulated_pull_displacement(&carriage->pull, time_s);
    case SIMULATED_FREE:
        return simulated_motion_displacement(&carriage->motion, time_s);
    case SIMULATED_AT_REST:
        break;
    }
    return carriage->motion.x_m;
}
