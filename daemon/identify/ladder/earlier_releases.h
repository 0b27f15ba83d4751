/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_EARLIER_RELEASES_H
#define FRICID_IDENTIFY_EARLIER_RELEASES_H

#include "identify/ladder/ladder.h"

/* What the latest releases of one channel say together about terms that none of them shows by itself. A drag too small
 * to be seen in one release may shift zeta by several of its standard errors; thirty releases see it, or that it is not
 * there. */

/* So many are remembered: what they leave of a term shifts a figure by about the noise of one release. */
enum { EARLIER_RELEASES_MOST = 32 };

/* What one release says about the terms that its chosen rung lacks, each by the rung that has it in addition. */
struct release_terms {
    uint64_t id;
    unsigned terms[LADDER_TERMS]; /* of that rung; 0: the release does not tell */
    double value[LADDER_TERMS], variance[LADDER_TERMS];
};

struct earlier_releases {
    struct release_terms release[EARLIER_RELEASES_MOST]; /* by their ids, which grow */
    size_t count;
};

/* Those before a release. */
void earlier_releases_before(const struct earlier_releases *all, uint64_t id, struct earlier_releases *before);

/* Asks them for the terms that the chosen rung of a ladder lacks; fills in ladder->unseen. For each term those count
 * in which the same rung tells it; none does where they contradict this release, for the rig has changed then. */
void earlier_releases_ask(const struct earlier_releases *earlier, struct ladder *ladder);

/* Remembers a release behind the latest one, or in place of itself; one that is older is none of the latest. The others
 * are forgotten where it contradicts them. */
void earlier_releases_add(struct earlier_releases *earlier, uint64_t id, const struct ladder *ladder);

#endif
