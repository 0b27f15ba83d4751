/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_RECORDER_FAULTS_H
#define FRICID_IDENTIFY_RECORDER_FAULTS_H

#include "identify/ladder/ladder_cycles.h"

/* What no motion does, and a recorder does: seen in the residual of a rung. */

/* Fewer cycles do not say what is usual. */
enum { RECORDER_CYCLES_LEAST = 12 };

/* The recorder's clock stood still or leapt: behind that time, the motion is as much later or earlier, at the same
 * amplitude. */
struct clock_step {
    bool found;
    struct estimate time_s;  /* by the record's clock; NAN when not found, as the next */
    struct estimate lost_s;  /* what the clock lost there; negative: it leapt */
    size_t sample, extremum; /* the first of the data behind it */
};

/* The sensor's zero changes at turning points, as where an encoder's counts slip. */
struct zero_steps {
    bool found;
    double rms;   /* of the middles of the cycles beside a slow drift, in the record's unit */
    double share; /* of the mean square of the residual */
};

struct clock_step clock_step_none(void);

/* Looks where a step of the clock would explain most of what a rung leaves, fits both together and puts the times of
 * the data right. cycles: of the data before. VERDICT_OK; step->found is false, and the data and the rung are as
 * before, where there is none. VERDICT_CANCELLED, VERDICT_NO_MEMORY: likewise, and it is not known. */
enum verdict clock_step_repair(struct ladder_data *data, struct ladder_rung *rung, const struct ladder_cycles *cycles,
                               const atomic_bool *cancel, struct clock_step *step);

/* The same with another rung, from data that have been put right. Where there is no step beside that rung, step->found
 * is false and the times are as they were recorded. again: it is gone, or moved by more than a small part of its
 * standard error, and the rungs are to be fitted again. */
enum verdict clock_step_refine(struct ladder_data *data, struct ladder_rung *rung, const atomic_bool *cancel,
                               struct clock_step *step, bool *again);

/* Whether most of what was wrong with the phase is gone. */
bool clock_phase_is_right(const struct ladder_cycles *before, const struct ladder_cycles *behind);

/* Whether a step that is put right is much larger than what the phase jumps by elsewhere, and the phase goes on there:
 * a step that imitates a slow wander makes it jump back. */
bool clock_step_is_sharp(const struct ladder_data *data, const struct ladder_cycles *cycles,
                         const struct clock_step *step);

struct zero_steps zero_steps_from(const struct ladder_data *data, const struct ladder_rung *rung,
                                  const struct ladder_cycles *cycles);

#endif
