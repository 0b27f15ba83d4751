/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_LOG_SALVAGE_H
#define FRICID_STORE_LOG_SALVAGE_H

#include "proto/complaint.h"

/* Before SQLite opens a file: looks at the log beside it, of which SQLite drops, and deletes, without a word what is
 * behind a damaged place, and all of it when the file is missing or empty. Then the file and its log are kept as
 * "….damaged-log-DATE", what is sound in the log goes into the file, and the report says so; it is empty when all is
 * well. When pages are missing, what is in the file may not go together: then its first page is made to count as
 * damaged, so that it is repaired. What is not ours is left alone. On an error, with a report, nothing was changed:
 * SQLite must not open the file before another call went well. Nobody in this process may have the file open. */
int log_salvage(const char *path, struct complaint *report);

#endif
