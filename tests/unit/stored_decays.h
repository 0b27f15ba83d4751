/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_STORED_DECAYS_H
#define FRICID_TESTS_STORED_DECAYS_H

#include "store/database.h"
#include "store/store.h"

/* What the tests of the store put into it, and how they look at the file afterwards. */

enum { STORE_PATH = 256 };

/* A new directory for a store; removed with all that is in it. */
void store_directory_make(char directory[STORE_PATH]);
void store_directory_remove(const char *directory);

/* Copies the files of one store into the empty directory of another. */
void store_directory_copy(const char *from, const char *to);

/* All files, of stores that were set aside too. Nothing is started for it: a process under a sanitizer is large. */
void store_directory_copy_all(const char *from, const char *to);

/* An origin with something in every member, whose device delivers 10 µm a code. */
struct decay_origin stored_origin(void);

/* A decay of that device: its samples and its first_index tell which it is. */
struct kept_decay *stored_decay(unsigned number, size_t count);

/* Its result, with a document that names it. */
struct kept_result *stored_result(struct kept_decay *of, unsigned revision);

/* Opens the store of a directory; fails the test when that does not work. */
struct store *store_opened(const char *directory);

/* Decays of these numbers, each with a result of revision 1, one transaction each. */
void store_fill(const char *directory, unsigned first, unsigned count, size_t samples);

/* A transaction that may fail: a decay with its result, or the oldest removed. The error; it is not rolled back. */
int store_try_decay(struct store *store, unsigned number, size_t samples);
int store_try_removal(struct store *store, unsigned most);

/* Looks at a store as a program of its own would: the file is sound, every decay is there once and reads back as
 * stored_decay() makes it, at most one result of each revision. Returns how many decays there are; `from` to below `to`
 * must be among them. */
unsigned store_verify(const char *directory, unsigned from, unsigned to);

/* As a daemon does at its start, and then somebody with fricid-repair: what is damaged is set aside, and a store of all
 * that can be read of it takes its place. Whether anything was: then `said` is what the daemon says of it, and `report`
 * what the repair does. */
bool store_mend(const char *directory, struct complaint *said, struct complaint *report);

/* What fricid-repair(8) says: one store of what was set aside and of what came since, in the place of that. */
void store_put_together(const char *directory, struct complaint *report);

/* How many files were set aside, also where only their log was, and their names. */
size_t store_find_asides(const char *directory, char paths[][STORE_PATH + 300], size_t most);

/* A number out of the file of a directory. */
long long store_number(const char *directory, const char *sql);

#endif
