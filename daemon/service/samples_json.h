/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_SAMPLES_JSON_H
#define FRICID_SERVICE_SAMPLES_JSON_H

#include "store/kept.h"

#include <jansson.h>
#include <stddef.h>

/* Samples [offset, offset + wanted) of a decay, as far as there are so many; pre-trigger samples come first. New
 * reference; NULL when memory is short. */
json_t *samples_to_json(const struct kept_decay *kept, size_t offset, size_t wanted);

#endif
