/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MODE_FIGURES_H
#define FRICID_IDENTIFY_MODE_FIGURES_H

#include "identify/common/instrument_estimate.h"
#include "identify/ring_down/law_fitting.h"
#include "identify/ring_down/mode_laws.h"

/* What the laws that a mode follows say of it, with what the instrument adds to the errors. */

/* What a record tells only where the whole joint slips in it; else only between what it is, NAN: nor that. */
struct bounded {
    double value, se;    /* NAN: it does not tell; se is combined */
    const char *reason;  /* why not */
    double lower, upper; /* of a value its 95 % interval */
};

/* One row of the covariance of the joint's figures, in normal noise. */
struct iwan_covariance {
    const char *of;
    double omega_0, c, chi, r;
};
enum { IWAN_COVARIANCES = 4 };

/* The joint of a mode by the modal Iwan model. */
struct ring_down_iwan {
    bool there;
    bool consistent; /* damping and frequency follow the amplitude by one law; else chi, c and r are those of the
                        damping alone */
    struct estimate chi, c, r;
    size_t covariances; /* of omega_0, c, chi and r, row by row; 0: not known */
    struct iwan_covariance covariance[IWAN_COVARIANCES];
    struct estimate damping_exponent, stiffness_exponent; /* each by itself; in the model both are chi + 1 */
    struct bounded f_s, phi_max, k_t, k_inf, beta;
};

/* rad/s. */
struct estimate mode_omega_0_of(const struct law_fit *fit, const struct instrument *instrument);

/* c/(2 omega_0). */
struct estimate mode_zeta_0_of(const struct law_fit *fit, const struct instrument *instrument);

/* The joint by the modal Iwan model. fails: why the law does not hold, where it does not; kept. */
struct ring_down_iwan mode_iwan_of(const struct mode_laws *laws, const struct instrument *instrument,
                                   enum sensed sensed, const char *fails);

#endif
