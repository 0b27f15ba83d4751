/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_REPLY_H
#define FRICID_CLIENT_REPLY_H

#include "client/figures.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Reading of replies that may be those of an older or a newer daemon: a missing key, or one of another type, is the
 * same as null. Objects may be NULL; strings are borrowed from them. */

double reply_number(const json_t *object, const char *key); /* NAN when it is not a number */
int64_t reply_integer(const json_t *object, const char *key, int64_t otherwise);
const char *reply_text(const json_t *object, const char *key, const char *otherwise);
bool reply_true(const json_t *object, const char *key);

/* An estimate object; everything NAN when there is none. Its uncertainty is combined where there is a budget, and else
 * statistical. */
struct figure reply_figure(const json_t *section, const char *key);

/* units.displacement of a result or summary; "" for "1". */
const char *reply_displacement_unit(const json_t *result);

/* Of a mode of a ring-down: what is recommended of its two curves, the backbone where there is no law. */
const json_t *reply_mode_curve(const json_t *mode);

/* Of a ring-down: the amplitude of the point of a mode's curve that its f_n_hz and zeta are of; NAN: there is none. */
double reply_main_amplitude(const json_t *result);

/* The section that `recommended` names, NULL when none does. */
const json_t *reply_recommended(const json_t *result);

/* The damping model of a result or summary that was chosen; NULL where that is not decided. */
const char *reply_model(const json_t *result);

bool reply_is_ok(const json_t *object); /* its verdict is "ok" */

#endif
