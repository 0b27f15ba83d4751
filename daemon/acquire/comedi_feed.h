/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_COMEDI_FEED_H
#define FRICID_ACQUIRE_COMEDI_FEED_H

#include "acquire/comedi_message.h"
#include "acquire/message_ring.h"

/* The thread that attends to a card, and the ring of messages through which the event loop hears of it. Every call
 * into Comedi is made in this thread: the kernel may take its time, and the loop never waits for it. A card that fails
 * is tried again, at first soon, then less and less often. */
struct comedi_feed;

/* The settings outlive the feed. NULL when memory is short. */
struct comedi_feed *comedi_feed_create(const struct comedi_settings *settings);

/* Starts the thread. 0, or a negative errno. */
int comedi_feed_start(struct comedi_feed *feed);

/* The ring tells when there is a message, and takes it back. */
struct message_ring *comedi_feed_ring(struct comedi_feed *feed);

/* The oldest message, or NULL. */
const struct comedi_message *comedi_feed_take(struct comedi_feed *feed);

/* Ends the thread and frees everything; NULL is fine. */
void comedi_feed_destroy(struct comedi_feed *feed);

#endif
