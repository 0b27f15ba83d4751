/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_REPORT_JUDGEMENT_JSON_H
#define FRICID_REPORT_JUDGEMENT_JSON_H

#include "identify/identify.h"

#include <jansson.h>

/* What the daemon thinks of its own result: which model, whether it holds, and how uncertain it all is. New
 * references, NULL when memory is short. */

json_t *model_choice_to_json(const struct identification *found);
json_t *drift_to_json(const struct drifts *drifts);
json_t *windows_to_json(const struct amplitude_windows *windows);
json_t *budget_to_json(const struct identification *found);

/* The names of all flags that are raised: "few_effective_samples", "frequency_drift", "damping_drift",
 * "baseline_drift", "mains_hum", "stiffness_contradicts_frequency". */
json_t *flags_to_json(const struct identification *found);

#endif
