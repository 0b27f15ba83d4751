/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TOOLS_GENERATOR_H
#define FRICID_TOOLS_GENERATOR_H

#include "report/field.h"

#include <jansson.h>
#include <stdio.h>

/* What is written at build time out of the tables that the programs walk. */

/* The JSON Schema of a message or a part of one, "result", "summary", "estimate" or "restitution". New reference; NULL
 * when there is no such name, or no memory. */
json_t *schema_of(const char *name);

/* Definitions that schemas share: those of `written`, and the words of all vocabularies. Takes `written` over; NULL
 * passes through. */
json_t *schema_definitions(json_t *written);

/* What fricid-protocol(7) says of every member of a table, as a list of mdoc(7). */
void manual_of(const struct section *section, FILE *stream);

#endif
