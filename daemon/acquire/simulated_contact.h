/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_SIMULATED_CONTACT_H
#define FRICID_ACQUIRE_SIMULATED_CONTACT_H

#include "acquire/simulated_drive.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The friction of a contact that is driven to and fro. SI units. */

/* What gives way before all of the contact slides. */
enum simulated_contact_shape {
    SIMULATED_RIGID,
    SIMULATED_DAHL,
    SIMULATED_LUGRE, /* a Dahl contact, by the name that it has with a dip and bristles */
    SIMULATED_ELASTOPLASTIC,
    SIMULATED_BOUC_WEN,
    SIMULATED_MAXWELL_SLIP, /* springs side by side, each of which slips at a force of its own */
    SIMULATED_GMS,          /* the same, but what slips comes to its force at a rate */
    SIMULATED_BACKLASH,     /* a gap in series with a spring that slips */
    SIMULATED_CONTACTS
};
const char *simulated_contact_name(size_t shape); /* "rigid", …; NULL behind the last */

/* Whether it consists of elements that slip one by one. */
bool simulated_contact_is_of_elements(size_t shape);

enum { SIMULATED_ELEMENTS_MOST = 8 };

struct simulated_contact_settings {
    unsigned shape; /* enum simulated_contact_shape */
    double f_c_n, f_0_n;
    double f_s_n;              /* 0: as f_c_n */
    double v_s_m_per_s, x_d_m; /* of the dip; presliding length */
    double sigma_1, sigma_2;   /* N s/m */
    double z_ba;               /* elastoplastic: elastic below, in x_d */
    double n_bw, beta_bw;      /* Bouc-Wen */
    double gap_m;              /* backlash: both ways together */
    size_t elements;           /* of Maxwell-slip and GMS, whose f_c_n is the sum of their forces */
    double slip_length_m[SIMULATED_ELEMENTS_MOST], slip_force_n[SIMULATED_ELEMENTS_MOST];
    double attraction_n_per_s; /* GMS: how fast the contact comes to its force */
    double normal_n;           /* that presses the contact together */
    double drift_n_per_s;      /* of the zero of force sensors */
};

/* Force at which all of it slides fast, N. */
double simulated_contact_f_c(const struct simulated_contact_settings *settings);

/* A contact over time; times never decrease. */
struct simulated_contact {
    const struct simulated_drive_settings *drive;     /* borrowed */
    const struct simulated_contact_settings *contact; /* borrowed */
    struct simulated_leg leg;
    uint64_t number;   /* of the leg, from 0 */
    double time_s;     /* where the deflection is known */
    double f_c_n;      /* at which all slides */
    double deflection; /* in x_d: what is elastic or slips gives so many f_c_n */
    double displaced;  /* of backlash, from the middle of the gap, m */
    struct simulated_element {
        double share; /* of its slip force */
        int slips;    /* the sense in which it does; 0: it sticks */
    } element[SIMULATED_ELEMENTS_MOST];
};

/* At the lower end at 0, with relaxed bristles, in the middle of the gap. */
void simulated_contact_init(struct simulated_contact *contact, const struct simulated_drive_settings *drive,
                            const struct simulated_contact_settings *settings);

/* Displacement, m, and friction, N, at a time; before 0 those at 0. */
double simulated_contact_displacement(struct simulated_contact *contact, double time_s);
double simulated_contact_force(struct simulated_contact *contact, double time_s);

#endif
