/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_SIMULATED_MOTION_H
#define FRICID_ACQUIRE_SIMULATED_MOTION_H

#include "acquire/simulated_parts.h"

#include <stdbool.h>

/* The free motion of the carriage: m x'' + c x' + k (x + kappa x³) + m d x'|x'| + friction = 0, integrated from
 * velocity zero to velocity zero with Taylor series, which give the motion between the steps as well. Friction is rigid
 * (f_k sign x', break-away at f_s) or Dahl's (f_k z, z' = (x'/x_d)(1 - z sign x')). Nothing here knows a solution. */

enum { SIMULATED_TERMS = 21 };

struct simulated_motion {
    /* the equation, divided by the mass */
    double damping;   /* 2 zeta omega_n, 1/s */
    double stiffness; /* omega_n², 1/s² */
    double cubic;     /* kappa, 1/m² */
    double drag;      /* d, 1/m */
    double kinetic;   /* f_k/m, m/s² */
    double breakaway; /* f_s/m, m/s² */
    double presliding_m;
    double slide_unit_s, presliding_unit_s; /* inverse circular frequencies: of the spring, and with z as a spring */

    /* the state at time_s, where the latest stretch ends */
    double time_s, x_m, v_m_per_s;
    double slip;      /* Dahl's z */
    double next_sign; /* of the velocity from here on */
    bool resting;

    /* the latest stretch: power series in (time - start_s)/unit_s */
    double start_s, unit_s;
    double sign;                 /* of the velocity in it */
    double x[SIMULATED_TERMS];   /* m */
    double v[SIMULATED_TERMS];   /* m/s */
    double lag[SIMULATED_TERMS]; /* 1 - z sign x': what presliding friction still lacks */
};

void simulated_motion_init(struct simulated_motion *motion, const struct simulated_mechanics *mechanics);

/* Lets the mass go at a time, displacement and velocity; it may stick at once. */
void simulated_motion_release(struct simulated_motion *motion, double time_s, double x_m, double v_m_per_s);

/* Integrates the next stretch: as far as the series hold, at most to the next velocity zero, where v_m_per_s becomes
 * exactly 0 and the mass may come to rest. Not when it rests. */
void simulated_motion_advance(struct simulated_motion *motion);

/* Displacement at a time within the latest stretch, m. */
double simulated_motion_displacement(const struct simulated_motion *motion, double time_s);

/* Ends the latest stretch earlier: the state becomes that at time_s. */
void simulated_motion_cut(struct simulated_motion *motion, double time_s);

/* Moves the mass by hand: only presliding friction remembers it. Monotone moves of any length. */
void simulated_motion_slide(struct simulated_motion *motion, double distance_m);

#endif
