/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_REPORT_CLASSICAL_JSON_H
#define FRICID_REPORT_CLASSICAL_JSON_H

#include "identify/identify.h"

#include <jansson.h>

/* The classical special cases as the protocol shows them. New references, NULL when memory is short. */

json_t *logarithmic_decrement_to_json(const struct logarithmic_decrement *result);
json_t *linear_decrement_to_json(const struct linear_decrement *result);
json_t *jacobsen_ayre_to_json(const struct jacobsen_ayre *result);

#endif
