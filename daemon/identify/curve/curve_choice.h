/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_CURVE_CHOICE_H
#define FRICID_IDENTIFY_CURVE_CHOICE_H

#include "identify/curve/stribeck_fit.h"

#include <stdbool.h>
#include <stddef.h>

/* Which of Stribeck's curves points follow, and how far the others that explain them, too, lie from it. */

/* What became of Stribeck's dip. */
enum curve_dip {
    CURVE_DIP_FOUND,
    CURVE_DIP_NONE,        /* the points do not ask for one */
    CURVE_DIP_SMALL,       /* they do, but it is below CURVE_DIP_LEAST of its standard errors */
    CURVE_DIP_OUTSIDE,     /* they do, but with v_s outside the speeds */
    CURVE_DIP_UPSIDE_DOWN, /* friction grows where it should fall */
    CURVE_DIPS
};
const char *curve_dip_name(size_t dip); /* as in JSON; NULL behind the last */

/* From so many of its standard errors on a dip is seen. */
#define CURVE_DIP_LEAST 4

struct curve_choice {
    struct stribeck_fit fit[STRIBECK_MODELS];
    double bic[STRIBECK_MODELS];  /* INFINITY: there is no such curve */
    double odds[STRIBECK_MODELS]; /* against the others, 0 to 1 */
    enum stribeck_model told;     /* the curve; its dip may be one that is not seen */
    enum curve_dip stribeck;
    bool tie; /* another exponent explains the points as well */
};

/* The curve with the least BIC, or one as good whose dip is seen. 0, or as stribeck_fit(). */
int curve_choose(const struct curve_point *points, size_t count, struct curve_choice *choice);

/* Of a sum of parameters of the curve that is told, by its derivatives: the mean square of what all curves with these
 * parameters say instead, each by its odds. What is left out for want of points to tell it would bend the others. NAN:
 * it is not told. */
double curve_choice_variance(const struct curve_choice *choice, const double by[STRIBECK_PARAMETERS]);

#endif
