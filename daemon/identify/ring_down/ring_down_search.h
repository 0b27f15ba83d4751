/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_RING_DOWN_SEARCH_H
#define FRICID_IDENTIFY_RING_DOWN_SEARCH_H

#include "identify/record_analysis.h"
#include "identify/ring_down/ring_down_findings.h"
#include "identify/ring_down/undisturbed.h"

/* The modes of one ring-down, and the lines beside them. */

/* Adds the modes to those of a ring-down. Others than VERDICT_OK: it was stopped, or memory is short; what was found so
 * far is there. */
enum verdict ring_down_search(const struct ring_down_samples *samples, const struct undisturbed *undisturbed,
                              const struct identify_settings *settings, struct ring_down *ring_down);

/* The lines that the modes leave, and no modes that are such lines. VERDICT_OK, VERDICT_NO_MEMORY or
 * VERDICT_CANCELLED. */
enum verdict ring_down_tell_lines(const struct ring_down_samples *samples, struct calm_before calm,
                                  const struct identify_settings *settings, struct ring_down *ring_down);

/* What was known of modes when the rest was stopped, or memory became short, stays, and each says that it is
 * provisional, as does the whole, for it may be all that is seen of a record with more modes and blows. */
bool ring_down_stands(const struct identify_settings *settings, enum verdict verdict, struct ring_down *ring_down);

/* Why not all was looked at where this verdict ended it, and what to do. */
const char *ring_down_cut_short_words(enum verdict verdict, bool more_follows);

/* What is said of the whole, and its verdict, where the search for modes ended with this one. */
enum verdict ring_down_conclude(const struct identify_settings *settings, enum verdict verdict,
                                struct ring_down *ring_down);

#endif
