/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_SIMULATED_PARTS_H
#define FRICID_ACQUIRE_SIMULATED_PARTS_H

#include "proto/calibration.h"

/* What a simulated rig is made of, as its settings say it. */

/* The mechanics: m x'' + c x' + k x + friction = hand force, and what real rigs add to it. SI units. */
struct simulated_mechanics {
    double mass_kg;
    double stiffness_n_per_m;
    double zeta;
    double f_k_n;                 /* kinetic friction */
    double f_s_n;                 /* break-away friction, >= f_k_n */
    double drag_per_m;            /* quadratic drag d of d x'|x'|, 1/m; 0: off */
    double cubic_per_m2;          /* kappa of omega_n² (x + kappa x³), 1/m²; 0: off */
    double presliding_distance_m; /* x_d of the Dahl model, m; 0: rigid Coulomb friction */
    double drift_m_per_s;         /* of the sensors' zero */
    double kicks_per_hour;        /* blows by a passer-by; 0: off */
};

/* The hand that pulls the mass aside, waits and lets go. */
struct simulated_hand {
    double pull_m;                   /* mean distance of the pull */
    double pull_spread;              /* relative scatter from pull to pull */
    double pull_s, hold_s;           /* mean durations */
    double rest_s;                   /* wait after the mass has come to rest */
    double tremor_m;                 /* amplitude of the tremor at 8 to 12 Hz */
    double release_velocity_m_per_s; /* scatter of the velocity at release */
};

enum simulated_sensor {
    SIMULATED_LVDT,
    SIMULATED_ENCODER,
    SIMULATED_FORCE,         /* of a driven contact */
    SIMULATED_NORMAL,        /* that presses it together */
    SIMULATED_ACCELEROMETER, /* on a beam that is hit */
    SIMULATED_SENSORS
};

/* One channel of the rig. Displacement units are mm, forces are in N, accelerations in m/s2. */
struct simulated_channel_settings {
    const char *name;
    enum simulated_sensor sensor;
    double noise_mm;                /* standard deviation */
    double step_mm;                 /* LVDT: ADC step */
    double range_mm;                /* LVDT: clips at +- this */
    struct calibration calibration; /* LVDT: volts to mm; the sensor is its inverse */
    double counts_per_mm;           /* encoder */
    unsigned counter_bits;          /* encoder: wraps around at 2^bits */
    double noise, step;             /* N or m/s2: standard deviation, and step of the converter */
    double range;                   /* N or m/s2: clips at +- this */
    double delay_s;                 /* forces: what it tells was so much earlier */
    double position;                /* accelerometers: from 0, the clamp, to 1, the tip */
};

#endif
