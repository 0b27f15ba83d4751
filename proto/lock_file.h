/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_LOCK_FILE_H
#define FRICID_PROTO_LOCK_FILE_H

#include "proto/complaint.h"

/* A file whose lock tells that a process uses what stands beside it. Its owner alone may open it: anybody who may open
 * a file may lock it. The kernel gives the lock back when the process ends, however it does. */

/* Makes the file when it is not there, and locks it. A descriptor that holds the lock; -EALREADY: another one holds it;
 * -ENOTSUP: the file system knows no such locks; or a negative errno with a complaint. */
int lock_file_take(const char *path, struct complaint *complaint);

/* Removes the file and gives the lock back. */
void lock_file_remove(const char *path, int descriptor);

#endif
