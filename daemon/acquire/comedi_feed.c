/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The thread of a card: open, attend, and after a fault wait and open again. The ring between it and the event loop is
 * guarded by one mutex, held only to count. */

#include "acquire/comedi_feed.h"

#include "acquire/comedi_session.h"
#include "acquire/source.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

/* At a message every 10 ms, what a busy event loop leaves waiting for a third of a second. */
enum { MESSAGES = 32 };

static const double first_wait_s = 0.25, longest_wait_s = 30;
/* A card that ran so long was not failing all the time. */
static const double good_run_s = 5;

struct comedi_feed {
    struct comedi_session session; /* the thread's alone */
    struct comedi_message messages[MESSAGES];
    pthread_t thread;
    bool started;
    int ready_fd, stop_fd;
    atomic_bool stop;
    pthread_mutex_t mutex; /* guards what follows */
    pthread_cond_t freed;
    size_t oldest, filled; /* messages [oldest, oldest + filled) of the ring wait to be taken */
};

/* --- the ring --- */

static struct comedi_message *get_free(void *context, bool wait)
{
    struct comedi_feed *feed = context;
    pthread_mutex_lock(&feed->mutex);
    while (wait && feed->filled == MESSAGES && !atomic_load(&feed->stop))
        pthread_cond_wait(&feed->freed, &feed->mutex);
    bool none = feed->filled == MESSAGES || atomic_load(&feed->stop);
    size_t next = (feed->oldest + feed->filled) % MESSAGES;
    pthread_mutex_unlock(&feed->mutex);
    return none ? NULL : &feed->messages[next];
}

static void raise_fd(int fd)
{
    const uint64_t one = 1;
    while (write(fd, &one, sizeof one) < 0 && errno == EINTR)
        ;
}

/* The message is always the one that get_free() gave last. */
static void put_filled(void *context, struct comedi_message *message)
{
    struct comedi_feed *feed = context;
    (void)message;
    pthread_mutex_lock(&feed->mutex);
    feed->filled++;
    pthread_mutex_unlock(&feed->mutex);
    raise_fd(feed->ready_fd);
}

const struct comedi_message *comedi_feed_take(struct comedi_feed *feed)
{
    pthread_mutex_lock(&feed->mutex);
    const struct comedi_message *message = feed->filled > 0 ? &feed->messages[feed->oldest] : NULL;
    pthread_mutex_unlock(&feed->mutex);
    return message;
}

void comedi_feed_give_back(struct comedi_feed *feed)
{
    pthread_mutex_lock(&feed->mutex);
    feed->oldest = (feed->oldest + 1) % MESSAGES;
    feed->filled--;
    pthread_cond_signal(&feed->freed);
    pthread_mutex_unlock(&feed->mutex);
}

int comedi_feed_fd(const struct comedi_feed *feed)
{
    return feed->ready_fd;
}

/* --- the thread --- */

/* Waits, but not beyond the end of the thread. */
static void sleep_for(const struct comedi_feed *feed, double seconds)
{
    struct pollfd stop = {.fd = feed->stop_fd, .events = POLLIN};
    struct timespec time = {.tv_sec = (time_t)seconds, .tv_nsec = (long)(1e9 * (seconds - floor(seconds)))};
    ppoll(&stop, 1, &time, NULL);
}

static void tell_fault(const struct comedi_outlet *outlet, const struct card_fault *fault, double wait_s, bool repeated)
{
    struct comedi_message *message = outlet->get(outlet->context, true);
    if (!message)
        return;
    message->kind = MESSAGE_FAULT;
    message->code = fault->code;
    message->repeated = repeated;
    complaint_set(&message->sentence, "%s (trying again in %.3g s)", fault->complaint.text, wait_s);
    outlet->put(outlet->context, message);
}

/* Returns when the card has failed or the thread is to end. */
static void attend(struct comedi_feed *feed, const struct comedi_outlet *outlet, struct card_fault *fault)
{
    if (!comedi_session_open(&feed->session, outlet, fault))
        return;
    while (!atomic_load(&feed->stop)) {
        if (!comedi_session_turn(&feed->session, outlet, fault)) {
            comedi_session_close(&feed->session, fault);
            return;
        }
        sleep_for(feed, comedi_session_wait_s(&feed->session));
    }
    card_fault_set(fault, "stopped", "stopped");
    comedi_session_close(&feed->session, fault);
}

static void *run(void *context)
{
    struct comedi_feed *feed = context;
    const struct comedi_outlet outlet = {.get = get_free, .put = put_filled, .context = feed};
    struct card_fault fault;
    const char *before = "";
    double wait_s = first_wait_s;
    /* Readings are to come when they are due, not up to 50 µs later. */
    prctl(PR_SET_TIMERSLACK, 1UL);
    while (!atomic_load(&feed->stop)) {
        double began_s = source_monotonic_s();
        attend(feed, &outlet, &fault);
        bool ran = source_monotonic_s() - began_s > good_run_s;
        wait_s = ran ? first_wait_s : wait_s;
        tell_fault(&outlet, &fault, wait_s, !ran && strcmp(fault.code, before) == 0);
        before = fault.code;
        sleep_for(feed, wait_s);
        wait_s = fmin(2 * wait_s, longest_wait_s);
    }
    return NULL;
}

/* --- construction --- */

static bool allocate(struct comedi_feed *feed)
{
    for (size_t i = 0; i < MESSAGES; i++) {
        struct comedi_message *message = &feed->messages[i];
        message->time_s = malloc(MESSAGE_STAMPS * sizeof *message->time_s);
        message->displacement = malloc(MESSAGE_VALUES * sizeof *message->displacement);
        message->flags = malloc(MESSAGE_VALUES * sizeof *message->flags);
        if (!message->time_s || !message->displacement || !message->flags)
            return false;
    }
    return feed->ready_fd >= 0 && feed->stop_fd >= 0;
}

struct comedi_feed *comedi_feed_create(const struct comedi_settings *settings)
{
    struct comedi_feed *feed = calloc(1, sizeof *feed);
    if (!feed)
        return NULL;
    feed->mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    feed->freed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    feed->ready_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    feed->stop_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    bool good = comedi_session_create(&feed->session, settings);
    if (good && allocate(feed))
        return feed;
    comedi_feed_destroy(feed);
    return NULL;
}

/* Signals belong to the event loop: this thread starts with all of them blocked. */
int comedi_feed_start(struct comedi_feed *feed)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&feed->thread, NULL, run, feed);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    feed->started = error == 0;
    return -error;
}

/* Under the mutex, or the thread could miss the signal between its look at `stop` and its wait. */
static void join(struct comedi_feed *feed)
{
    pthread_mutex_lock(&feed->mutex);
    atomic_store(&feed->stop, true);
    pthread_cond_signal(&feed->freed);
    pthread_mutex_unlock(&feed->mutex);
    raise_fd(feed->stop_fd);
    pthread_join(feed->thread, NULL);
}

void comedi_feed_destroy(struct comedi_feed *feed)
{
    if (!feed)
        return;
    if (feed->started)
        join(feed);
    comedi_session_destroy(&feed->session);
    for (size_t i = 0; i < MESSAGES; i++) {
        free(feed->messages[i].time_s);
        free(feed->messages[i].displacement);
        free(feed->messages[i].flags);
    }
    if (feed->ready_fd >= 0)
        close(feed->ready_fd);
    if (feed->stop_fd >= 0)
        close(feed->stop_fd);
    pthread_cond_destroy(&feed->freed);
    pthread_mutex_destroy(&feed->mutex);
    free(feed);
}
