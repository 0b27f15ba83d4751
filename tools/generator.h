/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TOOLS_GENERATOR_H
#define FRICID_TOOLS_GENERATOR_H

#include "report/field.h"
#include "report/kinds/record_kind.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* What is written at build time out of the tables that the programs walk. */

/* The JSON Schema of a message or a part of one, "result", "summary", "estimate", or what a kind of record
 * calls its result. New reference; NULL
 * when there is no such name, or no memory. */
json_t *schema_of(const char *name);

/* Definitions that schemas share: those of `written`, and the words of all vocabularies. Takes `written` over; NULL
 * passes through. */
json_t *schema_definitions(json_t *written);

/* The JSON Schema of the parameters of a method, "zero.params"; NULL when there is no such method. */
json_t *schema_of_params(const char *file);

/* The JSON Schema of a request. */
json_t *schema_of_request(void);

/* A phrase, and what stands behind it, as a sentence. */
json_t *schema_sentence(const char *phrase, const char *behind);

/* A schema under its name and title; takes it over. */
json_t *schema_with_head(json_t *schema, const char *name, const char *title);

/* What fricid-protocol(7) says of the parameters of a method. False: there is no such method. */
bool manual_of_params(const char *name, FILE *stream);

/* What fricid-protocol(7) says of every member of a table, as a list of mdoc(7). */
void manual_of(const struct section *section, FILE *stream);

/* The same of what is found in a table of a kind that is handed in, and how it is handed in. */
void manual_of_kind(const struct record_kind *kind, FILE *stream);

#endif
