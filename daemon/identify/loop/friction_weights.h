/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_WEIGHTS_H
#define FRICID_IDENTIFY_FRICTION_WEIGHTS_H

#include "identify/loop/contact_path.h"
#include "identify/loop/loop_parts.h"

#include <stdbool.h>

/* The largest speed near a sample of a part. */
double friction_swiftest_near(const struct loop_part *part, const struct contact_sample *samples, size_t i);

/* Whether the motion has a corner from one sample to the next, near which it is as fast as that. */
bool friction_has_corner(const struct contact_sample *from, const struct contact_sample *to, double swiftest);

/* In a part of a signal a contact rests that is slower than `speed` for longer than `longest_s`. widest: the largest
 * range of displacement of a part of that signal. */
struct friction_slowness {
    double speed, longest_s;
};
struct friction_slowness friction_slowness_of(const struct loop_signal *signal, const struct loop_part *part,
                                              double widest, const struct contact_sample *samples);

/* Of a sine as fast as this motion the share of the samples of which noise hides which way they go, with a weight of 0.
 */
double friction_share_hidden(const struct loop_signal *signal, const struct loop_parts *parts,
                             const struct contact_sample *samples);

/* Of each sample 1, or 0: the contact rests, creeps, turns round at once or is not loaded as usual, which way it goes
 * is not known, or the sample is of no part. Owned by the caller; NULL: memory is short. */
double *friction_weights(const struct loop_signal *signal, const struct loop_parts *parts,
                         const struct contact_sample *samples);

/* Leaves the parts out of which no sample counts, but where none of any does; the others keep their numbers. 0 or
 * -ENOMEM. */
int friction_leave_parts_out(const struct loop_signal *signal, const struct contact_sample *samples,
                             struct loop_parts *parts);

#endif
