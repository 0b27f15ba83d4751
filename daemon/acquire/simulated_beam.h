/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_SIMULATED_BEAM_H
#define FRICID_ACQUIRE_SIMULATED_BEAM_H

#include "acquire/simulated_random.h"

#include <stdbool.h>
#include <stddef.h>

/* A cantilever with a bolted joint that a hammer hits at its tip. Each bending mode has a modal mass of 1, a viscous
 * damper, a spring, and sliders between two plates beside it: R phi^chi of them at slipping displacements up to
 * phi_max, and some that slip there all at once. SI units. */

enum { BEAM_MODES_MOST = 3, BEAM_REVERSALS = 1 << 14 };

struct simulated_beam_settings {
    unsigned modes;            /* 0: there is no beam */
    double frequency_hz, zeta; /* of the first mode at small amplitudes; the others' follow from the shape of a beam */
    double joint_share;        /* of the stiffness that is the stuck joint's; 0: there is no joint */
    double phi_max_m;          /* at which the whole joint slips in the first mode; f_1/f_r squared of it in others */
    double chi, beta;          /* exponent of the sliders' density; stiffness of those at phi_max over the others' */
    double blow_m_per_s2;      /* largest force of the hammer over the modal mass */
    double blow_s, every_s;    /* how long it pushes; between blows */
    double spread;             /* scatter of force and time between blows, relative */
};

/* Where the motion turned, and the joint's force there. */
struct simulated_reversal {
    double at_m, force;
};

struct simulated_beam_mode {
    double k_t, k_inf, c, r, phi_max; /* per modal mass */
    double chi, step_s;
    double q, v, acceleration;
    double direction; /* of the motion: 1, -1, or 0 before it began */
    struct simulated_reversal
        *reversal; /* BEAM_REVERSALS of them; those that the joint still remembers, the oldest first */
    size_t reversals;
};

/* A beam over time; times never decrease. */
struct simulated_beam {
    const struct simulated_beam_settings *settings; /* borrowed */
    struct simulated_random *random;                /* borrowed */
    struct simulated_reversal *room;                /* owned */
    struct simulated_beam_mode mode[BEAM_MODES_MOST];
    double time_s, blow_at_s, blow_strength;
};

/* At rest at 0, the first blow after a second. 0 or -ENOMEM; without modes it owns nothing. */
int simulated_beam_init(struct simulated_beam *beam, const struct simulated_beam_settings *settings,
                        struct simulated_random *random);
void simulated_beam_clear(struct simulated_beam *beam);

void simulated_beam_advance(struct simulated_beam *beam, double time_s);

/* Acceleration there, m/s2; position from 0, the clamp, to 1, the tip. */
double simulated_beam_acceleration(const struct simulated_beam *beam, double position);

/* Frequency of a mode over the first one's. */
double simulated_beam_ratio(size_t mode);

#endif
