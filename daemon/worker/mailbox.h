/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_WORKER_MAILBOX_H
#define FRICID_WORKER_MAILBOX_H

#include "worker/job.h"

struct event_base;

/* The way back: jobs that threads have finished, handed to the event loop through an eventfd. */
struct mailbox;

/* NULL when the system refuses (errno says why). */
struct mailbox *mailbox_create(struct event_base *base);

/* From any thread: hands the job over; its `finished` is called in the event loop. */
void mailbox_post(struct mailbox *mailbox, struct job *job);

/* In the event loop's thread: finishes now what was posted so far. */
void mailbox_drain(struct mailbox *mailbox);

/* The event loop ends and jobs may still be posted, by a thread that does not end: they stay until the mailbox is
 * destroyed, which that thread may then do. */
void mailbox_leave_loop(struct mailbox *mailbox);

/* Finishes what is still there, then frees. NULL is fine. No thread may post any more. */
void mailbox_destroy(struct mailbox *mailbox);

#endif
