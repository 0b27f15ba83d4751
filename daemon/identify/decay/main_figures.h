/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MAIN_FIGURES_H
#define FRICID_IDENTIFY_MAIN_FIGURES_H

#include "identify/decay/identify.h"

/* The recommended section of an identification; without one, figures are NAN. */
struct main_figures {
    unsigned terms; /* of the model that was chosen, bits LADDER_BIT(); 0: none */
    struct estimate figure[MAIN_FIGURES];
    double u[MAIN_FIGURES]; /* combined, of the budget */
    double rms;             /* of the residuals */
};

struct main_figures main_figures_of(const struct identification *identification);

/* "fit", "extrema_fit", "ladder"; NULL for none. */
const char *recommended_name(enum recommended recommended);

#endif
