/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_PHYSICAL_H
#define FRICID_IDENTIFY_PHYSICAL_H

#include "identify/estimate.h"

/* What the user knows of the rig. NAN: not configured. */
struct physical_settings {
    double mass_kg;
    double stiffness_n_per_m;
    double gravity_m_per_s2; /* 9.80665 unless configured */
    double metres_per_unit;  /* length of one displacement unit, m; NAN when it is not a length (V, rad, deg) */
};

/* Nothing configured, standard gravity. */
struct physical_settings physical_default_settings(void);

/* Metres in one `unit` ("mm", "um", "cm", "m", "in", …), NAN when the name is not a length. */
double physical_metres_per_unit(const char *unit);

struct physical {
    enum verdict verdict;        /* VERDICT_NOT_COMPUTED when mass or stiffness is not configured */
    struct estimate c_n_s_per_m; /* 2 zeta sqrt(k m) */
    struct estimate f_k_n;       /* k x_k */
    struct estimate mu;          /* f_k/(m g), for a carriage on a horizontal way */
};

/* SHK 2007 §2, theory of a carriage on a horizontal way. */
enum verdict physical_from(const struct physical_settings *settings, const struct estimate *zeta,
                           const struct estimate *x_k, struct physical *physical);

#endif
