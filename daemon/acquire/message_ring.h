/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_MESSAGE_RING_H
#define FRICID_ACQUIRE_MESSAGE_RING_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* A thread that reads a source, and the ring of messages through which the event loop hears of it. The ring knows the
 * messages by number only: they are slots 0 … slots-1 of an array of whoever embeds the ring, who also owns what is in
 * them.
 *
 * The thread fills a slot while it is nobody's; once put it is the event loop's until given back. The mutex therefore
 * guards the counting alone, and neither side ever holds it while it works. */
struct message_ring {
    size_t slots;
    pthread_t thread;
    bool made, started;
    int ready_fd;
    atomic_bool stopping;
    pthread_mutex_t mutex; /* guards what follows */
    pthread_cond_t freed, stopped;
    size_t oldest, filled; /* slots [oldest, oldest + filled) of the ring wait to be taken */
};

/* A ring that is all zero may be closed. 0, or a negative errno. */
int message_ring_open(struct message_ring *ring, size_t slots);

/* Starts the thread, with all signals blocked: they belong to the event loop. 0, or a negative errno. */
int message_ring_start(struct message_ring *ring, void *(*run)(void *context), void *context);

/* Ends the thread, which must look at message_ring_is_stopping() now and then, and waits for that. */
void message_ring_close(struct message_ring *ring);

/* --- for the thread --- */

/* The slot to fill next. False: none is free; with `wait`, that the thread is to end. */
bool message_ring_free_slot(struct message_ring *ring, bool wait, size_t *slot);

/* The slot that was last got is the event loop's from here on. */
void message_ring_put(struct message_ring *ring);

bool message_ring_is_stopping(struct message_ring *ring);

/* Waits, but not beyond the end of the thread. */
void message_ring_sleep(struct message_ring *ring, double seconds);

/* --- for the event loop --- */

/* Makes the descriptor readable again, for whoever has silenced it and leaves messages for later. */
void message_ring_call(struct message_ring *ring);

/* Becomes readable when a message was put; read 8 bytes to silence it, then take messages until there is none. */
int message_ring_fd(const struct message_ring *ring);

/* The oldest message's slot; false: there is none. It is to be given back before the next is taken. */
bool message_ring_take(struct message_ring *ring, size_t *slot);
void message_ring_give_back(struct message_ring *ring);

#endif
