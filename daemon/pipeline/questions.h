/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_QUESTIONS_H
#define FRICID_QUESTIONS_H

#include "pipeline/store_reader.h"
#include "service/backend.h"

#include <sys/queue.h>

/* What clients ask of the store, on its way through the reader's thread. */

struct question_job;
LIST_HEAD(question_list, question_job);

/* Belongs to the event loop. */
struct questions {
    struct store_reader *reader;
    struct question_list running;
    struct kept_decay *recent; /* of the reader's thread: whoever asks for samples asks for the next page of them */
    unsigned recent_repairs;   /* of the store, before it was read */
    long last_ticket;
};

void questions_init(struct questions *questions, struct store_reader *reader);

/* See service_backend.ask. */
long questions_ask(struct questions *questions, const struct store_question *question, store_answered answered,
                   void *context);
void questions_cancel(struct questions *questions, long ticket);

/* After the reader was stopped. */
void questions_clear(struct questions *questions);

#endif
