/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_DEVICES_H
#define FRICID_DEVICES_H

#include "acquire/device_survey.h"

#include <stdint.h>

struct event_base;

/* The cards of this computer, looked at in a thread of their own when somebody asks. */
struct devices;

struct devices *devices_create(struct event_base *base); /* NULL when memory is short */

/* Asks for a new survey; one that is under way is as good. */
void devices_ask(struct devices *devices);

/* The latest survey; NULL: none yet. *surveying: a newer one is under way. *taken_at_ns: CLOCK_REALTIME. */
const struct device_survey *devices_latest(const struct devices *devices, bool *surveying, int64_t *taken_at_ns);

void devices_destroy(struct devices *devices); /* waits for a survey under way; NULL is fine */

#endif
