/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_AMPLITUDE_LAW_H
#define FRICID_IDENTIFY_AMPLITUDE_LAW_H

#include "identify/ring_down/modal_iwan.h"

#include <stdbool.h>
#include <stddef.h>

/* How a mode's frequency and damping follow its amplitude. x is ln A/A_0, where A_0 is the displacement amplitude at
 * which the record begins, so that a law does not know how large the motion is. */
enum { LAW_PARAMETERS = 48 };

/* At one x: alpha = -dx/dt, omega = rate of the phase, their derivatives by x and by every parameter of the law. */
struct law_rates {
    double alpha, alpha_x, alpha_p[LAW_PARAMETERS];
    double omega, omega_x, omega_p[LAW_PARAMETERS];
};

struct amplitude_law {
    size_t parameters;
    double parameter[LAW_PARAMETERS];
    double constant[8]; /* what `prepare` made of the parameters */
    const void *basis;  /* borrowed; of laws that need one */
    /* To be called when the parameters have changed. */
    void (*prepare)(struct amplitude_law *law);
    /* False where the parameters have no motion at x. */
    bool (*rates)(const struct amplitude_law *law, double x, struct law_rates *rates);
    /* The joint that has this law where the amplitude at x = 0 is amplitude_0; NULL: none has it. */
    struct modal_iwan (*joint)(const struct amplitude_law *law, double amplitude_0);
};

#endif
