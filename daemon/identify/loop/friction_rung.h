/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_RUNG_H
#define FRICID_IDENTIFY_FRICTION_RUNG_H

#include "identify/common/estimate.h"
#include "identify/loop/friction_term.h"
#include "identify/loop/loop_parts.h"

#include <stdbool.h>

/* Terms that any contact may have; models with them are climbed where the best without asks for one. */
enum { FRICTION_BESIDE_TERMS = 5 };

/* Models of a climb at most. */
enum { FRICTION_RUNGS = 185 };

/* What a model says of a parameter. */
struct friction_figure {
    double value, se, low, high; /* in units of the record, 95 %; NAN with a reason */
    const char *reason;          /* why one of these is missing; NULL: none is */
    double u;                    /* combined standard uncertainty; friction_ladder_combine() fills it in */
    bool logarithmic;            /* low and high are as many times below and above the value */
};

/* An exponent that a dip may have, and what its static level and velocity are if it has that. */
struct friction_exponent {
    double exponent;
    double share; /* of the likelihood of all that are told */
    struct friction_figure f_s, v_s;
};

/* Both, where the record does not tell which it is: first that of the model. */
struct friction_exponents {
    size_t count;
    struct friction_exponent exponent[2];
};

/* An element of Maxwell-slip, in units of the record. */
struct friction_spectrum_line {
    struct friction_figure slip_length, slip_force;
    double fitted_length, fitted_force; /* where the fit stands, whether the record determines it or not */
};

/* By the slip lengths; without those that vanish. */
struct friction_spectrum {
    size_t count;
    struct friction_spectrum_line element[FRICTION_ELEMENTS];
};

/* No model has more parameters of its own. */
enum { FRICTION_FITTED = 15 };

/* The constant offset of a part of a record. */
struct friction_part_offset {
    struct friction_figure figure;
    size_t count;                       /* 0: the offset is not known */
    double covariance[FRICTION_FITTED]; /* with each parameter of the fit, in the order of friction_rung.fitted */
};

/* Of each part; that of the first is FRICTION_F_0, too. */
struct friction_offsets {
    size_t count;
    struct friction_part_offset part[LOOP_PARTS];
};

/* Where a fit stands in one of its parameters, whether the record determines it or not: what predictions begin with. */
struct friction_fitted {
    int parameter; /* enum friction_parameter */
    double value;  /* in units of the record */
    size_t count;
    /* With each parameter of the fit, in their order. Where the record tells nothing, a parameter is taken to be as far
     * off as changes the force by the Coulomb level. */
    double covariance[FRICTION_FITTED];
};

struct friction_rung {
    int row;              /* of friction_rows */
    enum verdict verdict; /* VERDICT_OK; else it has no figures */
    bool reduced;         /* a term vanishes at its bound: it is a simpler model, and is not chosen */
    struct friction_figure figure[FRICTION_PARAMETERS];
    struct friction_spectrum spectrum;
    struct friction_offsets offsets;
    double rms;      /* of the residual */
    double evidence; /* BIC on whitened residuals; the least is the best */
    double stribeck_exponent;
    size_t fitted_count; /* all parameters of the model but those that follow; 0: there is no fit */
    struct friction_fitted fitted[FRICTION_FITTED];
};

#endif
