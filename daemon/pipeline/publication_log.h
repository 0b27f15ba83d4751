/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PIPELINE_PUBLICATION_LOG_H
#define FRICID_PIPELINE_PUBLICATION_LOG_H

#include "pipeline/store_writer.h"

#include <stdint.h>

/* What the store learns after the fact: under which numbers results were published, which events there were, and how
 * far the numbers go. Collected in the event loop, and written once a second: numbers are set aside for that, so that
 * none is ever given out twice, not even when the daemon is killed in between. */
struct publication_log;

/* Numbers set aside beyond those that were given out: more than a second's notifications of the fastest virtual rig. */
enum { PUBLICATION_LOG_SET_ASIDE = 1000000 };

/* Told in the event loop. */
struct publication_log_listener {
    /* "store_notes_lost": what could not be noted, and why; once until there is room again. */
    void (*told)(void *context, const char *code, const char *sentence);
    /* All that was noted before this number was given out is in the store. */
    void (*written)(void *context, uint64_t until_seq);
    void *context;
};

/* NULL when memory is short. `numbering` is what the store was told last; next_seq 0: nothing yet. */
struct publication_log *publication_log_create(struct store_writer *writer, const struct store_numbering *numbering,
                                               const struct publication_log_listener *listener);

void publication_log_note_result(struct publication_log *publication_log, uint64_t id, unsigned revision, uint64_t seq);
void publication_log_note_event(struct publication_log *publication_log, const struct store_event *event); /* copied */

/* A configuration that decays refer to; copied, and sent to the writer at once, before any decay of it can be. */
void publication_log_note_configuration(struct publication_log *publication_log, const char *config_id,
                                        const char *path, const char *text, uint64_t next_seq);

/* Sends what was noted to the writer. next_seq: what the next notification will have. */
void publication_log_write(struct publication_log *publication_log, uint64_t next_seq);

/* The last page, at the end: no numbers are set aside any more. */
void publication_log_close(struct publication_log *publication_log, uint64_t next_seq);

/* Nobody may write into it any more, and its jobs are done. NULL is fine. */
void publication_log_destroy(struct publication_log *publication_log);

#endif
