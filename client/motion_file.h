/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_MOTION_FILE_H
#define FRICID_CLIENT_MOTION_FILE_H

#include "proto/complaint.h"
#include "proto/recording.h"

/* A motion, or a force, over time, as recordings have it: columns as of a loop, in any of their units. */
struct motion_file {
    struct recording recording;         /* owned: motion_file_clear() */
    const double *displacement, *force; /* in m and N, or rad and N m; NULL: there is none */
    bool angular;                       /* these */
};

/* 0, or a negative errno and a complaint; motion_file_clear() in any case. */
int motion_file_load(const char *path, const struct recording_manner *manner, struct motion_file *motion,
                     struct complaint *complaint);
void motion_file_clear(struct motion_file *motion);

#endif
