/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_OUTBOX_H
#define FRICID_SERVICE_OUTBOX_H

#include "service/notice.h"

#include <stddef.h>
#include <stdint.h>

/* The notifications that wait for one client to read. Bounded: what does not fit throws the whole queue away, and the
 * client is told once which span of `seq` it has lost. No I/O. A zeroed struct is an empty outbox. */
struct outbox {
    struct outbox_item *first, *last;
    size_t bytes;
    uint64_t lost_from, lost_to; /* missed and not told yet; 0: nothing */
    const char *lost_because;    /* of the latest of these, a sentence */
    uint64_t lost_total;         /* notifications thrown away so far */
};

/* Queues a notice (own reference) if `bytes` and `already_waiting` elsewhere leave room within `limit`; otherwise
 * throws away the queue and this notice. Short memory counts as no room. */
void outbox_push(struct outbox *outbox, struct notice *notice, size_t already_waiting, size_t limit);

/* Notes notifications that the client has missed, to be told before anything that is queued. `because`: a sentence that
 * lives as long as the outbox. */
void outbox_note_lost(struct outbox *outbox, uint64_t from_seq, uint64_t to_seq, const char *because);

/* There was no memory for the notification of that number, the newest: it is lost, with all that is queued. */
void outbox_lose(struct outbox *outbox, uint64_t seq);

/* There is no memory for what is queued: all of it is lost. */
void outbox_give_up(struct outbox *outbox);

/* Forgets what is queued with that seq or a later one, also what of it was lost: it is told anew. */
void outbox_forget_from(struct outbox *outbox, uint64_t seq);

/* The next notice, whose reference goes to the caller; NULL: nothing waits. What was lost comes first, as
 * notify.dropped. */
struct notice *outbox_pop(struct outbox *outbox);

/* Throws everything away and says nothing. */
void outbox_clear(struct outbox *outbox);

#endif
