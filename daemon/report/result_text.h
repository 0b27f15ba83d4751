/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_REPORT_RESULT_TEXT_H
#define FRICID_REPORT_RESULT_TEXT_H

#include "store/kept.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Results as JSON text: written once, in the thread that has them identified, and from there on only put together. To
 * write one takes longer than all else that the event loop does with it. */

/* The document of a result, which has it from then on; NULL when memory is short. */
const char *result_document(struct kept_result *result);

/* Fills in `document` and `summary`, which a result has from then on; 0, also when it has them, or -ENOMEM. */
int result_text_make(struct kept_result *result);

/* Frees them; they are written again when they are asked for. */
void result_text_forget(struct kept_result *result);

/* What a text is not written with. */
struct result_numbers {
    uint64_t seq;    /* 0: null */
    uint64_t run_id; /* put in where a text is of before there were runs; 0: not known here */
};

/* A text with them. */
void write_with_numbers(FILE *stream, const char *text, struct result_numbers numbers);

/* The same in memory of its own; NULL when memory is short. */
char *text_with_numbers(const char *text, struct result_numbers numbers);

/* A summary with them, and whether its decay is protected by now: that is its last member. */
void write_summary(FILE *stream, const char *summary, struct result_numbers numbers, bool is_protected);

/* The same between two other texts. */
char *text_around_result(const char *before, const char *text, struct result_numbers numbers, const char *behind);

#endif
