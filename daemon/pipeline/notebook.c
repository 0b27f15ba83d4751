/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A page is filled in the event loop, handed to the writer, and thrown away when it comes back written. */

#include "pipeline/notebook.h"

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

struct notebook {
    struct store_writer *writer;
    struct notebook_listener listener;
    bool lost, told_lost;             /* something could not be noted; that was told */
    struct store_numbering numbering; /* as it was sent to the writer last */
    struct noted_list list;
    size_t bytes; /* noted, or with the writer */
};

struct page {
    struct write_job write_job; /* first: a page is this */
    struct notebook *notebook;
    struct noted_list list;
    bool numbers;
    struct store_numbering numbering;
    uint64_t until_seq; /* nothing on it has this number or a later one */
};

struct notebook *notebook_create(struct store_writer *writer, const struct store_numbering *numbering,
                                 const struct notebook_listener *listener)
{
    struct notebook *notebook = calloc(1, sizeof *notebook);
    if (!notebook)
        return NULL;
    notebook->writer = writer;
    notebook->listener = *listener;
    notebook->numbering = *numbering;
    STAILQ_INIT(&notebook->list);
    return notebook;
}

static void free_list(struct noted_list *list)
{
    struct noted *noted;
    while ((noted = STAILQ_FIRST(list))) {
        STAILQ_REMOVE_HEAD(list, entry);
        free(noted);
    }
}

void notebook_destroy(struct notebook *notebook)
{
    if (!notebook)
        return;
    free_list(&notebook->list);
    free(notebook);
}

/* NULL: there is no room; whoever asks for notifications from there on learns that something is missing. */
static struct noted *add(struct notebook *notebook, size_t texts, uint64_t seq, size_t most)
{
    size_t bytes = sizeof(struct noted) + texts;
    struct noted *noted = notebook->bytes + bytes <= most ? calloc(1, bytes) : NULL;
    if (!noted) {
        notebook->numbering.gone_seq = seq > 0 ? seq : notebook->numbering.gone_seq;
        notebook->lost = true;
        return NULL;
    }
    notebook->bytes += bytes;
    noted->event.seq = seq;
    noted->bytes = bytes;
    STAILQ_INSERT_TAIL(&notebook->list, noted, entry);
    return noted;
}

void notebook_note_result(struct notebook *notebook, uint64_t id, unsigned revision, uint64_t seq)
{
    struct noted *noted = add(notebook, 0, seq, MOST_BYTES);
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

void notebook_note_event(struct notebook *notebook, const struct store_event *event)
{
    size_t texts = room_of(event->code) + room_of(event->rig) + room_of(event->channel) + room_of(event->text);
    struct noted *noted = add(notebook, texts, event->seq, MOST_BYTES);
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
    page->notebook->bytes -= job->bytes;
    if (page->notebook->bytes <= MOST_BYTES / 2)
        page->notebook->lost = page->notebook->told_lost = false;
    if (job->ran && page->write_job.error == 0)
        page->notebook->listener.written(page->notebook->listener.context, page->until_seq);
    free_list(&page->list);
    free(page);
}

/* Numbers are written when they are used up to the half, not with every page. */
static bool wants_numbers(const struct notebook *notebook, uint64_t next_seq, bool last)
{
    return last || next_seq + NOTEBOOK_SET_ASIDE / 2 > notebook->numbering.next_seq;
}

static void send_page(struct notebook *notebook, uint64_t next_seq, bool last)
{
    bool numbers = wants_numbers(notebook, next_seq, last);
    if (STAILQ_EMPTY(&notebook->list) && !numbers)
        return;
    struct page *page = calloc(1, sizeof *page);
    if (!page)
        return; /* what is noted stays for the next time */
    notebook->numbering.next_seq = numbers ? next_seq + (last ? 0 : NOTEBOOK_SET_ASIDE) : notebook->numbering.next_seq;
    page->write_job.write = write_page;
    page->write_job.job.finished = page_finished;
    /* Before the decays that refer to what is noted here. */
    page->write_job.job.priority = JOB_LIVE;
    page->notebook = notebook;
    page->numbers = numbers;
    page->until_seq = next_seq;
    page->numbering = notebook->numbering;
    STAILQ_INIT(&page->list);
    STAILQ_CONCAT(&page->list, &notebook->list);
    size_t bytes = 0;
    const struct noted *noted;
    STAILQ_FOREACH(noted, &page->list, entry)
    {
        bytes += noted->bytes;
    }
    page->write_job.job.bytes = bytes;
    store_writer_submit(notebook->writer, &page->write_job);
}

/* Not where it happens: there an event is just being told. The one told here comes back to be noted as well. */
static void tell_lost(struct notebook *notebook)
{
    if (!notebook->lost || notebook->told_lost)
        return;
    notebook->told_lost = true;
    notebook->listener.told(notebook->listener.context, "store_notes_lost",
                            "so much waits for the disk of the store that events are not kept there any more: they are "
                            "published and logged only. Make room");
}

void notebook_note_configuration(struct notebook *notebook, const char *config_id, const char *path, const char *text,
                                 uint64_t next_seq)
{
    size_t texts = room_of(config_id) + room_of(path) + room_of(text);
    struct noted *noted = add(notebook, texts, 0, MOST_WITH_CONFIGURATIONS);
    if (!noted)
        return;
    char *place = (char *)(noted + 1);
    noted->kind = NOTED_CONFIGURATION;
    noted->config_id = put_text(&place, config_id);
    noted->path = put_text(&place, path);
    noted->text = put_text(&place, text);
    send_page(notebook, next_seq, false);
}

void notebook_write(struct notebook *notebook, uint64_t next_seq)
{
    tell_lost(notebook);
    send_page(notebook, next_seq, false);
}

void notebook_close(struct notebook *notebook, uint64_t next_seq)
{
    send_page(notebook, next_seq, true);
}
