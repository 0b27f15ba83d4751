/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_LOCK_FILE_H
#define FRICID_PROTO_LOCK_FILE_H

#include "proto/complaint.h"

#include <stdbool.h>

/* A file whose lock tells that a process uses what stands beside it. Its owner alone may open it: anybody who may open
 * a file may lock it. The kernel gives the lock back when the process ends, however it does. */

/* Makes the file when it is not there, and locks it. A descriptor that holds the lock; -EALREADY: another one holds it;
 * -ENOTSUP: the file system knows no such locks; or a negative errno with a complaint. */
int lock_file_take(const char *path, struct complaint *complaint);

/* Whether the file still has its name: else another process can lock one of that name as well. */
bool lock_file_has_name(const char *path, int descriptor);

/* Removes the file and gives the lock back. */
void lock_file_remove(const char *path, int descriptor);

#endif
