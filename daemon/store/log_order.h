/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_LOG_ORDER_H
#define FRICID_STORE_LOG_ORDER_H

#include "proto/complaint.h"

/* Before SQLite opens a file: looks at the log beside it, of which SQLite drops, and deletes, without a word what is
 * behind a damaged place, and all of it when the file is missing or empty. 0: it is as it should be, is not there, or
 * is another program's; -EUCLEAN: SQLite must not open the file, and the complaint says what is wrong; other errors,
 * with a complaint: it cannot be looked at. Nothing is changed. */
int log_check(const char *path, struct complaint *complaint);

#endif
