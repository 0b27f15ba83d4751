/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The queue of messages and the thread that writes them. */

#include "system/log.h"

#include "proto/clock.h"
#include "system/log_entry.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    MOST_BYTES = 1 << 20, /* that may wait */
    LAST_WORDS_MS = 300,  /* for what waits when the daemon ends */
};

struct log {
    pthread_mutex_t mutex; /* guards all below */
    pthread_cond_t wake;   /* of the thread */
    pthread_cond_t empty;  /* everything is written */
    pthread_t thread;
    STAILQ_HEAD(, log_entry) queue;
    size_t bytes;  /* queued */
    uint64_t lost; /* not queued, and not said yet */
    bool writing, stop, journal;
};

/* Under the mutex. What was lost is said in its place among the others. */
static struct log_entry *take_next(struct log *log)
{
    struct log_entry *entry = STAILQ_FIRST(&log->queue);
    if (entry) {
        STAILQ_REMOVE_HEAD(&log->queue, link);
        log->bytes -= entry->bytes;
        return entry;
    }
    if (log->lost == 0)
        return NULL;
    char sentence[128];
    snprintf(sentence, sizeof sentence, "%llu messages are missing here: nobody read them in time",
             (unsigned long long)log->lost);
    log->lost = 0;
    return log_entry_create(&(struct log_message){.level = LOG_LEVEL_WARNING, .sentence = sentence});
}

/* The thread may be cancelled while it writes, and nowhere else: there it holds no lock. */
static void write_entry(struct log *log, struct log_entry *entry)
{
    pthread_mutex_unlock(&log->mutex);
    pthread_cleanup_push(free, entry);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    log_entry_write(entry, log->journal);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_cleanup_pop(1);
    pthread_mutex_lock(&log->mutex);
}

static void *work(void *context)
{
    struct log *log = context;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_mutex_lock(&log->mutex);
    for (;;) {
        struct log_entry *entry = take_next(log);
        log->writing = entry != NULL;
        if (entry) {
            write_entry(log, entry);
            continue;
        }
        pthread_cond_broadcast(&log->empty);
        if (log->stop)
            break;
        pthread_cond_wait(&log->wake, &log->mutex);
    }
    pthread_mutex_unlock(&log->mutex);
    return NULL;
}

/* Signals belong to the event loop. */
static int start_thread(struct log *log)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&log->thread, NULL, work, log);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

struct log *log_start(void)
{
    struct log *log = calloc(1, sizeof *log);
    if (!log)
        return NULL;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&log->mutex, NULL);
    pthread_cond_init(&log->wake, NULL);
    pthread_cond_init(&log->empty, &monotonic);
    pthread_condattr_destroy(&monotonic);
    STAILQ_INIT(&log->queue);
    log->journal = log_to_journal();
    int error = start_thread(log);
    if (error) {
        free(log);
        errno = error;
        return NULL;
    }
    pthread_setname_np(log->thread, "log");
    return log;
}

void log_message(struct log *log, const struct log_message *message)
{
    struct log_entry *entry = log_entry_create(message);
    if (!log) {
        if (entry)
            log_entry_write(entry, log_to_journal());
        free(entry);
        return;
    }
    pthread_mutex_lock(&log->mutex);
    if (entry && log->bytes + entry->bytes <= MOST_BYTES) {
        STAILQ_INSERT_TAIL(&log->queue, entry, link);
        log->bytes += entry->bytes;
        entry = NULL;
    } else {
        log->lost++;
    }
    pthread_cond_signal(&log->wake);
    pthread_mutex_unlock(&log->mutex);
    free(entry);
}

void log_line(struct log *log, enum log_level level, const char *format, ...)
{
    char sentence[LOG_LINE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    log_message(log, &(struct log_message){.level = level, .sentence = sentence});
}

/* Whether everything was written in time. */
static bool wait_until_written(struct log *log)
{
    const struct timespec until = clock_monotonic_in(LAST_WORDS_MS * INT64_C(1000000));
    int error = 0;
    pthread_mutex_lock(&log->mutex);
    log->stop = true;
    pthread_cond_signal(&log->wake);
    while (error == 0 && (log->writing || !STAILQ_EMPTY(&log->queue) || log->lost > 0))
        error = pthread_cond_timedwait(&log->empty, &log->mutex, &until);
    pthread_mutex_unlock(&log->mutex);
    return error == 0;
}

/* Nobody can be made to read: the daemon ends all the same. */
void log_stop(struct log *log)
{
    if (!log)
        return;
    if (!wait_until_written(log))
        pthread_cancel(log->thread);
    pthread_join(log->thread, NULL);
    while (!STAILQ_EMPTY(&log->queue)) {
        struct log_entry *entry = STAILQ_FIRST(&log->queue);
        STAILQ_REMOVE_HEAD(&log->queue, link);
        free(entry);
    }
    pthread_cond_destroy(&log->empty);
    pthread_cond_destroy(&log->wake);
    pthread_mutex_destroy(&log->mutex);
    free(log);
}
