/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_RELOAD_H
#define FRICID_RELOAD_H

#include "config/configuration.h"

struct event_base;

/* Reads the configuration anew, in a thread of its own: files may lie on a disk that takes its time, and the event loop
 * does not wait. */
struct reload;

struct reload_listener {
    /* The whole file was read without complaint; the configuration is handed over. In the event loop's thread. */
    void (*loaded)(void *context, struct configuration *configuration);
    /* It was not: complaints are lines "FILE:LINE: sentence", at least one. */
    void (*refused)(void *context, const char *complaints);
    void *context;
};

/* Starts the thread. The path is borrowed. NULL when the system refuses (errno says why). */
struct reload *reload_create(struct event_base *base, const char *path, const struct reload_listener *listener);

/* Reads once more; while it is being read, once after that. */
void reload_request(struct reload *reload);

void reload_destroy(struct reload *reload); /* NULL is fine; nothing is told any more */

#endif
