/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LADDER_RIVALS_H
#define FRICID_IDENTIFY_LADDER_RIVALS_H

#include "identify/ladder/ladder.h"

/* What the other rungs of a ladder say about the chosen one; the ladder's verdict is ok. */

/* What a term takes from n ln of the whitened sum of squares: the best of the rungs with it against the best of those
 * without, each at LADDER_TERM_COST a term. The chosen rung has it where that is above LADDER_TERM_COST; never below 0.
 */
double ladder_term_ratio(const struct ladder *ladder, enum ladder_parameter term);

/* By how much the values of all rungs scatter about that of the chosen one, each as likely as its criterion says
 * (Akaike weights, Burnham and Anderson 2002), in the parameter's unit. A term that a rung lacks is 0 there. */
double ladder_scatter(const struct ladder *ladder, enum ladder_parameter parameter);

/* Fills in the ladder's own estimates, those of the chosen rung. */
void ladder_speak(struct ladder *ladder);

#endif
