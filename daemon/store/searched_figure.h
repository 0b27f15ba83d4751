/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_SEARCHED_FIGURE_H
#define FRICID_STORE_SEARCHED_FIGURE_H

#include "identify/decay/decay_parameter.h"

/* The figures that results are searched for and put in order by, each a column of the table of results: the main ones
 * of a decay, then those of contacts that are driven. ROW(name, unit, the object of a result that has it where the
 * result itself has none of that name). */
#define CONTACT_FIGURE_ROWS(ROW)                                                                                       \
    ROW(friction, KIND_FORCE, "")                                                                                      \
    ROW(energy, KIND_J, "")                                                                                            \
    ROW(stroke, KIND_DISPLACEMENT, "")                                                                                 \
    ROW(period_s, KIND_S, "")                                                                                          \
    ROW(k_sec, KIND_FORCE_PER_DISPLACEMENT, "")                                                                        \
    ROW(loss_factor, KIND_ONE, "")                                                                                     \
    ROW(mu_forward, KIND_ONE, "")                                                                                      \
    ROW(mu_backward, KIND_ONE, "")                                                                                     \
    ROW(f_c, KIND_FORCE, "loop.ladder.")                                                                               \
    ROW(x_d, KIND_DISPLACEMENT, "loop.ladder.")                                                                        \
    ROW(sigma_0, KIND_FORCE_PER_DISPLACEMENT, "loop.ladder.")                                                          \
    ROW(f_s, KIND_FORCE, "loop.ladder.")                                                                               \
    ROW(v_s, KIND_DISPLACEMENT_PER_S, "loop.ladder.")                                                                  \
    ROW(sigma_2, KIND_FORCE_S_PER_DISPLACEMENT, "loop.ladder.")

/* The first are those of enum main_figure. */
#define SEARCHED_NUMBER(name, unit, within) SEARCHED_##name,
enum searched_figure_id {
    SEARCHED_LAST_OF_DECAYS = MAIN_FIGURES - 1,
    CONTACT_FIGURE_ROWS(SEARCHED_NUMBER) SEARCHED_FIGURES
};

struct searched_figure {
    const char *name; /* in requests; its column */
    enum unit_kind unit;
    const char *within; /* names of objects, each before a dot */
    unsigned since;     /* minor version of the protocol */
};

extern const struct searched_figure searched_figures[SEARCHED_FIGURES];

#endif
