/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_JOINT_RESULTS_H
#define FRICID_JOINT_RESULTS_H

#include "store/kept.h"

/* Whether a result may be one of several that are fitted together: a decay, with its ladder. */
bool joint_results_want(const struct kept_result *result);

/* Fits the results of one run together, each of another channel, and says so in each of them, whose texts are made
 * anew when somebody asks for them. The first is the reference. Of more than JOINT_CHANNELS_MOST the last ones
 * stay as they are. cancel: may be NULL. 0, or -ENOMEM: then nothing was changed. Runs in any thread. */
int joint_results_make(struct kept_result *const *results, size_t count, const atomic_bool *cancel);

#endif
