/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_LOOP_SCANS_H
#define FRICID_SEGMENT_LOOP_SCANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The latest scans of a contact, as many as may still be needed. */

/* A scan: displacement, force, normal force, when the displacement was that, and what stands in the first column, which
 * is the displacement, or the velocity whose integral that is. */
struct loop_scan {
    double displacement, force, normal, time_s, motion;
};

struct loop_scans {
    struct loop_scan *scan; /* held of them, in order; owned: loop_scans_clear() */
    size_t held, capacity;
    uint64_t first, next; /* numbers of the first one held, and of the one to come */
};

static inline const struct loop_scan *loop_scans_at(const struct loop_scans *scans, uint64_t number)
{
    return &scans->scan[number - scans->first];
}

static inline uint64_t scan_earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t scan_later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The middle between two of them, in their number or in their time, whichever is earlier: one half may be sampled more
 * densely than the other. */
uint64_t loop_scans_middle(const struct loop_scans *scans, uint64_t from, uint64_t to);

/* It tells whether the next one needs more memory. */
bool loop_scans_are_full(const struct loop_scans *scans);

/* False: memory is short. */
bool loop_scans_add(struct loop_scans *scans, const struct loop_scan *scan);

/* Drops the scans before that number. */
void loop_scans_forget(struct loop_scans *scans, uint64_t number);
void loop_scans_clear(struct loop_scans *scans);

/* A row has so many columns, and force and normal force come by so many scans later than the displacement of their
 * scan: interpolation brings them back. */
struct loop_row_form {
    size_t columns;
    double force_late, normal_late;
};

/* It returns the scans from one to before another as rows: motion, force, time and, of 4 columns, normal force, with
 * force and normal force brought back to the times of their scans. Owned by the caller; NULL: memory is short. */
double *loop_scans_rows(const struct loop_scans *scans, const struct loop_row_form *form, uint64_t from, uint64_t to);

/* Of the displacement. */
struct loop_noises {
    double noise, least; /* least: the least swing that is more than it */
    double most;         /* that swing if all is noise that is seen at distances which are short against the ways */
};

/* By the latest scans. False: memory is short. */
bool loop_scans_noise(const struct loop_scans *scans, struct loop_noises *noises);

#endif
