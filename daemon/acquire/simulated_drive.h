/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_SIMULATED_DRIVE_H
#define FRICID_ACQUIRE_SIMULATED_DRIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A drive that moves a contact to and fro, and the friction of the contact. SI units. */

enum simulated_drive_shape {
    SIMULATED_NOT_DRIVEN,
    SIMULATED_SINE,
    SIMULATED_TRIANGLE,
    SIMULATED_TRAPEZOID,  /* a triangle that dwells at its ends */
    SIMULATED_DECREASING, /* half sines, each smaller than the one before; from a twentieth on it begins again */
    SIMULATED_STEPS,      /* triangles, after some cycles faster ones, and again from the first */
    SIMULATED_DRIVES
};
const char *simulated_drive_name(size_t shape); /* "sine", …; NULL behind the last, and for one that does not drive */

struct simulated_drive_settings {
    unsigned shape; /* enum simulated_drive_shape */
    double amplitude_m, frequency_hz;
    double dwell_s;     /* trapezoid: at each end, of the half period */
    double decrease;    /* decreasing: share by which a cycle is smaller */
    double step_factor; /* steps: how much faster the next step is */
    unsigned steps, step_cycles;
};

/* What gives way before all of the contact slides. */
enum simulated_contact_shape {
    SIMULATED_RIGID,
    SIMULATED_DAHL,
    SIMULATED_LUGRE, /* a Dahl contact, by the name that it has with a dip and bristles */
    SIMULATED_ELASTOPLASTIC,
    SIMULATED_BOUC_WEN,
    SIMULATED_CONTACTS
};
const char *simulated_contact_name(size_t shape); /* "rigid", …; NULL behind the last */

struct simulated_contact_settings {
    unsigned shape; /* enum simulated_contact_shape */
    double f_c_n, f_0_n;
    double f_s_n;              /* 0: as f_c_n */
    double v_s_m_per_s, x_d_m; /* of the dip; presliding length */
    double sigma_1, sigma_2;   /* N s/m */
    double z_ba;               /* elastoplastic: elastic below, in x_d */
    double n_bw, beta_bw;      /* Bouc-Wen */
    double normal_n;           /* that presses the contact together */
    double drift_n_per_s;      /* of the zero of force sensors */
};

/* A half cycle: from one end to the other, then a dwell. */
struct simulated_leg {
    double start_s, moves_s, ends_s;
    double from_m, to_m;
};

/* A contact over time; times never decrease. */
struct simulated_contact {
    const struct simulated_drive_settings *drive;     /* borrowed */
    const struct simulated_contact_settings *contact; /* borrowed */
    struct simulated_leg leg;
    uint64_t number;   /* of the leg, from 0 */
    double time_s;     /* where the deflection is known */
    double deflection; /* in x_d */
};

/* At the lower end at 0, with relaxed bristles. */
void simulated_contact_init(struct simulated_contact *contact, const struct simulated_drive_settings *drive,
                            const struct simulated_contact_settings *settings);

/* Displacement, m, and friction, N, at a time; before 0 those at 0. */
double simulated_contact_displacement(struct simulated_contact *contact, double time_s);
double simulated_contact_force(struct simulated_contact *contact, double time_s);

#endif
