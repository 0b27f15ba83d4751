/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_BLOW_BLOCKS_H
#define FRICID_IDENTIFY_BLOW_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

/* What tells a blow from what was before it, block by block, and looks at nothing behind the block: so a stream is
 * searched by the rule that records as a whole are searched by. A block takes 2 ms, or four samples where these take
 * longer; a blow is what doubles the largest motion of the quarter of a second before it within three of them. */

/* A blow takes so many blocks to rise. */
enum { BLOW_RISING = 2 };

struct blow_blocks {
    size_t length;             /* samples of a block */
    size_t look_back;          /* blocks of a quarter of a second */
    size_t calm, contact;      /* blocks that there must be before a blow; for how long a hammer can stay */
    size_t leap;               /* blocks before its own in which what leaps may begin */
    size_t count;              /* blocks taken */
    size_t room;               /* blocks that are held, the latest */
    double *mean, *peak;       /* owned: of blocks, and how far they go from the mean of what was before them */
    double latest, least_step; /* sample; the smallest that two neighbours were apart */
};

/* The lengths at a sampling rate, and nothing held. False: the rate is none. */
bool blow_blocks_plan(struct blow_blocks *blocks, double rate_hz);

/* Blocks that a stream holds. */
size_t blow_blocks_least_room(const struct blow_blocks *blocks);

/* 0 or -ENOMEM. */
int blow_blocks_make(struct blow_blocks *blocks, size_t room);
void blow_blocks_clear(struct blow_blocks *blocks);

/* What is taken now does not go on from what was taken before. */
void blow_blocks_restart(struct blow_blocks *blocks);

/* The next block: `length` samples. */
void blow_blocks_take(struct blow_blocks *blocks, const double *samples);

/* Of blocks that are all held: those from `from` on once more, where samples, of the whole record, have changed. */
void blow_blocks_take_again(struct blow_blocks *blocks, size_t from, const double *samples);

/* The mean of the quarter of a second before a block: a sensor's zero may be larger than the motion, and drift. */
double blow_blocks_middle(const struct blow_blocks *blocks, size_t block);

/* Of the peaks of blocks. */
double blow_blocks_largest(const struct blow_blocks *blocks, size_t from, size_t to);

/* The same of those before a blow that may show in this block could begin. */
double blow_blocks_before(const struct blow_blocks *blocks, size_t block);

/* Whether a blow shows in a block that was taken. */
bool blow_blocks_rise(const struct blow_blocks *blocks, size_t block);

/* Whether what rises there behind the blow of an earlier block does so within 4 ms, or in one block where these take
 * longer, or later than a quarter of a second: where modes of nearly one frequency begin against each other a motion
 * grows from one half cycle to the next. */
bool blow_blocks_leap(const struct blow_blocks *blocks, size_t block, size_t earlier);

/* What a sample of the blow that shows in this block is beyond, from the middle before it on. */
double blow_blocks_beyond(const struct blow_blocks *blocks, size_t block);

/* The first sample of the blow that shows in this block, from the block BLOW_RISING before it on, of which the samples
 * are. */
size_t blow_blocks_onset(const struct blow_blocks *blocks, size_t block, const double *samples);

#endif
