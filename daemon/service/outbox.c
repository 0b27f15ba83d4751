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

void outbox_note_lost(struct outbox *outbox, uint64_t from_seq, uint64_t to_seq, const char *because)
{
    if (outbox->lost_from == 0 || from_seq < outbox->lost_from)
        outbox->lost_from = from_seq;
    if (to_seq > outbox->lost_to)
        outbox->lost_to = to_seq;
    outbox->lost_because = because;
}

/* Counts a notification as thrown away. */
static void lose(struct outbox *outbox, uint64_t seq, const char *because)
{
    outbox_note_lost(outbox, seq, seq, because);
    outbox->lost_total++;
}

/* All of it, not only the oldest: a client that is a mebibyte behind is helped by the newest, and by one honest word.
 */
static void throw_away(struct outbox *outbox, const char *because)
{
    struct notice *notice;
    while ((notice = take_first(outbox))) {
        lose(outbox, notice->seq, because);
        notice_release(notice);
    }
}

static const char too_slow[] = "this client read too slowly";
static const char no_memory[] = "memory was short";

void outbox_give_up(struct outbox *outbox)
{
    throw_away(outbox, no_memory);
}

void outbox_lose(struct outbox *outbox, uint64_t seq)
{
    outbox_give_up(outbox);
    lose(outbox, seq, no_memory);
}

void outbox_push(struct outbox *outbox, struct notice *notice, size_t already_waiting, size_t limit)
{
    size_t waiting = outbox->bytes + already_waiting;
    if (waiting > limit || notice->length > limit - waiting) {
        throw_away(outbox, too_slow);
        lose(outbox, notice->seq, too_slow);
        return;
    }
    struct outbox_item *item = malloc(sizeof *item);
    if (!item) {
        outbox_lose(outbox, notice->seq);
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

/* What is queued is sorted by seq: its end goes. */
void outbox_forget_from(struct outbox *outbox, uint64_t seq)
{
    struct outbox_item **link = &outbox->first, *last = NULL;
    while (*link && (*link)->notice->seq < seq) {
        last = *link;
        link = &last->next;
    }
    struct outbox_item *item = *link;
    *link = NULL;
    outbox->last = last;
    while (item) {
        struct outbox_item *next = item->next;
        outbox->bytes -= item->notice->length;
        notice_release(item->notice);
        free(item);
        item = next;
    }
    if (outbox->lost_from >= seq)
        outbox->lost_from = outbox->lost_to = 0;
    else if (outbox->lost_to >= seq)
        outbox->lost_to = seq - 1;
}

struct notice *outbox_pop(struct outbox *outbox)
{
    if (outbox->lost_from == 0)
        return take_first(outbox);
    json_t *params = json_pack("{s:o, s:o, s:s}", "from_seq", count_to_json(outbox->lost_from), "to_seq",
                               count_to_json(outbox->lost_to), "reason", outbox->lost_because);
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
