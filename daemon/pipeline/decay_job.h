/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_DECAY_JOB_H
#define FRICID_DECAY_JOB_H

#include "pipeline/backlog.h"
#include "pipeline/release_memory.h"
#include "pipeline/store_writer.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/queue.h>

/* A decay on its way through the threads, in two legs with a stop in the event loop between them: stored raw by the
 * writer; identified by the identifier and its result stored by the writer. */

struct decay_job {
    struct write_job write_job; /* first: a decay job is this */
    LIST_ENTRY(decay_job) entry;
    struct kept_decay *decay;   /* one reference */
    unsigned revision;          /* that the result will have */
    struct kept_result *result; /* once identified; owned */
    bool only_compare;          /* the result is neither stored nor published */
    bool ladder;                /* the result has the ladder of models */
    bool ladder_follows;        /* or, where it could have one, gets it later */
    bool joint;                 /* the result was there; other channels of the run were fitted with it */
    unsigned together; /* not 0: the result is neither stored nor published, but fitted with so many of its run */
    bool has_answer;   /* the decay has one without, which was published */
    /* Told of the result, NULL: there is none; for decays that somebody asked to be identified again. */
    void (*again)(void *context, const struct kept_result *result);
    void *again_context;
    /* Told how it ended, of a record that a client wants kept; takes the result over. NULL: there is none, and the
     * decay is stored, which then gets one later, or is not. */
    void (*kept)(void *context, struct kept_result *result, bool stored);
    void *kept_context;
    bool may_be_known;       /* a file can be read twice: what is in the store already is not stored again, -EEXIST */
    uint64_t known_id;       /* then, of the decay that is there */
    struct backlog *backlog; /* that brought it out of the store; NULL: none did */
    bool left_over;          /* by a daemon before this one: that an attempt is made is noted first */
    bool attempted;          /* that is on the disk, and the outcome is not */
    bool given_up;           /* it gets the verdict that says so, and is not identified */
    struct worker *identifier, *writer;
    struct release_memory *releases; /* the ladder asks it, and is remembered there where the result is published */
    const atomic_bool *ending;       /* the daemon is: a cancelled identification is then no result */
    /* The two stops, in the event loop's thread; each owns the job. write_job.error says how it went, write_job.job.ran
     * whether it went at all. */
    void (*stored)(struct decay_job *job);
    void (*finished)(struct decay_job *job);
    void *context;
};

/* Takes a reference of its own to the decay. NULL when memory is short. */
struct decay_job *decay_job_create(struct kept_decay *decay, enum job_priority priority, double deadline_s);
void decay_job_destroy(struct decay_job *job);

/* Whether its result is stored and published. */
bool decay_job_publishes(const struct decay_job *job);

void decay_job_store(struct decay_job *job);    /* the first leg */
void decay_job_identify(struct decay_job *job); /* the second */

#endif
