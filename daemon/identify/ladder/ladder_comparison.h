/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LADDER_COMPARISON_H
#define FRICID_IDENTIFY_LADDER_COMPARISON_H

#include "identify/ladder/ladder.h"

/* What the other rungs of a ladder say about the chosen one; the ladder's verdict is ok. */

/* What a term takes from n ln of the whitened sum of squares: the best of the rungs with it against the best of those
 * without, each at LADDER_TERM_COST a term. The chosen rung has it where that is above LADDER_TERM_COST; never below 0.
 */
double ladder_term_ratio(const struct ladder *ladder, enum ladder_parameter term);

/* What an estimate by the chosen rung's terms is uncertain by beyond its noise, in the parameter's unit, since nobody
 * knows whether a term that the record does not show is there: for each such term by itself, how far the rung with it
 * is from the estimate, and that rung's own error, as far as earlier releases leave room for it. For a term that was
 * found, likewise the rung without it, as likely as its L says at 4.22 a term. A term that a rung lacks is 0 there, and
 * what it holds at a bound counts as free. */
double ladder_model_uncertainty(const struct ladder *ladder, enum ladder_parameter parameter,
                                const struct estimate *estimate);

/* Fills in the ladder's own estimates, those of the chosen rung. */
void ladder_speak(struct ladder *ladder);

#endif
