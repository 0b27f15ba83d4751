/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_CONTACT_PATH_H
#define FRICID_IDENTIFY_CONTACT_PATH_H

#include <stddef.h>

/* The way of a contact between two samples of its motion, in pieces in each of which it goes one way. */

/* A sample of the motion. */
struct contact_sample {
    double time_s, displacement, velocity;
};

/* A piece of the way. */
struct path_piece {
    double length;    /* of the way, >= 0 */
    double forward;   /* the sense of the motion: 1 or -1 */
    double time_s;    /* that it takes */
    double end_speed; /* >= 0 */
};

enum {
    PATH_PIECES = 16,                       /* between two samples at most, before it is cut at reversals */
    PATH_PIECES_MOST = 3 * PATH_PIECES + 3, /* with those: a cubic turns back twice at most */
};

/* The cubic that has the displacements and velocities of both samples, in `pieces` (1 … PATH_PIECES) of equal time, cut
 * where it turns back. How many there are in `path`; a piece that stands still has length 0. */
size_t contact_path(const struct contact_sample *from, const struct contact_sample *to, size_t pieces,
                    struct path_piece path[PATH_PIECES_MOST]);

/* The slope, at sample i, of the parabola through the velocities of it and its neighbours, or of those next to an end;
 * 0 where there are fewer than three. */
double contact_acceleration(const struct contact_sample *motion, size_t count, size_t i);

#endif
