/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_DEVICES_JSON_H
#define FRICID_SERVICE_DEVICES_JSON_H

#include "acquire/device_survey.h"

#include <jansson.h>
#include <stdint.h>

/* The answer of the method `devices`. NULL survey: none yet. New reference, NULL when memory is short. */
json_t *survey_to_json(const struct device_survey *survey, bool surveying, int64_t taken_at_ns);

#endif
