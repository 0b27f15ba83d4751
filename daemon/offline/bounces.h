/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_BOUNCES_H
#define FRICID_BOUNCES_H

#include "identify/bounce/restitution.h"
#include "proto/complaint.h"

#include <stdbool.h>
#include <stddef.h>

/* Impacts of one kind of body: the rows of a file that have the same labels. */
struct bounce_group {
    char *name;             /* the labels, "golf_tile, 30"; owned */
    struct impact *impacts; /* owned */
    size_t count, capacity;
};

/* A file of bounces: CSV with a header. `v_in_U,v_out_U` are speeds before and after an impact, `h0_U,h1_U` heights of
 * drop and first rebound, `interval_s` flight times and `height_U` heights one after the other; U is any unit.
 * `throw` tells one series from the next; `n` and `event_s` are passed over; other columns are labels. */
struct bounces {
    enum restitution_kind kind;
    struct bounce_group *groups; /* group_count of them, owned: bounces_clear() */
    size_t group_count;
};

/* Whether the header of a file is one of bounces; false also when it cannot be read. */
bool bounces_recognised(const char *path);

/* Reads a whole file. 0, or a negative errno with a complaint that names file and line; bounces_clear() in any case. */
int bounces_load(const char *path, struct bounces *bounces, struct complaint *complaint);
void bounces_clear(struct bounces *bounces);

#endif
