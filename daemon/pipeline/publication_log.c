/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A page is filled in the event loop, handed to the writer, and thrown away when it comes back written. */

#include "pipeline/publication_log.h"

#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

/* Pages that wait for a disk that is full may take this much; what is noted beyond it counts as gone. A configuration
 * has room of its own: no flood of events takes it away. */
enum { MOST_BYTES = 16 << 20, MOST_WITH_CONFIGURATIONS = 64 << 20 };

struct noted {
    STAILQ_ENTRY(noted) entry;
    enum { NOTED_RESULT, NOTED_EVENT, NOTED_CONFIGURATION } kind;
    uint64_t id; /* of a result */
    unsigned revision;
    struct store_event event; /* its seq is also the result's; texts point behind the struct */
    const char *config_id, *path, *text;
    size_t bytes;
};

STAILQ_HEAD(noted_list, noted);

struct publication_log {
    struct store_writer *writer;
    struct publication_log_listener listener;
    bool lost, told_lost;             /* something could not be noted; that was told */
    struct store_numbering numbering; /* as it was sent to the writer last */
    struct noted_list list;
    size_t bytes; /* noted, or with the writer */
};

struct page {
    struct write_job write_job; /* first: a page is this */
    struct publication_log *publication_log;
    struct noted_list list;
    bool numbers;
    struct store_numbering numbering;
    uint64_t until_seq; /* nothing on it has this number or a later one */
};

struct publication_log *publication_log_create(struct store_writer *writer, const struct store_numbering *numbering,
                                               const struct publication_log_listener *listener)
{
    struct publication_log *publication_log = calloc(1, sizeof *publication_log);
    if (!publication_log)
        return NULL;
    publication_log->writer = writer;
    publication_log->listener = *listener;
    publication_log->numbering = *numbering;
    STAILQ_INIT(&publication_log->list);
    return publication_log;
}

static void free_list(struct noted_list *list)
{
    struct noted *noted;
    while ((noted = STAILQ_FIRST(list))) {
        STAILQ_REMOVE_HEAD(list, entry);
        free(noted);
    }
}

void publication_log_destroy(struct publication_log *publication_log)
{
    if (!publication_log)
        return;
    free_list(&publication_log->list);
    free(publication_log);
}

/* NULL: there is no room; whoever asks for notifications from there on learns that something is missing. */
static struct noted *add(struct publication_log *publication_log, size_t texts, uint64_t seq, size_t most)
{
    size_t bytes = sizeof(struct noted) + texts;
    struct noted *noted = publication_log->bytes + bytes <= most ? calloc(1, bytes) : NULL;
    if (!noted) {
        publication_log->numbering.gone_seq = seq > 0 ? seq : publication_log->numbering.gone_seq;
        publication_log->lost = true;
        return NULL;
    }
    publication_log->bytes += bytes;
    noted->event.seq = seq;
    noted->bytes = bytes;
    STAILQ_INSERT_TAIL(&publication_log->list, noted, entry);
    return noted;
}

void publication_log_note_result(struct publication_log *publication_log, uint64_t id, unsigned revision, uint64_t seq)
{
    struct noted *noted = add(publication_log, 0, seq, MOST_BYTES);
    if (!noted)
        return;
    noted->kind = NOTED_RESULT;
    noted->id = id;
    noted->revision = revision;
}

static size_t room_of(const char *text)
{
    return text ? strlen(text) + 1 : 0;
}

static const char *put_text(char **place, const char *text)
{
    if (!text)
        return NULL;
    char *copy = *place;
    size_t room = room_of(text);
    memcpy(copy, text, room);
    *place += room;
    return copy;
}

void publication_log_note_event(struct publication_log *publication_log, const struct store_event *event)
{
    size_t texts = room_of(event->code) + room_of(event->rig) + room_of(event->channel) + room_of(event->text);
    struct noted *noted = add(publication_log, texts, event->seq, MOST_BYTES);
    if (!noted)
        return;
    char *place = (char *)(noted + 1);
    noted->kind = NOTED_EVENT;
    noted->event = (struct store_event){.seq = event->seq,
                                        .at_ns = event->at_ns,
                                        .code = put_text(&place, event->code),
                                        .rig = put_text(&place, event->rig),
                                        .channel = put_text(&place, event->channel),
                                        .text = put_text(&place, event->text)};
}

