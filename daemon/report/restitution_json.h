/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_REPORT_RESTITUTION_JSON_H
#define FRICID_REPORT_RESTITUTION_JSON_H

#include "identify/restitution.h"

#include <jansson.h>

/* What the bounces of one group in a file came to. A new reference, NULL when memory is short. */
json_t *restitution_to_json(const struct restitution *result, const char *file, const char *group);

#endif
