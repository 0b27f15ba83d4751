/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_IDENTIFY_JOINT_H
#define FRICID_IDENTIFY_IDENTIFY_JOINT_H

#include "identify/decay/identify.h"

/* A record of a channel, and the ladder of its identification, VERDICT_OK. */
struct joint_record {
    const struct decay_record *record;
    const struct ladder *ladder;
};

/* What comes behind identify_ladder() where several channels saw one motion: one fit of all of them, the first being
 * the reference. Every member of joint is set whatever the verdict, which is returned. cancel: may be NULL. */
enum verdict identify_joint(const struct joint_record *records, size_t count, const atomic_bool *cancel,
                            struct joint *joint);

#endif
