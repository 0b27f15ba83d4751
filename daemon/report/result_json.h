/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_REPORT_RESULT_JSON_H
#define FRICID_REPORT_RESULT_JSON_H

#include "store/kept.h"

#include <jansson.h>
#include <stdint.h>

/* A result as the protocol shows it: every key always present, a number that could not be determined is null with a
 * reason beside it. seq 0: not published (offline, or identified on request), then `seq` and `id` are null. New
 * reference, NULL when memory is short. */
json_t *result_to_json(const struct kept_result *result, uint64_t seq);

/* The short form of results.list: identity, verdict and main figures. */
json_t *result_summary_to_json(const struct kept_result *result, uint64_t seq);

#endif
