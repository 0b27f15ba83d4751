/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_STORE_H
#define FRICID_STORE_STORE_H

#include "proto/complaint.h"
#include "store/kept.h"

#include <stdbool.h>
#include <stdint.h>

/* Keeps decays, results and events: in an SQLite file, or, without a directory, in memory as long as others hold them.
 * Belongs to the writer thread, but for the statistics. What is put is durable when store_commit() has returned 0.
 * Errors are those of database.h; after one of them the transaction must be rolled back and can be tried again. */
struct store;

struct store_statistics {
    const char *kind; /* "sqlite", "memory" */
    const char *path; /* of the file; NULL: memory */
    uint64_t decays, results;
    uint64_t waiting;    /* decays without a result */
    uint64_t protected;  /* decays that stay, however old they get */
    uint64_t bytes;      /* of the file and its log; in memory: of decays taken in */
    uint64_t free_bytes; /* on its disk; UINT64_MAX: not known */
};

/* Opens or makes DIRECTORY/fricid.db. 0 with a store, also when the disk does not allow it at the moment: then
 * the complaint is not empty, and every store_begin() tries again. A negative errno without a store: this cannot work,
 * the complaint says why; -EALREADY: another process uses it, as the lock fricid.db.lock tells. `version` is this
 * program's, for the results; both strings must outlive the store. */
int store_open(const char *directory, const char *version, struct store **store, struct complaint *complaint);

struct store *store_open_memory(void); /* NULL when memory is short */
void store_close(struct store *store); /* NULL is fine */

/* A transaction around any number of puts. */
int store_begin(struct store *store);
int store_commit(struct store *store);
void store_rollback(struct store *store);

/* 0 when the open file is the one that stands under its name, or none is open: what was committed is where the next
 * daemon looks for it. Else all of it, which the open file still holds, is copied into a new one there first, *moved is
 * set, and store_take_notice() tells. Errors are those of the copying: what was committed is not lost, and this is to
 * be called again. Not within a transaction. */
int store_settle(struct store *store, bool *moved);

/* What an error of the disk, as a call here returned it, really was: the file system itself is asked. -EDQUOT: a limit
 * on the size of files. */
int store_reason(const struct store *store, int error);

/* What went wrong last, for people. */
const char *store_sentence(const struct store *store);

/* Closes the file, so that the next store_begin() opens it anew: after errors that may sit in the connection. */
void store_reopen(struct store *store);

/* Keeps a damaged file, with its log, as "….damaged-DATE", and puts a new one in its place, whose ids go on behind
 * those of the damaged one as far as they can be read there. Nothing is mended; store_take_set_aside() says what a
 * person can do. Not within a transaction. On an error store_sentence() tells, and it is to be called again. */
int store_set_aside(struct store *store);

/* What became of a file that had lost its name; true once for each. */
bool store_take_notice(struct store *store, struct complaint *notice);

/* Likewise: where a damaged file is kept. */
bool store_take_set_aside(struct store *store, struct complaint *notice);

/* Likewise: how a file of an earlier version was brought up to date. */
bool store_take_upgrade(struct store *store, struct complaint *notice);

/* From any thread: ends a store_check() under way, which then counts as passed. The daemon is ending. */
void store_hurry(struct store *store);

/* Looks through the whole file. 0, or -EUCLEAN when it is damaged; other errors when it cannot be looked at. */
int store_check(struct store *store);

/* Keeps a decay, raw, before anybody identifies it; gives it its id. */
int store_put_decay(struct store *store, struct kept_decay *decay);

/* Whether a decay of the same samples, at the same place of the stream, is kept already for that channel: a recording
 * was read once more. In another unit, or under another mass, stiffness or gravity, it is another one, for these cannot
 * be changed afterwards. *id and *run: its own; 0: there is none. A store in memory remembers the latest of those that
 * were asked for. */
int store_find_same(struct store *store, const struct kept_decay *decay, uint64_t *id, uint64_t *run);

/* Notes that a decay is about to be identified once more: when the daemon does not survive it, the next one knows. */
int store_put_attempt(struct store *store, uint64_t id);

/* The daemon survived the attempt that was noted last: it counts for nothing. store_put_result() takes all of them
 * back.
 */
int store_take_back_attempt(struct store *store, uint64_t id);

/* The latest decay; 0: there is none. In a store in memory always 0. */
int store_latest_decay(struct store *store, uint64_t *id);

/* Keeps a result before anybody publishes it, as the latest of its decay. -EEXIST: there is that revision already. */
int store_put_result(struct store *store, const struct kept_result *result);

/* Notes that a result was published under this seq. */
int store_put_seq(struct store *store, uint64_t id, unsigned revision, uint64_t seq);

/* Protected decays are not removed to make room. -ENOENT: there is no such decay. */
int store_protect(struct store *store, uint64_t id, bool protect);

/* Removes the oldest decays that are not protected and have a result: those older than that (0: none for its age), and
 * as many as make the file smaller than max_bytes (0: as large as it likes). At most `most` at a time. What becomes
 * free is given back to the disk. Nothing is old while it is not known how long ago it was stored: `waits` then says
 * so, else it is empty. *removed: how many. */
int store_make_room(struct store *store, int64_t keep_ns, uint64_t max_bytes, unsigned most, unsigned *removed,
                    struct complaint *waits);

/* Somebody has looked at the date and says that it is right: pauses between runs of the daemon were as long as it says.
 */
int store_believe_date(struct store *store);

int store_put_event(struct store *store, const struct store_event *event);

int store_put_configuration(struct store *store, const char *config_id, const char *path, const char *text);

/* The numbering of notifications goes on where the last process stopped. */
struct store_numbering {
    char history_id[33]; /* empty: none yet */
    uint64_t next_seq;   /* no smaller one was ever given out and is still to come */
    uint64_t gone_seq;   /* notifications up to this one may be missing */
};
int store_get_numbering(struct store *store, struct store_numbering *numbering);

/* Gives numbers from *next_seq on, which it moves, to results that were stored and whose publication was not noted:
 * whoever asks for notifications from an earlier number gets them. */
int store_number_unpublished(struct store *store, uint64_t *next_seq);
int store_put_numbering(struct store *store, const struct store_numbering *numbering);

/* May be called from any thread. */
void store_statistics(const struct store *store, struct store_statistics *statistics);

#endif
