/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_WEIGHING_H
#define FRICID_IDENTIFY_FRICTION_WEIGHING_H

#include "identify/common/ar_model.h"
#include "identify/loop/friction_climb.h"
#include "identify/loop/friction_misfit.h"

#include <stdbool.h>

/* What a climb's fits leave, and how much that speaks for each: BIC on residuals whitened by one filter. */
struct friction_weighing {
    const struct loop_signal *signal;
    struct friction_climb *climb;
    double *residuals; /* room for those of a fit, with AR_MOST + 1 zeros before them */
    struct friction_misfit_room *misfit;
};

bool friction_is_cancelled(const struct friction_weighing *weighing);

/* Of the residuals that are there: their root mean square, their products from sample to sample, their noise, and what
 * that noise's filter leaves of them, as a mean square. In units of the motion. */
double friction_rms(const struct friction_weighing *weighing);
void friction_products(const struct friction_weighing *weighing, double products[AR_MOST + 1]); /* adds mean ones */
void friction_noise(const struct friction_weighing *weighing, struct ar_model *noise);
double friction_innovation(const struct friction_weighing *weighing, const struct ar_model *noise);

/* By how many samples they are known as well as by one of independent ones. */
double friction_memory(const struct friction_weighing *weighing, const struct ar_model *noise);

/* How many a fit has; of elements, of which there are no others that are held, those that it found. */
double friction_unknowns(const struct friction_fit *fit);

/* What the steps of a walk leave, and what is not known of the motion between its samples, is no noise: it is alike in
 * every loop, where that turns, so that few values tell it however many samples there are. For the evidence it is a
 * mean square beside that of samples, of which so many are independent, whose noise keeps this share of its own. */
double friction_floor(double samples, double share);

/* The share of what residuals of that mean square are whitened to by their own noise. */
double friction_share_whitened(const struct ar_model *noise, double mean_square);

double friction_bic(double samples, double mean_square, double floor, double unknowns);

/* The rung that leaves least. */
size_t friction_least_rung(const struct friction_weighing *weighing);

#endif
