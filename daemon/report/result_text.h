/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_REPORT_RESULT_TEXT_H
#define FRICID_REPORT_RESULT_TEXT_H

#include "store/kept.h"

#include <stdint.h>
#include <stdio.h>

/* Results as JSON text: written once, in the thread that has them identified, and from there on only put together. To
 * write one takes longer than all else that the event loop does with it. */

/* The document of a result, which has it from then on; NULL when memory is short. */
const char *result_document(struct kept_result *result);

/* Fills in `document` and `summary`, which a result has from then on; 0, also when it has them, or -ENOMEM. */
int result_text_make(struct kept_result *result);

/* A text with its seq, which it is written without; 0: null. */
void write_with_seq(FILE *stream, const char *text, uint64_t seq);

/* The same in memory of its own; NULL when memory is short. */
char *text_with_seq(const char *text, uint64_t seq);

/* The same between two other texts. */
char *text_around_result(const char *before, const char *text, uint64_t seq, const char *behind);

#endif
