/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_REPORT_SECTION_JSON_H
#define FRICID_REPORT_SECTION_JSON_H

#include "report/field.h"

#include <jansson.h>

/* A struct as the protocol shows it: all keys of its table are always there, and where one is null, `reason` says why.
 * New reference, NULL when memory is short. */
json_t *section_to_json(const struct section *section, const void *data);

#endif
