/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whether all is well, told to systemd's watchdog. */

#include "system/watchdog.h"

#include "proto/clock.h"
#include "system/systemd.h"

#include <event2/event.h>
#include <math.h>
#include <stdlib.h>

struct watchdog {
    watchdog_look look;
    void *context;
    double interval_s; /* 0: nobody watches */
    double fed_s;      /* CLOCK_MONOTONIC; NAN: never */
    struct event *timer;
};

/* An idle thread is healthy, and so is one within its limit. */
static bool all_well(struct watchdog *watchdog)
{
    const struct thread_status *threads;
    size_t count = watchdog->look(watchdog->context, &threads);
    for (size_t i = 0; i < count; i++)
        if (threads[i].feeds_watchdog && !threads[i].healthy)
            return false;
    return true;
}

/* The event loop runs this: that it turns is shown by its being here. */
static void on_timer(evutil_socket_t descriptor, short what, void *context)
{
    (void)descriptor;
    (void)what;
    struct watchdog *watchdog = context;
    if (!all_well(watchdog))
        return;
    systemd_notify("WATCHDOG=1");
    watchdog->fed_s = clock_monotonic_s();
}

static int start_timer(struct watchdog *watchdog, struct event_base *base)
{
    double period_s = fmin(1, watchdog->interval_s / 3);
    const struct timeval period = {.tv_sec = (time_t)period_s,
                                   .tv_usec = (suseconds_t)((period_s - floor(period_s)) * 1e6)};
    watchdog->timer = event_new(base, -1, EV_PERSIST, on_timer, watchdog);
    return watchdog->timer ? event_add(watchdog->timer, &period) : -1;
}

struct watchdog *watchdog_create(struct event_base *base, watchdog_look look, void *context)
{
    struct watchdog *watchdog = calloc(1, sizeof *watchdog);
    if (!watchdog)
        return NULL;
    watchdog->look = look;
    watchdog->context = context;
    watchdog->fed_s = (double)NAN;
    watchdog->interval_s = systemd_watchdog_s();
    if (watchdog->interval_s > 0 && start_timer(watchdog, base) != 0) {
        watchdog_destroy(watchdog);
        return NULL;
    }
    return watchdog;
}

void watchdog_status(const struct watchdog *watchdog, struct watchdog_status *status)
{
    status->interval_s = watchdog->interval_s;
    status->fed_ago_s = clock_monotonic_s() - watchdog->fed_s;
}

void watchdog_destroy(struct watchdog *watchdog)
{
    if (!watchdog)
        return;
    if (watchdog->timer)
        event_free(watchdog->timer);
    free(watchdog);
}
