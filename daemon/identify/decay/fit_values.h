/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FIT_VALUES_H
#define FRICID_IDENTIFY_FIT_VALUES_H

#include "identify/decay/bounded_step.h"
#include "identify/decay/full_record_fit.h"
#include "identify/decay/scaled_record.h"

/* A finished fit, for whoever asks its residuals further questions. */

/* Whether it has samples, and finite estimates of a motion. */
bool fit_has_values(const struct full_record_fit *fit);

/* Its estimates without their errors, in the record's units. */
void fit_values(const struct full_record_fit *fit, double values[FIT_PARAMETERS]);

/* The same in the units of the scaled record. */
void fit_scaled_values(const struct full_record_fit *fit, const struct scaled_record *scaled,
                       double parameters[FIT_PARAMETERS]);

/* The parameters that it moved. Those at a bound as well: a term that the model lacks may be what holds them there. */
struct free_parameters fit_moved(const struct full_record_fit *fit);

/* A verdict of ok is a promise that the figures are there; a figure is a finite number or NAN. Makes NAN of what is not
 * finite, and returns the verdict that is left. */
enum verdict estimates_checked(enum verdict verdict, enum damping_model model, struct estimate estimate[FIT_PARAMETERS],
                               struct estimate *f_n_hz);

#endif
