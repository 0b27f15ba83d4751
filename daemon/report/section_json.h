/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_REPORT_SECTION_JSON_H
#define FRICID_REPORT_SECTION_JSON_H

#include "identify/identify.h"

#include <jansson.h>

/* The sections of an identification as the protocol shows them. New references, NULL when memory is short. */

/* An estimate with its uncertainty; `why_missing` is the reason given when there is no value. */
json_t *estimate_to_json(const struct estimate *estimate, const char *why_missing);

/* Completes a section that has a verdict: without a usable answer its `reason` is the verdict's sentence; with one it
 * is `when_fine` where a figure is null, else null. Takes the section over. */
json_t *complete_section(json_t *section, enum verdict verdict, const char *when_fine);

json_t *fit_to_json(const struct full_record_fit *fit);
json_t *extrema_fit_to_json(const struct extrema_fit *fit);

/* At most this many local values are listed, so that a result always fits into one line; `local_total` tells how many
 * there were. */
enum { SECTION_MAX_LOCAL_VALUES = 4000 };

json_t *decrement_to_json(const struct decrement *decrement);
json_t *models_to_json(const struct model_merit *models, size_t count);
json_t *static_friction_to_json(const struct static_friction *bracket);
json_t *physical_to_json(const struct physical *physical, const struct physical_settings *settings);

#endif
