/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_HALF_POWER_H
#define FRICID_IDENTIFY_HALF_POWER_H

#include "identify/common/estimate.h"
#include "identify/record_analysis.h"

/* Damping from the width of a resonance at half of its power: zeta = (f_2 - f_1)/(f_1 + f_2). That presumes a damping
 * that is the same all over the peak. Friction's depends on the amplitude: the rule holds where the response was held
 * constant, and reads too much where the force was. */
struct half_power {
    enum verdict verdict;
    struct estimate zeta, f_n; /* f_n: undamped; of an unknown quantity: of the summit */
    struct estimate f_1, f_2;  /* where it has fallen to its 1/sqrt(2), below and above */
    double response;           /* mean amplitude between these */
    double response_spread;    /* there: range over mean */
    double force_spread;       /* likewise; NAN: no force was measured */
    bool response_constant;    /* the spread of the response is at most HALF_POWER_SPREAD */
    bool amplitude_dependent;  /* it is not, the peak is none of a damping without friction, and no other is seen */
    double second_peak;        /* frequency of another maximum; NAN: there is none */
    double noise;              /* scatter about smooth pieces, as a share of the amplitude */
    double misfit;             /* about one linear resonance, likewise */
    size_t points;             /* frequencies */
};

#define HALF_POWER_SPREAD 0.2

/* Of the traces of a response amplitude, a frequency and, if there is one, a force; rows in any order, of
 * which those of one frequency are a point of their means. Found is a
 * struct half_power. Verdicts: VERDICT_OK, VERDICT_TOO_FEW_SAMPLES, VERDICT_NOT_FINITE, VERDICT_NOT_POSITIVE,
 * VERDICT_NO_PEAK, VERDICT_NO_HALF_POWER. */
record_analysis analyse_response;

#endif
