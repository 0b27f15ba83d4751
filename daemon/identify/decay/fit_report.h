/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FIT_REPORT_H
#define FRICID_IDENTIFY_FIT_REPORT_H

#include "identify/decay/decay_minimiser.h"
#include "identify/decay/full_record_result.h"

/* Everything not determined: NAN, zero and VERDICT_NOT_COMPUTED. */
void fit_report_clear(enum damping_model model, struct full_record_fit *fit);

/* Turns a minimiser's end point (scaled units) into estimates with their uncertainty, figures about the residual and,
 * where those forbid "ok", another verdict. noise: white noise of the record, scaled. residual_only: standard errors as
 * if the noise were white, whatever the residual says. */
void fit_report(const struct decay_minimiser *minimiser, const double *parameters, struct normal_equations *normal,
                double noise, bool residual_only, struct full_record_fit *fit);

#endif
