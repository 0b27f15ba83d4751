/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_JSON_VALUE_H
#define FRICID_PROTO_JSON_VALUE_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* Values as the protocol writes them. All return new references, NULL when memory is short; json_pack() with "o" takes
 * them over, and passes a NULL on. */

/* A number, or null when it is not finite: JSON knows neither NaN nor infinity. */
json_t *number_to_json(double number);

json_t *count_to_json(uint64_t count);

/* A string, or null for NULL. What is not UTF-8 (a file name may be anything) has its foreign bytes replaced by '?'. */
json_t *text_to_json(const char *text);

/* A time of day (CLOCK_REALTIME, ns) as RFC 3339 in UTC with microseconds, or null for INT64_MIN, "not known". */
json_t *time_to_json(int64_t time_ns);

/* `count` numbers as a list. */
json_t *numbers_to_json(const double *values, size_t count);

/* `rows` rows of `columns` numbers as a list of lists. */
json_t *matrix_to_json(const double *values, size_t rows, size_t columns);

/* Completes an object that may hold null: its member "reason" becomes `why` when a member, or an element of a member
 * that is a list, is null, and else null. Takes the object over and returns it; NULL passes through. */
json_t *with_reason(json_t *object, const char *why);

/* Adds the members of `more` to an object. Takes both over; NULL when either is NULL. */
json_t *joined(json_t *object, json_t *more);

#endif