/* --- pages --- */

static int write_noted(const struct noted *noted, struct store *store)
{
    switch (noted->kind) {
    case NOTED_RESULT:
        return store_put_seq(store, noted->id, noted->revision, noted->event.seq);
    case NOTED_EVENT:
        return store_put_event(store, &noted->event);
    default:
        return store_put_configuration(store, noted->config_id, noted->path, noted->text);
    }
}

static int write_page(struct write_job *write_job, struct store *store)
{
    struct page *page = (struct page *)write_job;
    const struct noted *noted;
    int error = page->numbers ? store_put_numbering(store, &page->numbering) : 0;
    STAILQ_FOREACH(noted, &page->list, entry)
    {
        if (error)
            return error;
        error = write_noted(noted, store);
    }
    return error;
}

static void page_finished(struct job *job)
{
    struct page *page = (struct page *)job;
    page->publication_log->bytes -= job->bytes;
    if (page->publication_log->bytes <= MOST_BYTES / 2)
        page->publication_log->lost = page->publication_log->told_lost = false;
    if (job->ran && page->write_job.error == 0)
        page->publication_log->listener.written(page->publication_log->listener.context, page->until_seq);
    free_list(&page->list);
    free(page);
}

/* Numbers are written when they are used up to the half, not with every page. */
static bool wants_numbers(const struct publication_log *publication_log, uint64_t next_seq, bool last)
{
    return last || next_seq + PUBLICATION_LOG_SET_ASIDE / 2 > publication_log->numbering.next_seq;
}

static void send_page(struct publication_log *publication_log, uint64_t next_seq, bool last)
{
    bool numbers = wants_numbers(publication_log, next_seq, last);
    if (STAILQ_EMPTY(&publication_log->list) && !numbers)
        return;
    struct page *page = calloc(1, sizeof *page);
    if (!page)
        return; /* what is noted stays for the next time */
    publication_log->numbering.next_seq =
        numbers ? next_seq + (last ? 0 : PUBLICATION_LOG_SET_ASIDE) : publication_log->numbering.next_seq;
    page->write_job.write = write_page;
    page->write_job.job.finished = page_finished;
    /* Before the decays that refer to what is noted here. */
    page->write_job.job.priority = JOB_LIVE;
    page->publication_log = publication_log;
    page->numbers = numbers;
    page->until_seq = next_seq;
    page->numbering = publication_log->numbering;
    STAILQ_INIT(&page->list);
    STAILQ_CONCAT(&page->list, &publication_log->list);
    size_t bytes = 0;
    const struct noted *noted;
    STAILQ_FOREACH(noted, &page->list, entry)
    {
        bytes += noted->bytes;
    }
    page->write_job.job.bytes = bytes;
    store_writer_submit(publication_log->writer, &page->write_job);
}

/* Not where it happens: there an event is just being told. The one told here comes back to be noted as well. */
static void tell_lost(struct publication_log *publication_log)
{
    if (!publication_log->lost || publication_log->told_lost)
        return;
    publication_log->told_lost = true;
    publication_log->listener.told(
        publication_log->listener.context, "store_notes_lost",
        "so much waits for the disk of the store that events are not kept there any more: they are "
        "published and logged only. Make room");
}

void publication_log_note_configuration(struct publication_log *publication_log, const char *config_id,
                                        const char *path, const char *text, uint64_t next_seq)
{
    size_t texts = room_of(config_id) + room_of(path) + room_of(text);
    struct noted *noted = add(publication_log, texts, 0, MOST_WITH_CONFIGURATIONS);
    if (!noted)
        return;
    char *place = (char *)(noted + 1);
    noted->kind = NOTED_CONFIGURATION;
    noted->config_id = put_text(&place, config_id);
    noted->path = put_text(&place, path);
    noted->text = put_text(&place, text);
    send_page(publication_log, next_seq, false);
}

void publication_log_write(struct publication_log *publication_log, uint64_t next_seq)
{
    tell_lost(publication_log);
    send_page(publication_log, next_seq, false);
}

void publication_log_close(struct publication_log *publication_log, uint64_t next_seq)
{
    send_page(publication_log, next_seq, true);
}
