/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_RESTITUTION_H
#define FRICID_IDENTIFY_RESTITUTION_H

#include "identify/common/estimate.h"
#include "identify/record_analysis.h"

#include <stddef.h>

/* What was measured of a body that bounces. */
enum restitution_kind {
    RESTITUTION_VELOCITIES, /* pairs: speed before and after an impact; e = |v_out/v_in| */
    RESTITUTION_HEIGHTS,    /* pairs: height before and after an impact; e = sqrt(h_{i+1}/h_i) */
    RESTITUTION_TIMES       /* pairs: a flight time and the next one; e = T_{i+1}/T_i */
};

/* The name that appears in JSON: "velocities", "heights", "flight_times". */
const char *restitution_kind_name(enum restitution_kind kind);

/* One impact: the figure before it and after it, in the same unit. */
struct impact {
    double before, after;
};

/* The coefficient of restitution and the damping ratio of a viscous contact that rebounds so (COR: the half cycle of
 * contact of a mass on spring and damper). */
struct restitution {
    enum verdict verdict;
    enum restitution_kind kind;
    struct estimate e;           /* mean over the impacts; se and Student's interval from their scatter */
    struct estimate zeta;        /* ln(1/e)/sqrt(pi² + ln²(1/e)) */
    struct estimate c_n_s_per_m; /* 2 zeta sqrt(k m); NAN without mass and stiffness */
    double sd;                   /* of a single e */
    size_t impacts;              /* that counted */
    size_t left_out;             /* without a positive, finite e up to 1. One of 1 counts: its loss was below the
                                    resolution, and the mean of the others alone would be too small */
};

/* Needs two impacts that differ for an uncertainty; one, or several that are all alike, give values without. mass_kg
 * and stiffness_n_per_m: NAN when not known. VERDICT_OK, VERDICT_TOO_FEW_SAMPLES (no impact), VERDICT_NOT_DECAYING (all
 * are left out). */
enum verdict restitution_of(enum restitution_kind kind, const struct impact *impacts, size_t count, double mass_kg,
                            double stiffness_n_per_m, struct restitution *result);

/* The same of a record: two traces are pairs, one is a series, whose figures belong each with the one before; a 0 ends
 * it, no bounce followed. Their quantity says what was measured. Found is a struct restitution; VERDICT_NO_MEMORY is
 * possible, too. */
record_analysis analyse_bounces;

/* zeta of a coefficient of restitution, and its derivative dzeta/de. 0 < e <= 1. */
double restitution_zeta(double e, double *per_e);

#endif
