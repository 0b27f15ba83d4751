/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_DATABASE_FILES_H
#define FRICID_STORE_DATABASE_FILES_H

#include "proto/complaint.h"

#include <stdbool.h>

/* The file of a database, and those that SQLite makes beside it. */

/* 0 when these are files, or are not there; else -EINVAL and a complaint: SQLite would wait at a pipe for ever. None is
 * opened. */
int database_files_check(const char *path, struct complaint *complaint);

/* Whether any of them is there. */
bool database_files_exist(const char *path);

/* Whether all data of these is under a second name as well, as after database_files_link(), so that nothing is lost
 * when they are removed. */
bool database_files_kept_elsewhere(const char *path);

/* Removes all of them, as far as they are there, the database first. 0, or the error at which it stopped. */
int database_files_remove(const char *path);

/* Gives each that is there a second name, which begins with `other`. */
int database_files_link(const char *path, const char *other);

/* A new file's name is in its directory only when that is on the disk as well. */
void database_files_sync_names(const char *path);

#endif
