/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_STORE_STATE_H
#define FRICID_STORE_STORE_STATE_H

#include "store/age_clock.h"
#include "store/database.h"
#include "store/file_identity.h"
#include "store/store.h"

#include <stdatomic.h>

/* The keys of the latest runs of a store in memory: a rig remembers 64 decays, and a laboratory has few rigs. */
enum { RECENT_RUNS = 1024 };

struct recent_runs {
    uint64_t latest;
    char key[RECENT_RUNS][40]; /* of a run at its number modulo the size */
};

/* Likewise decays that may come once more: as many as the history of results is worth. */
enum { RECENT_DECAYS = 1024 };

struct recent_decays {
    size_t next;
    uint64_t sought; /* what was looked for and not found, until that decay is put; 0: nothing */
    struct {
        uint64_t fingerprint, id, run;
    } decay[RECENT_DECAYS];
};

/* For the files of this room only. */

/* How old decays are. A transaction that is rolled back takes it back to what it was before. */
struct aging {
    struct age_clock clock;
    int64_t pause_from; /* the first decay behind a pause that is not believed yet; 0: there is none */
    int64_t noted_ns;   /* when it was put into the file last, by the clock that is never set */
    bool runs;          /* since the first time that the file was opened */
    bool moved;         /* its shift is to be put into the file */
};

struct store {
    char *directory;  /* owned */
    char *path;       /* owned; NULL: memory */
    char *log_path;   /* owned; of SQLite's log beside the file */
    char *index_path; /* owned; of the log's index */
    char *lock_path;  /* owned */
    int lock;         /* that this process alone uses the file; -1: not taken, or there are no locks */
    const char *version;
    struct database database;
    struct file_identity log, index;                  /* of the open file, when it was opened */
    bool adrift;                                      /* the open file has lost its name and is not copied yet */
    bool knows_log;                                   /* the log beside the file was looked at */
    struct complaint notice;                          /* what became of a lost name, until somebody takes it */
    struct complaint upgraded;                        /* likewise: how an earlier file was brought up to date */
    struct complaint set_aside;                       /* likewise: where a damaged file is kept */
    struct complaint problem;                         /* of the latest attempt to open */
    uint64_t new_decays, new_results, new_identified; /* of the running transaction */
    uint64_t gone_decays, gone_results;               /* likewise */
    int64_t newly_protected;                          /* likewise; negative: more were let go */
    atomic_bool hurry;                                /* the daemon is ending: no check is worth waiting for */
    int64_t looked_at_disk;                           /* CLOCK_MONOTONIC, s */
    struct aging aging, aging_before;                 /* now, and before the running transaction */
    struct recent_runs recent_runs;                   /* in memory only */
    struct recent_decays recent_decays;               /* likewise */
    /* Read by the event loop while the writer counts. */
    atomic_ullong decays, results, waiting, protected, bytes, free_bytes;
};

/* Opens the file when it is not; 0 also for a store in memory. */
int store_connect(struct store *store);

static inline bool store_is_memory(const struct store *store)
{
    return store->path == NULL;
}

/* The directory with its lock, for a file that is opened or made there. */
int store_claim_directory(struct store *store);

/* Puts a new file into the place that a damaged one has left when a daemon was ended on the way. */
int store_finish_set_aside(struct store *store);

/* Whether somebody has made the log of the open file shorter than what SQLite has there. */
bool store_log_is_cut(const struct store *store);

/* The clock that decays age by: goes on where the file says that it was; and is looked at, within a transaction. */
void store_clock_open(struct store *store);
int store_clock_look(struct store *store);

/* The oldest decay that may go, of all or of those older than that; 0: none. */
int store_oldest(struct store *store, int64_t *id);
int store_oldest_beyond(struct store *store, int64_t keep_ns, int64_t *id);

/* Whether a decay may go for its age now; `waits` says why not, or is empty. */
int store_may_age(struct store *store, int64_t keep_ns, bool *may, struct complaint *waits);

#endif
