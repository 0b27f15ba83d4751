/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_JOINT_CAMPAIGN_H
#define FRICID_TESTS_JOINT_CAMPAIGN_H

#include "identify/ladder/joint.h"
#include "ladder_campaign.h"

/* Random decays of every rung, each seen by two channels: the reference, and one with another gain, bias and noise that
 * is read at every other sample. */

enum { JOINT_PAIR = 2 };

/* What is wrong with the second channel. */
struct joint_flaw {
    double stretch; /* of its times, relative */
    double bend;    /* of its displacement, by x³/X_0² */
    double late;    /* in half cycles */
};

struct joint_pair {
    struct ladder_record motion; /* noise-free, as the reference would see it */
    double gain, bias, noise[JOINT_PAIR], step[JOINT_PAIR];
    double *value[JOINT_PAIR]; /* owned: joint_pair_clear() */
    struct decay_record record[JOINT_PAIR];
};

/* noise: a factor on that of the channels; 0: both are free of it. */
struct joint_pair joint_pair_make(unsigned terms, unsigned seed, const struct ladder_range *range, double noise,
                                  const struct joint_flaw *flaw);
void joint_pair_clear(struct joint_pair *pair);

/* Each channel's ladder, and the joint fit; with rung_only the ladders have the one rung of the motion alone, which
 * they chose. False: a channel has no ladder. */
bool joint_pair_identify(const struct joint_pair *pair, bool rung_only, struct joint *joint);

/* What the joint fits made of pairs, a line a rung. */
struct joint_tally {
    size_t pairs, not_found, right; /* right: the generating rung was chosen */
    size_t estimates, covered;      /* of the terms, f_n, X_0 and t_0, and of the second channel's gain */
    double squared_errors;          /* over their variances */
    size_t gains, gains_covered;
    size_t contradictions; /* that were said to be */
    size_t large;          /* largest differences above 2.5 joint standard errors */
};

void joint_pair_judge(const struct joint_pair *pair, const struct joint *joint, struct joint_tally *tally);
void joint_tally_print(const char *name, const struct joint_tally *tally);

#endif
