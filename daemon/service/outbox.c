/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The patience of the daemon with one slow reader: notices wait here until the socket takes them, and when they are
 * too many the client is told which it has missed. */

#include "service/outbox.h"

#include "proto/json_value.h"

#include <stdlib.h>

struct outbox_item {
    struct outbox_item *next;
    struct notice *notice;
};

static struct notice *take_first(struct outbox *outbox)
{
    struct outbox_item *item = outbox->first;
    if (!item)
        return NULL;
    struct notice *notice = item->notice;
    outbox->first = item->next;
    if (!outbox->first)
        outbox->last = NULL;
    outbox->bytes -= notice->length;
    free(item);
    return notice;
}

void outbox_note_lost(struct outbox *outbox, uint64_t from_seq, uint64_t to_seq)
{
    if (outbox->lost_from == 0 || from_seq < outbox->lost_from)
        outbox->lost_from = from_seq;
    if (to_seq > outbox->lost_to)
        outbox->lost_to = to_seq;
}

/* Counts a notification as lost. */
static void lose(struct outbox *outbox, const struct notice *notice)
{
    outbox_note_lost(outbox, notice->seq, notice->seq);
    outbox->lost_total++;
}

/* All of it, not only the oldest: a client that is a mebibyte behind is helped by the newest, and by one honest word.
 */
static void throw_away(struct outbox *outbox)
{
    struct notice *notice;
    while ((notice = take_first(outbox))) {
        lose(outbox, notice);
        notice_release(notice);
    }
}

void outbox_push(struct outbox *outbox, struct notice *notice, size_t already_waiting, size_t limit)
{
    size_t waiting = outbox->bytes + already_waiting;
    struct outbox_item *item = NULL;
    if (waiting <= limit && notice->length <= limit - waiting)
        item = malloc(sizeof *item);
    if (!item) {
        throw_away(outbox);
        lose(outbox, notice);
        return;
    }
    *item = (struct outbox_item){.next = NULL, .notice = notice_reference(notice)};
    if (outbox->last)
        outbox->last->next = item;
    else
        outbox->first = item;
    outbox->last = item;
    outbox->bytes += notice->length;
}

struct notice *outbox_pop(struct outbox *outbox)
{
    if (outbox->lost_from == 0)
        return take_first(outbox);
    json_t *params =
        json_pack("{s:o, s:o}", "from_seq", count_to_json(outbox->lost_from), "to_seq", count_to_json(outbox->lost_to));
    struct notice *dropped = notice_create(TOPIC_NONE, outbox->lost_to, "notify.dropped", params);
    /* Only when it could be made is the loss counted as told. */
    if (dropped)
        outbox->lost_from = outbox->lost_to = 0;
    return dropped;
}

void outbox_clear(struct outbox *outbox)
{
    struct notice *notice;
    while ((notice = take_first(outbox)))
        notice_release(notice);
    outbox->lost_from = outbox->lost_to = 0;
}
