/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_NOTICE_H
#define FRICID_SERVICE_NOTICE_H

#include "service/topic.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* A notification as it goes over the socket: one line, written once and shared by the history and by every client
 * that has it in its queue. */
struct notice {
    unsigned references;
    enum topic topic;
    uint64_t seq;
    size_t length; /* of the line with its newline, without the zero byte behind it */
    char line[];
};

/* Takes `params` over. NULL when memory is short, or params is NULL. */
struct notice *notice_create(enum topic topic, uint64_t seq, const char *method, json_t *params);

/* Out of a line that was written before, with or without its newline. NULL when memory is short. */
struct notice *notice_from_line(enum topic topic, uint64_t seq, const char *line);

/* The notification of a result, out of its document. run_id as in result_text.h. NULL when memory is short. */
struct notice *notice_of_result(const char *document, uint64_t seq, uint64_t run_id);

struct notice *notice_reference(struct notice *notice);
void notice_release(struct notice *notice); /* NULL is fine */

#endif
