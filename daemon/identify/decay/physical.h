/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_PHYSICAL_H
#define FRICID_IDENTIFY_PHYSICAL_H

#include "identify/common/estimate.h"
#include "identify/loop/contact_settings.h"

/* What the user knows of the rig. NAN: not configured. */
struct physical_settings {
    double mass_kg;
    double stiffness_n_per_m;
    double gravity_m_per_s2; /* 9.80665 unless configured */
    double metres_per_unit;  /* length of one displacement unit, m; NAN when it is not a length (V, rad, deg) */
    /* Standard uncertainties; NAN: not configured, counts as exact. */
    double u_mass_kg;
    double u_stiffness_n_per_m;
    double u_gravity_m_per_s2;
    double u_gain_percent;    /* of the sensor's gain, percent */
    double u_clock_ppm;       /* of the sampling clock's rate, parts in a million */
    double linearity_percent; /* limit of the sensor's nonlinearity, percent of full scale */
    double full_scale;        /* displacement unit; NAN: the record's largest displacement */
    struct contact_settings contact;
};

/* Nothing configured, standard gravity. */
struct physical_settings physical_default_settings(void);

/* Metres in one `unit` ("mm", "um", "cm", "m", "in", …; "mm" is not "MM"), NAN when the name is not a length. */
double physical_metres_per_unit(const char *unit);

struct physical {
    enum verdict verdict;        /* VERDICT_OK only when all three are there */
    struct estimate c_n_s_per_m; /* 2 zeta sqrt(k m) */
    struct estimate f_k_n;       /* k x_k */
    struct estimate mu;          /* f_k/(m g), for a carriage on a horizontal way */
};

/* The definitions of zeta and x_k (SHK 2007 Eq. 2) turned round, for a carriage on a horizontal way. Each quantity
 * comes out whenever what it is made of is there: c needs mass and stiffness, f_k needs stiffness and a length unit, mu
 * needs all of them; the others are NAN and the verdict is VERDICT_NOT_COMPUTED. Standard errors and intervals are
 * those of zeta and x_k: mass, stiffness and gravity count as exact. An estimate at its bound stays at its bound. */
enum verdict physical_from(const struct physical_settings *settings, const struct estimate *zeta,
                           const struct estimate *x_k, struct physical *physical);

#endif
