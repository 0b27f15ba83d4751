/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_SPEED_CURVE_H
#define FRICID_IDENTIFY_SPEED_CURVE_H

#include "identify/common/estimate.h"
#include "identify/curve/curve_choice.h"
#include "identify/record_analysis.h"

/* Friction over speed, from runs at constant speed: which curve it is, both ways together and each way alone. */

enum { CURVE_POINTS = 128, CURVE_WAYS = 2 };

/* What the points of both ways, or of one, come to. */
struct curve_fit {
    enum verdict verdict;
    struct estimate f_c, f_s, dip, v_s, sigma_2, f_0;
    double exponent, se_exponent; /* NAN: there is no dip; of one of 1 and 2 that was chosen there is no error */
    enum curve_dip stribeck;
    bool tie;        /* another exponent explains the points as well */
    double residual; /* root of the weighted mean square, in the unit of the force */
    double residual_without_dip;
    size_t points;
};

struct listed_point {
    double speed, force, model, u_model; /* u: of the curve there */
};

struct speed_curve {
    enum verdict verdict;
    struct curve_fit both;            /* F_0 is known where the points go both ways */
    struct curve_fit way[CURVE_WAYS]; /* forward, backward; forces and speeds as sizes */
    size_t left_out;                  /* at rest */
    size_t listed;
    struct listed_point point[CURVE_POINTS]; /* of more, every second, fourth and so on */
};

/* Of the traces of a velocity, a force and, if there is one, its standard deviation. Found is a struct speed_curve.
 * Verdicts: VERDICT_OK, VERDICT_TOO_FEW_SPEEDS, VERDICT_NOT_FINITE, VERDICT_NOT_POSITIVE (a standard deviation),
 * VERDICT_FORCE_CONSTANT, VERDICT_NEGATIVE_ENERGY. */
record_analysis analyse_curve;

#endif
