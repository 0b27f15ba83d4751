/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_SWINGS_H
#define FRICID_IDENTIFY_SWINGS_H

#include "identify/decay/scaled_record.h"
#include "identify/decay/swing_list.h"

#include <stdbool.h>
#include <stddef.h>

/* The most swings that swings_find() is asked for, and the most means that a record is seen through. */
enum { SWINGS_MOST = 1024, MEANS_MOST = 16384 };

/* A record in means of `width` samples each, for whatever need not look closer. */
struct sample_means {
    size_t width;                /* samples a mean; 0: there are no means */
    size_t count;                /* means, from sample 0 on; a rest of less than `width` samples is left out */
    bool complete;               /* all samples but that rest are in them */
    double value[MEANS_MOST];    /* scaled */
    double pair[MEANS_MOST / 2]; /* means of twice the width */
};

/* What swings_find() works in. */
struct swings_workspace {
    struct sample_means means;
    struct swing swing[SWINGS_MOST];
};

/* Standard deviation of white noise in the record, from sixth differences, which no slow motion passes. */
double swings_noise(const struct scaled_record *scaled);

/* Standard deviation of the means about a smooth motion, likewise; 0 when there are fewer than seven. */
double sample_means_noise(const struct sample_means *means);

/* Finds swings by a zigzag over means of so many samples that the noise does not matter. Leaves them in
 * workspace->swing and returns how many they are, 0 when nothing stands out of the noise. Where the record is uniform
 * and not flagged, workspace->means are then means of about a fortieth of a cycle. */
size_t swings_find(const struct scaled_record *scaled, double noise, struct swings_workspace *workspace);

#endif
