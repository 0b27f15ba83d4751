/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_REPORT_RUN_JSON_H
#define FRICID_REPORT_RUN_JSON_H

#include "store/find_run.h"

#include <jansson.h>

/* A run as the protocol shows it; NULL when memory is short. */
json_t *run_to_json(const struct found_run *run);

#endif
