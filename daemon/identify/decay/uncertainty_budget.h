/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_UNCERTAINTY_BUDGET_H
#define FRICID_IDENTIFY_UNCERTAINTY_BUDGET_H

#include "identify/decay/amplitude_windows.h"
#include "identify/decay/drift.h"
#include "identify/decay/full_record_fit.h"
#include "identify/decay/physical.h"

#include <stdbool.h>

/* The quantities of a result that a paper would print. */
enum budget_quantity {
    BUDGET_F_N_HZ,
    BUDGET_OMEGA_N,
    BUDGET_ZETA,
    BUDGET_X_K,
    BUDGET_X0,
    BUDGET_BIAS,
    BUDGET_OMEGA_D,
    BUDGET_BETA,
    BUDGET_C,
    BUDGET_F_K,
    BUDGET_MU,
    BUDGET_QUANTITIES
};

/* One line of the budget, in the quantity's own unit; NAN: not determined. */
struct budget_line {
    double value;
    double u_stat;   /* from the noise of this record (type A) */
    double u_cal;    /* from sensor, clock, mass, stiffness and gravity (type B) */
    double u_model;  /* drifts, as likely as they are, or terms that a ladder does not see; NAN: not known, adds 0 */
    double u;        /* combined: root of the sum of squares (GUM 5.1.2) */
    double freedom;  /* effective degrees of freedom (Welch-Satterthwaite, GUM G.4.1); INFINITY: type B alone */
    double coverage; /* factor k for 95 %: Student's t */
    double expanded; /* k u */
};

/* Whether k/m is the square of the frequency that was found. */
struct stiffness_check {
    double ratio; /* k/(m omega_n²); NAN when mass or stiffness are not configured */
    double u;     /* its standard uncertainty */
    bool
        warning; /* it differs from 1 by more than 2 u, and by 0.1 more where one of their uncertainties is not known */
};

/* The estimates from which a budget starts, with Student's degrees of freedom. */
struct budget_input {
    const struct estimate *estimate; /* by enum fit_parameter */
    double omega_n_zeta;             /* covariance of these two; NAN: not known */
    double freedom, bias_freedom;    /* of all but the bias; of the bias */
    const struct physical *physical;
    const struct physical_settings *settings;
    const double *by_linearity; /* FIT_PARAMETERS changes by the sensor's nonlinearity at its limit; NULL: none */
    const double *by_model; /* FIT_PARAMETERS: what other models leave uncertain, where that is more; NULL: not asked */
    const struct drifts *drifts; /* as the estimates' own method sees them; where it cannot: no model uncertainty */
    const struct amplitude_windows *windows;
    bool by_extrema; /* the full-record fit was rejected: what it does not follow may hide drifts of any kind */
};

struct uncertainty_budget {
    struct budget_line line[BUDGET_QUANTITIES];
    struct stiffness_check stiffness;
};

/* The budget after the Guide to the Expression of Uncertainty in Measurement. An estimate at its bound has no standard
 * error: its u_stat is the one-sided limit over Student's 95 % quantile. The clock goes into the frequency one to one,
 * the gain into all displacements and not into zeta; a linearity is a limit and enters with its 1/sqrt(3). */
void uncertainty_budget_of(const struct budget_input *input, struct uncertainty_budget *budget);

/* Hands the budget back to the estimates that it is of: those of the decay, its frequency, and physical quantities.
 * Their combined intervals hold the statistical ones, and reach so much farther as the expanded uncertainty does. t0,
 * which has no line, has what a drift would do to it. */
void uncertainty_budget_combine(const struct budget_input *input, const struct uncertainty_budget *budget,
                                struct estimate estimate[FIT_PARAMETERS], struct estimate *f_n_hz,
                                struct physical *physical);

/* Combines what is known of an estimate that is no parameter of all decays: with how far a nonlinearity of the sensor
 * at its limit moves it, and how far other models do. never_negative: then no interval reaches below 0. */
void uncertainty_budget_combine_term(const struct budget_input *input, enum unit_kind unit, double linearity,
                                     double model, bool never_negative, struct estimate *estimate);

#endif
