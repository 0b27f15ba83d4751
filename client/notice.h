/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_NOTICE_H
#define FRICID_CLIENT_NOTICE_H

#include "client/phrase.h"
#include "client/screen.h"

#include <jansson.h>
#include <stdio.h>

/* One line a notification, for people. `params` are its parameters, with strings that are safe to print. */

/* "#117 bearing lvdt: viscous + Coulomb, f_n 5.52045(12) Hz, …" of notify.result. */
void notice_result(const json_t *params, const struct glyphs *glyphs, FILE *out);

/* "2026-11-21 14:02:11.000 UTC bearing lvdt: gap: …" of notify.event. */
void notice_event(const json_t *params, const struct glyphs *glyphs, FILE *out);

/* What a slow reader missed, of notify.dropped. */
void notice_dropped(const json_t *params, const struct glyphs *glyphs, FILE *out);

/* "bearing lvdt: decaying, half cycle 14, 3.21 mm, 5.52 Hz" of notify.progress, not printed. */
struct phrase notice_progress(const json_t *params, const struct glyphs *glyphs);

#endif
