/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_SIGNAL_H
#define FRICID_IDENTIFY_LOOP_SIGNAL_H

#include <stdbool.h>
#include <stddef.h>

/* A displacement is at rest within this share of its swing. */
#define LOOP_REST_SHARE 0.01

/* A value that flickers between neighbouring steps of its converter goes to and fro by one of them, or by two: a swing
 * of so many is none of that. */
#define LOOP_FLICKER_STEPS 2.5

/* A contact that was driven: what was measured together, sample by sample. Any units. */
struct loop_signal {
    const double *time_s, *displacement, *force; /* count of them; times strictly increasing */
    const double *normal;                        /* force on the contact; NULL: not measured */
    const double
        *velocity; /* measured: then the displacement is its integral. NULL: it follows from the displacement */
    const unsigned char *begins; /* 1 where a smooth piece of the motion begins behind a corner; NULL: nobody looked */
    size_t count;
    double noise_displacement, noise_force; /* standard deviations of white noise */
    double noise_normal;                    /* likewise; 0 where it was not measured */
    double
        wander; /* that of the displacement's noise with what of it lasts for some samples: at least its white noise */
    double memory; /* so many samples of that tell as much of a mean as one; 1: its noise is white */
    double wander_force, memory_force; /* likewise of the force */
    double rounding;                   /* the displacement's, by its converter's steps; 0: they are not seen */
    double step;                       /* smallest move from one sample to the next; INFINITY: all are alike */
    double least_swing;                /* of the displacement that is more than its noise */
    double most_swing; /* the same if noise is what is seen at all distances that are short against its ways */
};

/* Standard deviation of white noise: the median of what is left of samples when the quintic through three neighbours on
 * either side is taken from them. Of many samples some are looked at, of these those that lie with their neighbours
 * between both limits. NAN: memory is short; 0: there are none. */
double loop_noise(const double *time_s, const double *values, size_t count, double above, double below);

/* The integral of a measured velocity by cubic splines, from 0: no offset of a displacement does work. 0 or -ENOMEM. */
int loop_displacement_of(const double *time_s, const double *velocity, size_t count, double *displacement);

/* Standard deviation of a sum of displacements that comes to that variance with white noise of 1, as a mean of n of
 * them to 1/n. */
double loop_noise_of_sum(const struct loop_signal *signal, double variance);

/* Fills in noises, wander and memory, rounding, step and least_swing. 0 or -ENOMEM. */
int loop_signal_look(struct loop_signal *signal);

/* The signal for figures, whose errors are at least those of the rounding: a motion so even that its neighbours tell
 * each sample shows no noise. It is smoothed by the noise that it shows. */
struct loop_signal loop_signal_rounded(const struct loop_signal *signal);

/* The white noise of which windows of samples see as much as of the displacement's. The rounding of a motion that is
 * slower than a step a sample is alike in as many samples as a step takes. */
double loop_smoothing_noise(const struct loop_signal *signal);

/* Whether the displacement moves by less than one of its converter's steps from sample to sample: those between two
 * steps seem to rest. */
bool loop_rests_between_steps(const struct loop_signal *signal);

/* Whether it comes in steps that no noise blurs: their errors follow the position, and are alike on both sides of a
 * turn. */
bool loop_steps_show(const struct loop_signal *signal);

/* The smallest distance of any two values, which is their converter's step also where neighbours are several steps from
 * each other. INFINITY: all are alike; NAN: memory is short. */
double loop_smallest_distance(const double *values, size_t count);

/* Whether values move by whole numbers of a step from sample to sample; of none that is not finite. */
bool loop_moves_by_steps(const double *values, size_t count, double step);

/* Whether values have gone through a converter of that step: they move by whole numbers of its steps, and these change,
 * which those of an even motion do at its turns alone; or they rest before they move on by one, and not equally long.
 */
bool loop_comes_in_steps(const double *values, size_t count, double step);

#endif
