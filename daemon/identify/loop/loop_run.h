/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_RUN_H
#define FRICID_IDENTIFY_LOOP_RUN_H

#include "identify/common/estimate.h"
#include "identify/loop/loop_figures.h"

#include <stddef.h>

/* Loops that follow each other and are alike. */

/* Why a run has no further loop. */
enum loop_run_end {
    LOOP_RUN_STROKE, /* another stroke, or one ends at the displacement where it began, the other does not */
    LOOP_RUN_PERIOD,
    LOOP_RUN_MEAN_FORCE,
    LOOP_RUN_REST, /* the displacement rests, or does so no more */
    LOOP_RUN_GAP,
    LOOP_RUN_RECORD_ENDS,
    LOOP_RUN_ENDS
};
const char *loop_run_end_name(size_t end); /* NULL behind the last */

/* How a figure changes over a run. */
struct loop_drift {
    enum loop_figure figure;
    double scatter;      /* of a single loop about its drift, as a share of the mean; of the middle, of the stroke */
    double change;       /* over the whole run, likewise; NAN: too few loops to tell it from scatter */
    double significance; /* |change|/(its standard uncertainty) */
};
const char *loop_figure_name(size_t figure); /* NULL behind the last */

struct loop_run {
    size_t first, count; /* loops, those without figures among them counted */
    double start_s, end_s;
    enum loop_run_end ended_by;
    struct estimate figure[LOOP_FIGURES]; /* means over the loops */
    double scatter[LOOP_FIGURES];         /* standard deviation of a single loop about its drift; NAN: one loop */
    struct loop_drift drift[LOOP_FIGURES];
};

/* Why the second of two loops that follow each other is not of the first one's run; LOOP_RUN_RECORD_ENDS: it is. */
enum loop_run_end loops_differ(const struct loop_figures *one, const struct loop_figures *next);

/* Of `count` (at least 1) loops, all of which have figures. */
void loop_run_summarise(const struct loop_figures *loops, size_t count, struct loop_run *run);

#endif
