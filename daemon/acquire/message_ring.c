/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What every source with a thread of its own needs between that thread and the event loop. */

#include "acquire/message_ring.h"

#include "proto/clock.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

/* As good as for ever. */
static const double longest_s = 1e9;

/* Sleeping goes by the clock that nobody sets. */
static int make_conditions(struct message_ring *ring)
{
    pthread_condattr_t monotonic;
    int error = pthread_condattr_init(&monotonic);
    if (error)
        return -error;
    error = pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    if (!error)
        error = pthread_cond_init(&ring->freed, NULL);
    if (!error && (error = pthread_cond_init(&ring->stopped, &monotonic)) != 0)
        pthread_cond_destroy(&ring->freed);
    pthread_condattr_destroy(&monotonic);
    return -error;
}

int message_ring_open(struct message_ring *ring, size_t slots)
{
    *ring = (struct message_ring){.slots = slots, .mutex = PTHREAD_MUTEX_INITIALIZER};
    ring->ready_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (ring->ready_fd < 0)
        return -errno;
    int error = make_conditions(ring);
    if (error)
        close(ring->ready_fd);
    ring->made = error == 0;
    return error;
}

int message_ring_start(struct message_ring *ring, void *(*run)(void *context), void *context)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&ring->thread, NULL, run, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    ring->started = error == 0;
    return -error;
}

/* Under the mutex, or the thread could miss the signal between its look at `stopping` and its wait. */
static void join(struct message_ring *ring)
{
    pthread_mutex_lock(&ring->mutex);
    atomic_store(&ring->stopping, true);
    pthread_cond_signal(&ring->freed);
    pthread_cond_signal(&ring->stopped);
    pthread_mutex_unlock(&ring->mutex);
    pthread_join(ring->thread, NULL);
}

void message_ring_close(struct message_ring *ring)
{
    if (!ring->made)
        return;
    if (ring->started)
        join(ring);
    close(ring->ready_fd);
    pthread_cond_destroy(&ring->freed);
    pthread_cond_destroy(&ring->stopped);
    pthread_mutex_destroy(&ring->mutex);
    *ring = (struct message_ring){0};
}

/* --- for the thread --- */

bool message_ring_free_slot(struct message_ring *ring, bool wait, size_t *slot)
{
    pthread_mutex_lock(&ring->mutex);
    while (wait && ring->filled == ring->slots && !message_ring_is_stopping(ring))
        pthread_cond_wait(&ring->freed, &ring->mutex);
    bool found = ring->filled < ring->slots && !message_ring_is_stopping(ring);
    *slot = (ring->oldest + ring->filled) % ring->slots;
    pthread_mutex_unlock(&ring->mutex);
    return found;
}

void message_ring_call(struct message_ring *ring)
{
    const uint64_t one = 1;
    /* The counter cannot overflow: the reader empties it, and few messages fit into the ring. */
    while (write(ring->ready_fd, &one, sizeof one) < 0 && errno == EINTR)
        ;
}

void message_ring_put(struct message_ring *ring)
{
    pthread_mutex_lock(&ring->mutex);
    ring->filled++;
    pthread_mutex_unlock(&ring->mutex);
    message_ring_call(ring);
}

bool message_ring_is_stopping(struct message_ring *ring)
{
    return atomic_load(&ring->stopping);
}

void message_ring_sleep(struct message_ring *ring, double seconds)
{
    const struct timespec until = clock_monotonic_in((int64_t)(fmin(seconds, longest_s) * NS_PER_S));
    pthread_mutex_lock(&ring->mutex);
    int error = 0;
    while (!message_ring_is_stopping(ring) && error == 0)
        error = pthread_cond_timedwait(&ring->stopped, &ring->mutex, &until);
    pthread_mutex_unlock(&ring->mutex);
}

/* --- for the event loop --- */

int message_ring_fd(const struct message_ring *ring)
{
    return ring->ready_fd;
}

/* The message stays in the ring until it is given back, so that the thread cannot fill it anew. */
bool message_ring_take(struct message_ring *ring, size_t *slot)
{
    pthread_mutex_lock(&ring->mutex);
    bool found = ring->filled > 0;
    *slot = ring->oldest;
    pthread_mutex_unlock(&ring->mutex);
    return found;
}

void message_ring_give_back(struct message_ring *ring)
{
    pthread_mutex_lock(&ring->mutex);
    ring->oldest = (ring->oldest + 1) % ring->slots;
    ring->filled--;
    pthread_cond_signal(&ring->freed);
    pthread_mutex_unlock(&ring->mutex);
}
