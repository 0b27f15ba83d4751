/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "store/searched_figure.h"

#define CONTACT_FIGURE(called, of_unit, in) [SEARCHED_##called] = {#called, of_unit, in, 15},

const struct searched_figure searched_figures[SEARCHED_FIGURES] = {[MAIN_F_N] = {NAME_F_N_HZ, KIND_HZ, "", 0},
                                                                   [MAIN_ZETA] = {NAME_ZETA, KIND_ONE, "", 0},
                                                                   [MAIN_X_K] = {NAME_X_K, KIND_DISPLACEMENT, "", 0},
                                                                   [MAIN_X0] = {NAME_X0, KIND_DISPLACEMENT, "", 0},
                                                                   CONTACT_FIGURE_ROWS(CONTACT_FIGURE)};
