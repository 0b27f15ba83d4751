/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_REPORT_MISSING_FIELDS_H
#define FRICID_REPORT_MISSING_FIELDS_H

#include <stddef.h>

/* The text of a result of a kind whose findings have a table of their own, as it was stored, with what that table has
 * had fields for only since: at the end of each object that lacks some, with the value of what was not found out. NULL:
 * the text lacks nothing, is of another kind or no JSON, or memory is short. Free with free(). Parses the text: not for
 * the event loop. */
char *text_with_missing_fields(const char *text);

#endif
