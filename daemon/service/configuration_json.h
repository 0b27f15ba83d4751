/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_CONFIGURATION_JSON_H
#define FRICID_SERVICE_CONFIGURATION_JSON_H

#include <jansson.h>

/* A configuration as the client gets it; path NULL: the built-in defaults. New reference; NULL when memory is short. */
json_t *configuration_to_json(const char *id, const char *path, const char *text);

#endif
