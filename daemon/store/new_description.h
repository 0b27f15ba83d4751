/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_NEW_DESCRIPTION_H
#define FRICID_STORE_NEW_DESCRIPTION_H

#include <stdbool.h>

/* SQLite describes the tables of a file on its first page and on a few behind it. Where these are damaged nothing can
 * be read, though all else is sound. But every store is made in the same way, so that its tables begin on the same
 * pages as those of any other: the description of a new, empty store tells where they are. */

/* Whether the tables of the file begin where those of a store do, whatever its first page says. */
bool looks_like_store(const char *path);

/* Makes `copy`, a new file, of the file at `path` and of its log, with the description of a new store in place of its
 * own: for reading only, and to be removed afterwards. 0 or an error of store/database.h; -ENOMEDIUM: it does not look
 * like a store. */
int describe_anew(const char *path, const char *copy);

#endif
