/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_REPORT_COMPARE_RESULTS_H
#define FRICID_REPORT_COMPARE_RESULTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What differs between a result as it was stored and as it comes out today. */
struct result_changes {
    json_t *list;    /* of {id, key, before, after}; NULL: none */
    size_t left_out; /* beyond RESULT_CHANGES_MOST */
};

enum { RESULT_CHANGES_MOST = 1000 };

/* Compares every figure and word that the stored result has, but for sentences and what numbers the revision. Figures
 * that agree within rounding are alike: 1e-9 of their size, or of the largest in their list, or a millionth of their
 * standard uncertainty. The ladders are compared when both results have one, combined uncertainties when none of them
 * depends on earlier releases. Whether there was a change. */
bool compare_results(uint64_t id, const char *stored, const char *fresh, struct result_changes *changes);

/* Whether a stored result is the second answer to its record: it came with a ladder of models that was made to its end,
 * be it one that failed, or is of a kind without a ladder and not provisional. */
bool result_is_final(const char *stored);

/* The list as the protocol shows it. A new reference, NULL when memory is short. */
json_t *result_changes_to_json(const struct result_changes *changes);

void result_changes_clear(struct result_changes *changes);

#endif
