/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_MOTION_H
#define FRICID_IDENTIFY_FRICTION_MOTION_H

#include "identify/loop/contact_path.h"
#include "identify/loop/loop_parts.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* The motion of a record as the ladder walks it: pieces that go one way each, with what stands at their ends. */

/* Arrays have so many values more behind their end, of weight 0: a walk takes them in blocks of as many. */
enum { FRICTION_PADDING = 128 };

/* In units of a record's own: half its range of displacements, half that of its forces, and its largest speed. */
struct friction_motion {
    double *room; /* owned: friction_motion_clear() */
    /* Of each piece, count of them: */
    double *way;   /* >= 0 */
    double *sense; /* 1 or -1 */
    double *speed; /* mean of its size */
    /* At the end of each; where no sample lies, only the velocity is set: */
    double *velocity, *displacement, *force, *acceleration;
    double *weight;        /* 1: a sample that counts; 0: none is there, or the contact rests */
    size_t count, samples; /* pieces; weights of 1 */
    /* Behind a gap the state is another one: parts, of which each begins with a piece at a multiple of
     * FRICTION_PADDING, to which the one before is filled up with pieces that stand still. */
    size_t parts, part[LOOP_PARTS + 1]; /* the last: count */
    double unit_displacement, unit_velocity, unit_acceleration, unit_force,
        middle;                                /* displacement = middle + own unit_displacement */
    double noise_displacement, noise_velocity; /* standard deviations */
    double slowest, fastest; /* speeds of the samples that count: of one in a hundred, and the largest */
    double low_speed, middle_speed, high_speed; /* 5 %, half and 95 % of the way in whole cycles is slower */
    size_t whole_begin, whole_end;              /* the pieces of whole cycles; those between two parts with them */
    double bent_step;                           /* of the shapes without a closed form: see friction_advance_bent() */
    double usual_step, smallest_step; /* from sample to sample: the mean, and the one that one in twenty is below */
    const atomic_bool *cancel;        /* true: walks end at once, and what they tell is not wanted; may be NULL */
};

static inline bool friction_motion_is_cancelled(const struct friction_motion *motion)
{
    return motion->cancel && atomic_load(motion->cancel);
}

/* Neighbours on either side, with which noise is smoothed most without the motion being bent (Mallows' C_p), and what
 * such windows usually leave: more, and there is a corner. */
struct friction_window {
    size_t half;
    double usually_left;   /* mean square */
    double noise_velocity; /* what it leaves of the noise in the velocities: standard deviation */
};
struct friction_window friction_window_of(const struct loop_signal *signal);

/* The signal's displacements and velocities by cubics through such windows: `samples` of them, signal->count, which is
 * 9 at least; of one part of a record, for how long a contact rests is told by the time of all samples. */
void friction_smooth(const struct loop_signal *signal, const struct friction_window *window,
                     struct contact_sample *samples);

/* From smoothed samples; the interval before each in so many pieces (1 … PATH_PIECES) before it is cut at reversals. 0
 * or -ENOMEM; friction_motion_clear() in any case. */
int friction_motion_make(const struct loop_signal *signal, const struct loop_parts *parts,
                         const struct contact_sample *samples, const unsigned char *pieces,
                         struct friction_motion *motion);

/* The same of other samples of that signal, of which those count that count of the first ones. units: of that motion,
 * whose speeds and steps it gets, too; NULL: its own. */
int friction_motion_again(const struct loop_signal *signal, const struct loop_parts *parts,
                          const struct contact_sample *first, const struct contact_sample *samples,
                          const unsigned char *pieces, const struct friction_motion *units,
                          struct friction_motion *motion);

/* A motion with fewer samples for a first look: some cycles spread over the record, in each some samples. */
int friction_motion_thin(const struct loop_signal *signal, const struct loop_parts *parts,
                         const struct contact_sample *samples, const struct friction_motion *units,
                         struct friction_motion *motion);

/* Whether it slides at one speed, but for its turns and what noise makes of the speed. */
bool friction_motion_has_one_speed(const struct friction_motion *motion);

void friction_motion_clear(struct friction_motion *motion);

#endif
