/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_REGULAR_FILE_H
#define FRICID_PROTO_REGULAR_FILE_H

#include "proto/complaint.h"

#include <sys/types.h>

/* Files, where anything else may stand in their place: a pipe without a writer would hold whoever opens it for ever,
 * and a device may act when it is opened. */

/* As open(2), closed in other programs. A descriptor; or a negative errno with a complaint that names the file: -EINVAL
 * when something that is no file stands there, which is not opened then. */
int regular_file_open(const char *path, int flags, mode_t mode, struct complaint *complaint);

/* 0 when a file stands there, or nothing; else, also for a symbolic link, -EINVAL with a complaint: beside a file that
 * is known by its name, others are found and looked after by that name. It is not opened: closing any descriptor of a
 * file ends the locks that SQLite holds on it in the same process. */
int regular_file_check(const char *path, struct complaint *complaint);

#endif
