/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_HANDED_FORM_H
#define FRICID_HANDED_FORM_H

#include "proto/complaint.h"
#include "report/kinds/record_kind.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* What a request says of the kind of its record, in `kind` and `columns`. */
struct handed_form {
    const struct record_kind *kind; /* NULL: a free decay */
    const struct kind_form *form;   /* NULL: samples */
    const char *unit;               /* where the request names none */
};

/* Looks at parameters that were checked one by one. False with a complaint when they do not make a record: neither
 * samples nor columns, or what is of the one beside the other, a kind that is found in streams or that there is not,
 * columns that it does not know, a unit that is not that of a column which says its own. */
bool handed_form_of(const json_t *params, struct handed_form *handed, struct complaint *complaint);

/* The form of a table: that which `form` announces, or whose columns are there, a figure in every row. NULL with a
 * complaint. */
const struct kind_form *handed_form_among(const json_t *params, const struct record_kind *kind,
                                          struct complaint *complaint);

/* Whether a piece of a record has all columns of its form, as many figures in each, and nothing of samples. False with
 * a complaint. */
bool handed_piece_fits(const json_t *params, const struct kind_form *form, struct complaint *complaint);

/* How many rows its columns have, and their figures, row after row. */
size_t handed_rows(const json_t *params, const struct kind_form *form);
void handed_copy(const json_t *params, const struct kind_form *form, double *figures);

#endif
