/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_H
#define FRICID_IDENTIFY_LOOP_H

#include "identify/curve/speed_curve.h"
#include "identify/loop/friction_ladder.h"
#include "identify/loop/loop_run.h"
#include "identify/record_analysis.h"

/* From force and displacement of a contact that is driven to and fro to its loops, and what they come to. */

enum {
    LOOPS_LISTED = 128, /* of more, every second, fourth, … is listed */
    LOOP_RUNS = 32,
};

struct listed_loop {
    size_t number; /* from 1, of all loops of the record */
    struct loop_figures figures;
};

struct loop_findings {
    enum verdict verdict;
    char lacks[64];                         /* what the record is too short or too long by; empty: nothing */
    const char *no_coefficient;             /* why there may be no coefficient of friction */
    struct estimate figure[LOOP_FIGURES];   /* of the run with most loops: means over these */
    struct loop_drift drift[LOOP_FIGURES];  /* over it */
    double noise_displacement, noise_force; /* of the displacement with what lasts; NAN: the record was not looked at */
    size_t loops, runs;                     /* in the whole record */
    size_t main_run;                        /* number of the run that the figures are of, from 1; 0: there is none */
    size_t main_first, main_count;          /* its loops */
    struct estimate zeta;                   /* of the mass and stiffness that are configured, as c_eq damps them */
    struct contact_settings contact;        /* by which the record was corrected */
    size_t listed_loops, listed_runs;
    struct listed_loop loop[LOOPS_LISTED];
    struct loop_run run[LOOP_RUNS];
    struct friction_ladder ladder;
    struct speed_curve stribeck; /* of the main run */
};

/* Standard deviations of a normal distribution from which on a drift is hardly by chance, of a dozen figures that are
 * looked at. */
#define LOOP_DRIFT_SIGNIFICANT 3

/* Of the traces of a displacement, or a velocity, a force, a time and, if it was measured, the normal force. Found is a
 * struct loop_findings. Verdicts: VERDICT_OK; VERDICT_TOO_FEW_SAMPLES, VERDICT_NOT_FINITE, VERDICT_TIME_NOT_INCREASING,
 * VERDICT_NO_MOTION, VERDICT_FORCE_CONSTANT, VERDICT_FORCE_STANDS_STILL, VERDICT_FORCE_CLIPPED,
 * VERDICT_DISPLACEMENT_CLIPPED, VERDICT_NO_LOOP, VERDICT_NEGATIVE_ENERGY, VERDICT_NO_SLIP. */
record_analysis analyse_loop;

#endif
