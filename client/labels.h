/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_LABELS_H
#define FRICID_CLIENT_LABELS_H

#include "client/screen.h"
#include "report/tables.h"

#include <jansson.h>

/* What the fields of a result are called on paper, and what they are measured in: from the tables that the daemon
 * writes results by. */

struct labelled {
    const char *name; /* in JSON; NULL: there is no such field */
    const char *label;
    struct unit_text unit;
};

/* unit: of displacement. */
struct labelled labelled_field(const struct field *field, const char *unit, const struct glyphs *glyphs);
struct labelled labelled_named(const struct section *section, const char *name, const char *unit,
                               const struct glyphs *glyphs);

/* A quantity of the budget, by its name; one that the tables do not know is called by its name. */
struct labelled labelled_quantity(const char *name, const char *unit, const struct glyphs *glyphs);

/* The next estimate of a section; a cursor begins as {0}. False at the end. */
bool next_estimate(const struct section *section, struct field_cursor *cursor);

/* The next of those that tell one decay from the next: frequency and damping. What the model of this object lacks is
 * left out; NULL: nothing is. */
bool next_headline(const struct section *section, const json_t *object, struct field_cursor *cursor);

/* The table of the section that a result recommends, that of `fit` for one from a newer daemon; NULL when there is
 * none. */
const struct section *recommended_table(const json_t *result);

#endif
