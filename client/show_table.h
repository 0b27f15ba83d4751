/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_SHOW_TABLE_H
#define FRICID_CLIENT_SHOW_TABLE_H

#include "client/phrase.h"
#include "client/screen.h"
#include "report/kinds/record_kind.h"

#include <jansson.h>
#include <stdio.h>

/* Whoever would take the figures of a first answer for the last word is told that they are not. */
void show_provisional(const json_t *result, FILE *out);

/* Results of records that are tables, which were handed in: all from the table of their kind. */

/* The kind of a result or summary; that of decays where a daemon before 1.2 tells none. NULL: one of a later daemon. */
const struct record_kind *shown_kind(const json_t *result);

/* Why a record of a kind that tells it is not `ok`, once for all the figures that it lacks; NULL where it is. */
const char *show_why_not_ok(const json_t *result);

/* The sheet below the title. `intervals`: with those of 95 %. 0, or -ENOMEM. */
int show_table(const json_t *result, const struct record_kind *kind, bool intervals, const struct glyphs *glyphs,
               FILE *out);

/* The next of the headlines, "zeta 0.052(8)", from a cursor of zeros on; empty behind the last one. */
struct phrase describe_next_headline(const json_t *result, struct field_cursor *cursor, const struct glyphs *glyphs);

/* The headlines in a line, "e 0.85(2), zeta 0.052(8)", of a result or a summary; empty for decays. */
struct phrase describe_headlines(const json_t *result, const struct glyphs *glyphs);

#endif
