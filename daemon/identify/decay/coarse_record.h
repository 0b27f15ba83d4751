/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_COARSE_RECORD_H
#define FRICID_IDENTIFY_COARSE_RECORD_H

#include "identify/decay/scaled_record.h"
#include "identify/decay/swings.h"

#include <stdbool.h>

/* A scaled record in means of several samples, as a scaled record of its own, so that a search costs little until it is
 * near. Borrows the means. Not to be copied: scaled.record points to record. */
struct coarse_record {
    struct decay_record record;
    struct scaled_record scaled;
    double width; /* samples a mean */
    double noise; /* standard deviation of the white noise of a mean */
};

/* False when the record offers no means, or at omega_n (rad a sample) too few a cycle. */
bool coarse_record_from(const struct sample_means *means, double omega_n, struct coarse_record *coarse);

/* Scaled times of the record to times of the coarse one and back. */
double time_to_coarse(const struct coarse_record *coarse, double time);
double time_from_coarse(const struct coarse_record *coarse, double time);

/* Parameters likewise. A mean over part of a cosine is smaller than the cosine, which x_k and X_0 make up for. */
void parameters_to_coarse(const struct coarse_record *coarse, const double *fine, double *parameters);
void parameters_from_coarse(const struct coarse_record *coarse, const double *parameters, double *fine);

#endif
