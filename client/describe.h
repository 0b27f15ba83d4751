/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_DESCRIBE_H
#define FRICID_CLIENT_DESCRIBE_H

#include "client/phrase.h"
#include "client/screen.h"

#include <jansson.h>
#include <stdint.h>

/* What several commands say in the same words. */

/* "decaying, half cycle 14, 3.21 mm, 5.52 Hz" of a STATE object of the protocol. */
struct phrase describe_state(const json_t *state, const char *unit, const struct glyphs *glyphs);

/* "SIMULATED", or the kind as it is: "comedi", "recording". */
const char *describe_source_kind(const json_t *source);

/* A verdict in its colour, where there are colours. */
struct phrase describe_verdict(const char *verdict, const struct glyphs *glyphs);

/* "viscous + Coulomb" of a model's name; "undecided" of NULL. */
struct phrase describe_model(const char *name);

/* The same of a result or summary, as a phrase that stands alone: "damping undecided" where there is no model. */
struct phrase describe_damping(const json_t *result);

/* "provisional: the ladder of models is still being fitted" of the first of two answers; empty of any other. */
struct phrase describe_provisional(const json_t *result);

/* "stopped by its deadline, parts may be lacking: ..." of a summary that says so and is not provisional, for that has
 * more to come; empty of any other. */
struct phrase describe_stopped(const json_t *summary);

/* "2026-11-21 14:00:03.204 UTC" of a time of day of the protocol; what is not one comes back as it is. */
struct phrase describe_moment(const char *rfc3339);

/* "2 min ago", seen from `now` (s since 1970). Empty when it is not a time of day. */
struct phrase describe_ago(const char *rfc3339, int64_t now);

/* Seconds since 1970 of a time of day; NAN when it is not one. */
double describe_seconds(const char *rfc3339);

struct phrase describe_duration(double seconds); /* "3 d 04:12" */
struct phrase describe_bytes(double bytes);      /* "41 MB" */
struct phrase describe_rate(double rate_hz);     /* "10 kS/s" */

/* A whole number; glyphs->missing where there is none. */
struct phrase describe_count(const json_t *object, const char *key, const struct glyphs *glyphs);

/* " at 85 um": where f_n and zeta of a ring-down are; else empty. */
struct phrase describe_main_amplitude(const json_t *result, const struct glyphs *glyphs);

/* "2 too_short, 1 gap" of an object of counters; those that are 0 are left out. */
struct phrase describe_counters(const json_t *counters);

#endif
