/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_NOTEBOOK_H
#define FRICID_NOTEBOOK_H

#include "pipeline/store_writer.h"

#include <stdint.h>

/* What the store learns after the fact: under which numbers results were published, which events there were, and how
 * far the numbers go. Collected in the event loop, and written once a second: numbers are set aside for that, so that
 * none is ever given out twice, not even when the daemon is killed in between. */
struct notebook;

/* Numbers set aside beyond those that were given out: more than a second's notifications of the fastest virtual rig. */
enum { NOTEBOOK_SET_ASIDE = 1000000 };

/* Told in the event loop. */
struct notebook_listener {
    /* "store_notes_lost": what could not be noted, and why; once until there is room again. */
    void (*told)(void *context, const char *code, const char *sentence);
    /* All that was noted before this number was given out is in the store. */
    void (*written)(void *context, uint64_t until_seq);
    void *context;
};

/* NULL when memory is short. `numbering` is what the store was told last; next_seq 0: nothing yet. */
struct notebook *notebook_create(struct store_writer *writer, const struct store_numbering *numbering,
                                 const struct notebook_listener *listener);

void notebook_note_result(struct notebook *notebook, uint64_t id, unsigned revision, uint64_t seq);
void notebook_note_event(struct notebook *notebook, const struct store_event *event); /* copied */

/* A configuration that decays refer to; copied, and sent to the writer at once, before any decay of it can be. */
void notebook_note_configuration(struct notebook *notebook, const char *config_id, const char *path, const char *text,
                                 uint64_t next_seq);

/* Sends what was noted to the writer. next_seq: what the next notification will have. */
void notebook_write(struct notebook *notebook, uint64_t next_seq);

/* The last page, at the end: no numbers are set aside any more. */
void notebook_close(struct notebook *notebook, uint64_t next_seq);

/* Nobody may write into it any more, and its jobs are done. NULL is fine. */
void notebook_destroy(struct notebook *notebook);

#endif
