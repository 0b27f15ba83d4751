/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_SIMULATED_HAND_H
#define FRICID_ACQUIRE_SIMULATED_HAND_H

#include "acquire/simulated_parts.h"
#include "acquire/simulated_random.h"

/* One pull: while it lasts the hand, not the spring, says where the mass is. */
struct simulated_pull {
    double start_s, from_m, to_m;
    double pull_s, hold_s;
    double tremor_m, tremor_rad_per_s, tremor_phase;
    double release_velocity_m_per_s; /* that the letting go adds to the hand's own */
};

/* Plans a pull from where the mass is, to either side at random. */
struct simulated_pull simulated_pull_plan(const struct simulated_hand *hand, struct simulated_random *random,
                                          double start_s, double from_m);

/* When the hand lets go, s. */
double simulated_pull_release_s(const struct simulated_pull *pull);

/* Where the hand holds the mass at a time between start and release, m, and how fast it moves there, m/s. */
double simulated_pull_displacement(const struct simulated_pull *pull, double time_s);
double simulated_pull_velocity(const struct simulated_pull *pull, double time_s);

#endif
