/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_CLOCK_STEPS_H
#define FRICID_IDENTIFY_CLOCK_STEPS_H

#include "identify/ladder/recorder_faults.h"

/* A recorder that loses data once loses it often: all steps of its clock in one record, in the order of the record.
 * With as many as these, the normal equations of all parameters and steps have CHOLESKY_MOST unknowns at most. */
enum { CLOCK_STEPS = 6 };
struct clock_steps {
    size_t count;
    struct clock_step step[CLOCK_STEPS];
};

void clock_steps_add(struct clock_steps *steps, const struct clock_step *step);

/* Takes those out that are a first idea still, without an error, and their part of the times. Returns how many. */
size_t clock_steps_forget_ideas(struct ladder_data *data, struct clock_steps *steps);

/* Looks for further steps beside a rung until none is left that explains what is wrong with the phase, and puts the
 * times of the data right. Verdicts as of clock_step_repair(). */
enum verdict clock_steps_find(struct ladder_data *data, struct ladder_rung *rung, const atomic_bool *cancel,
                              struct clock_steps *steps);

/* Each as by clock_step_refine(); those that are not there are taken out. */
enum verdict clock_steps_refine(struct ladder_data *data, struct ladder_rung *rung, const atomic_bool *cancel,
                                struct clock_steps *steps, bool *again);

/* Of steps that are known: each one's error, which was that with the others known exactly, becomes that beside them,
 * and the times become those that the clock showed. */
void clock_steps_state(const struct ladder_data *data, const struct ladder_rung *rung, struct clock_steps *steps);

/* The largest; or one that is not found. */
struct clock_step clock_steps_largest(const struct clock_steps *steps);

#endif
