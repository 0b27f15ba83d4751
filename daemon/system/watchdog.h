/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_WATCHDOG_H
#define FRICID_WATCHDOG_H

#include "service/backend.h"

#include <stddef.h>

struct event_base;

/* Tells the service manager that the daemon is well, for as long as it is: the event loop turns, and no thread that
 * counts has a job past its limit. A thread that waits for a disk does not count: to start anew would not mend the
 * disk, and would lose what waits for it. */
struct watchdog;

/* Fills in the threads of a moment; returns how many. */
typedef size_t (*watchdog_look)(void *context, const struct thread_status **threads);

/* Feeds at a third of the interval that the manager asks for, at most once a second; does nothing when it asks for
 * none. NULL when memory is short. */
struct watchdog *watchdog_create(struct event_base *base, watchdog_look look, void *context);

void watchdog_status(const struct watchdog *watchdog, struct watchdog_status *status);

void watchdog_destroy(struct watchdog *watchdog); /* NULL is fine */

#endif
