/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_DECAY_PARAMETER_H
#define FRICID_IDENTIFY_DECAY_PARAMETER_H

#include "identify/common/unit_kind.h"

#include <stdbool.h>

/* To which power a kind of unit holds the unit of displacement and that of time. */
struct unit_powers {
    int displacement, time;
};

struct unit_powers unit_kind_powers(enum unit_kind kind);

/* The parameters of the closed form (decay_model.h), in the order of every Jacobian, covariance and correlation matrix.
 * A model has them all but for the damping terms that it lacks. */
enum fit_parameter { FIT_OMEGA_N, FIT_ZETA, FIT_X_K, FIT_X0, FIT_BIAS, FIT_T0, FIT_PARAMETERS };

/* From where a parameter is counted: a record's own zeros are no part of its units. */
enum parameter_origin { FROM_NOTHING, FROM_ZERO_OF_DISPLACEMENT, FROM_ZERO_OF_TIME };

/* One of them. */
struct decay_parameter {
    const char *name;   /* in JSON */
    const char *symbol; /* on paper */
    enum unit_kind unit;
    enum parameter_origin origin;
    const char *term;  /* of the damping, what it is called: 0 where a model lacks it, with a likelihood ratio where it
                          does not; a model has the name of its terms, in small letters with + between. NULL: none */
    bool not_negative; /* 0 is its bound, and a possible value */
    double below;      /* which it does not reach; INFINITY: no such limit */
    const char *about; /* what it is, a phrase */
};

/* By enum fit_parameter. */
extern const struct decay_parameter decay_parameters[FIT_PARAMETERS];

/* The figures that tell one decay from the next: results are listed with those of the recommended section, searched for
 * them and put in their order. */
enum main_figure { MAIN_F_N, MAIN_ZETA, MAIN_X_K, MAIN_X0, MAIN_FIGURES };

/* By enum main_figure: parameters, and what stands for one. */
extern const struct decay_parameter *const main_figures[MAIN_FIGURES];

/* The names of these, for columns of tables, which want literals. */
#define NAME_F_N_HZ "f_n_hz"
#define NAME_ZETA "zeta"
#define NAME_X_K "x_k"
#define NAME_X0 "x0"

/* What a figure of this kind is measured in where displacement and time have these units. */
double unit_of_kind(enum unit_kind kind, double displacement, double time);

#endif
