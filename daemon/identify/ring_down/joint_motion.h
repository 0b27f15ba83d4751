/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_JOINT_MOTION_H
#define FRICID_IDENTIFY_JOINT_MOTION_H

#include "identify/ring_down/modal_iwan.h"

#include <stddef.h>

/* The free motion of a mode with a joint, integrated to rounding, with the joint's memory by Masing's rules: from a
 * turning point on, the force follows the virgin curve doubled; a loop that closes is forgotten. */
struct joint_motion;

/* Of a completed mode that has the given velocity at the displacement to which it was loaded for the first time; held
 * and let go, the velocity is 0. The motion is at time 0. NULL: no memory. */
struct joint_motion *joint_motion_create(const struct modal_iwan *mode, double displacement, double velocity);
void joint_motion_free(struct joint_motion *motion);

/* Where the mode is, in the sensor's own unit. */
struct joint_state {
    double time_s, displacement, velocity, acceleration;
};

/* Goes on to the time, at the earliest where the motion is. 0, or -ENOMEM, or -ERANGE where no step is short enough, or
 * it takes too many. at: receives the state there. */
int joint_motion_to(struct joint_motion *motion, double time_s, struct joint_state *at);

/* Goes on to the next turning point, but not beyond the time. As joint_motion_to(); 1 where there was no turn. */
int joint_motion_to_turn(struct joint_motion *motion, double latest_s, struct joint_state *at);

#endif
