/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_GROUP_FITTING_H
#define FRICID_IDENTIFY_GROUP_FITTING_H

#include "identify/ring_down/mode_fit.h"
#include "identify/ring_down/mode_group.h"

#include <complex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* One law of a pair that beats leaves several times as much as two. */
#define GROUP_ONE_LEAVES 2.0

/* Fits of one or two modes to a band, of which the best is kept in `group`. */
struct group_fitting {
    const struct mode_record *record;
    const atomic_bool *cancel;
    struct mode_record weighted;
    struct mode_band band;
    struct mode_sum trial;
    struct mode_fit fit;
    double squares; /* of the group's sum; INFINITY: there is none */
    struct mode_group *group;
};

/* These fit and keep what is better than the group's sum. Verdicts are those of mode_fit(). */
enum verdict group_fitting_trial(struct group_fitting *fitting);
enum verdict group_fitting_with_joints(struct group_fitting *fitting, const struct mode_sum *starts);
enum verdict group_fitting_without_joints(struct group_fitting *fitting, const struct mode_sum *starts);

/* Both, from what each mode does alone; VERDICT_NO_OSCILLATION: one of them does not decay. */
enum verdict group_fitting_from(struct group_fitting *fitting, double complex *const mode[], size_t modes);

/* Where these fits begin; false: one of the modes does not decay. */
bool group_fitting_start(const struct group_fitting *fitting, double complex *const mode[], size_t modes,
                         struct mode_sum *starts);

/* A mode whose joint the record does not tell has none: the others' fits would not find its parameters. */
enum verdict group_fitting_drop_joints(struct group_fitting *fitting);

/* The standard deviation of each part of a band's samples of a sensor. */
double group_fitting_noise(const struct mode_record *record, const struct mode_samples *band, size_t sensor);

/* Of two modes: that of the lower frequency becomes the first, and whether the record tells their frequencies apart. */
void group_fitting_sort(struct mode_sum *sum);
bool group_fitting_are_apart(const struct mode_sum *sum, const struct mode_record *record);

#endif
