/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_UNCERTAINTY_H
#define FRICID_IDENTIFY_LOOP_UNCERTAINTY_H

#include "identify/common/estimate.h"
#include "identify/curve/speed_curve.h"
#include "identify/decay/physical.h"
#include "identify/loop/friction_ladder.h"
#include "identify/loop/loop_figures.h"

/* What the instruments' uncertainties make of figures of loops. */

/* Loops as they were found, all figures of them. */
struct loops_seen {
    const struct contact_settings *settings;
    const struct loop_signal *measured;  /* what was corrected */
    const struct loop_signal *corrected; /* by these settings */
    const struct loop_reversals *reversals;
    const struct loop_figures *loop; /* loop_figures_of_all() of these reversals */
    size_t count;
    const atomic_bool *cancel; /* NULL: nobody asks to stop */
};

/* Some of them, which follow each other, and the means of their figures. */
struct loops_mean {
    size_t first, count;
    struct estimate *figure;       /* LOOP_FIGURES of them */
    double variance[LOOP_FIGURES]; /* 0 before; what follows adds to it */
};

/* What delays, moving mass and stiffness of the path add to the variances of means, each by the means of figures that
 * are made anew with a setting that is off by its uncertainty. 0, -ENOMEM or -ECANCELED. */
int loops_mean_variances(const struct loops_seen *seen, struct loops_mean *means, size_t count);

/* What the steps of the displacement's converter add, where no noise blurs them: they lie alike in every loop of a
 * drive that is steady, so that no scatter tells of them. measured: what was looked at with loop_signal_look(). */
void loops_mean_add_steps(const struct loop_signal *measured, struct loops_mean *mean);

/* What curves through samples do not tell of the way between two of them: a drive that is steady has its samples at the
 * same places of every loop, so that no scatter tells of it, either. */
void loops_mean_add_between(const struct loop_figures *loops, struct loops_mean *mean);

/* What is cut off corners is told by corners together, and is off by as much in all loops. */
void loops_mean_add_cuts(const struct loop_figures *loops, struct loops_mean *mean);

/* What rests that the noise hides in each loop do to the speed, and with it to c_eq, where the loops together show it.
 */
void loops_mean_add_hidden_rests(const struct loop_figures *loops, struct loops_mean *mean);

/* Likewise what turns that are no corners, crests or levels do to the stroke: windows of another width have another. */
void loops_mean_add_shapes(const struct loop_figures *loops, struct loops_mean *mean);

/* Gives the means their combined uncertainties: those of the noise and the scatter, these variances, and what gains and
 * clock do. A mean without a standard uncertainty gets none. */
void loops_mean_combine(const struct physical_settings *settings, const struct loops_mean *mean);

/* Gives friction over speed its combined uncertainties: those of its points, the gains and the clock. */
void loop_curve_combine(const struct physical_settings *settings, struct speed_curve *curve);

/* The damping ratio of a mass on a spring that c_eq damps, c_eq/(2 sqrt(k m)), of c_eq with its combined uncertainty.
 * Unknown where mass or stiffness are not configured. */
struct estimate loop_damping_ratio(const struct physical_settings *settings, const struct estimate *c_eq);

/* The combined uncertainties of the parameters of all models of a ladder: of the residual, the gains, the clock, the
 * delay of the force (sigma_1 >= sigma_0 u(delay), and k_x likewise in sigma_2) and the stiffness of its path. */
void friction_ladder_combine(const struct physical_settings *settings, struct friction_ladder *ladder);

#endif
