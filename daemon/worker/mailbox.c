/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The one place where worker threads meet the event loop: a queue under a mutex, and an eventfd that wakes the loop. */

#include "worker/mailbox.h"

#include "proto/clock.h"

#include <event2/event.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* After so long the rest waits for the next turn of the loop: two threads can post more than one can finish, ns. */
enum { TURN_NS = 2000000 };

struct mailbox {
    pthread_mutex_t mutex;
    struct job_queue posted;
    int descriptor;
    struct event *readable;
};

static void wake(struct mailbox *mailbox)
{
    uint64_t one = 1;
    /* Fails only when the counter is full, and then the loop is awake anyway. */
    ssize_t put = write(mailbox->descriptor, &one, sizeof one);
    (void)put;
}

void mailbox_post(struct mailbox *mailbox, struct job *job)
{
    pthread_mutex_lock(&mailbox->mutex);
    TAILQ_INSERT_TAIL(&mailbox->posted, job, entry);
    pthread_mutex_unlock(&mailbox->mutex);
    wake(mailbox);
}

/* One at a time, so that `finished` runs without the mutex and may post or submit again. */
static struct job *mailbox_take(struct mailbox *mailbox)
{
    pthread_mutex_lock(&mailbox->mutex);
    struct job *job = TAILQ_FIRST(&mailbox->posted);
    if (job)
        TAILQ_REMOVE(&mailbox->posted, job, entry);
    pthread_mutex_unlock(&mailbox->mutex);
    return job;
}

/* One job at least, and more while there is time. What is left wakes the loop again at once, behind everybody else. */
static void on_readable(evutil_socket_t descriptor, short what, void *context)
{
    (void)what;
    struct mailbox *mailbox = context;
    uint64_t count;
    /* Whatever the count is; EAGAIN only means that somebody drained the mailbox meanwhile. */
    ssize_t got = read(descriptor, &count, sizeof count);
    (void)got;
    int64_t end_ns = clock_monotonic_ns() + TURN_NS;
    struct job *job;
    while ((job = mailbox_take(mailbox))) {
        job->finished(job);
        if (clock_monotonic_ns() < end_ns)
            continue;
        wake(mailbox);
        break;
    }
}

static int mailbox_listen(struct mailbox *mailbox, struct event_base *base)
{
    mailbox->readable = event_new(base, mailbox->descriptor, EV_READ | EV_PERSIST, on_readable, mailbox);
    if (!mailbox->readable)
        return -1;
    return event_add(mailbox->readable, NULL);
}

struct mailbox *mailbox_create(struct event_base *base)
{
    struct mailbox *mailbox = calloc(1, sizeof *mailbox);
    if (!mailbox)
        return NULL;
    pthread_mutex_init(&mailbox->mutex, NULL);
    TAILQ_INIT(&mailbox->posted);
    mailbox->descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (mailbox->descriptor < 0 || mailbox_listen(mailbox, base) != 0) {
        mailbox_destroy(mailbox);
        return NULL;
    }
    return mailbox;
}

/* Also takes what is posted while it runs: when it returns, the mailbox was empty. */
void mailbox_drain(struct mailbox *mailbox)
{
    struct job *job;
    while ((job = mailbox_take(mailbox)))
        job->finished(job);
}

void mailbox_leave_loop(struct mailbox *mailbox)
{
    event_free(mailbox->readable);
    mailbox->readable = NULL;
}

/* The threads have been joined: what they posted last is still finished. */
void mailbox_destroy(struct mailbox *mailbox)
{
    if (!mailbox)
        return;
    mailbox_drain(mailbox);
    if (mailbox->readable)
        event_free(mailbox->readable);
    if (mailbox->descriptor >= 0)
        close(mailbox->descriptor);
    pthread_mutex_destroy(&mailbox->mutex);
    free(mailbox);
}
