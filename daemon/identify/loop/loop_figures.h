/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_FIGURES_H
#define FRICID_IDENTIFY_LOOP_FIGURES_H

#include "identify/loop/loop_reversal.h"
#include "identify/loop/loop_signal.h"

#include <gsl/gsl_spline.h>
#include <stdatomic.h>
#include <stdbool.h>

/* What force over displacement comes to, from one lower reversal to the next. */
enum loop_figure {
    LOOP_ENERGY,      /* closed integral of F dx */
    LOOP_STROKE,      /* from the lower to the upper reversal, 2 A */
    LOOP_MIDDLE,      /* half way between them; of a velocity not determined */
    LOOP_PERIOD,      /* s */
    LOOP_K_SEC,       /* (F(x_max) - F(x_min))/2A */
    LOOP_C_EQ,        /* E/integral of v^2 dt */
    LOOP_LOSS_FACTOR, /* E/(pi k_sec A^2) */
    LOOP_FORWARD,     /* mean force over 60 to 95 % of the stroke, upwards */
    LOOP_BACKWARD,    /* and downwards */
    LOOP_FRICTION,    /* half the difference of these two */
    LOOP_MU_FORWARD,  /* the plateaus over the mean normal force there */
    LOOP_MU_BACKWARD,
    LOOP_FIGURES
};

struct loop_figures {
    double start_s, end_s;
    double value[LOOP_FIGURES], se[LOOP_FIGURES]; /* NAN: not determined; se: by the noise and by `between` alone */
    double between; /* u of the energy by what no curve tells of the way between two samples, or of that from the end of
                       a loop to its beginning; within its se */
    double c_eq_beside;   /* by how much c_eq is less with speeds over twice as many samples */
    double stroke_beside; /* by how much it is larger by narrower windows about its reversals */
    double cut;           /* u of the stroke by what is cut off its corners, which they have in common */
    double mean_force, force_range;
    double rest_s; /* at its upper reversal and, in halves, at its lower ones */
    bool returns;  /* ends where it began, in displacement */
    bool closes;   /* ends where it began, in displacement and force */
    bool gap;      /* samples are missing in it: it has no figures */
};

/* The curves through the samples of a signal: cubic splines. */
struct loop_curves {
    gsl_spline *displacement, *force;
    gsl_interp_accel *place;
};

/* Of a signal of three samples and more. 0 or -ENOMEM; loop_curves_clear() in any case. */
int loop_curves_make(const struct loop_signal *signal, struct loop_curves *curves);
void loop_curves_clear(struct loop_curves *curves);

/* Of the loop between three reversals that follow each other, the first of them a lower one. */
struct loop_figures loop_figures_of(const struct loop_signal *signal, const struct loop_curves *curves,
                                    const struct loop_reversal reversal[3]);

/* Of all loops between these reversals in their order, for which there is room; fewer where cancel, which may be NULL,
 * asks to stop. How many they are. */
size_t loop_figures_of_all(const struct loop_signal *signal, const struct loop_curves *curves,
                           const struct loop_reversals *reversals, const atomic_bool *cancel,
                           struct loop_figures *loops);

#endif
