/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_DAEMON_STATE_H
#define FRICID_DAEMON_STATE_H

#include "configurations.h"
#include "devices.h"
#include "pipeline/maintenance.h"
#include "pipeline/pipeline.h"
#include "pipeline/publication_log.h"
#include "pipeline/questions.h"
#include "pipeline/retention.h"
#include "pipeline/store_start.h"
#include "reload.h"
#include "rig/rig_set.h"
#include "service/service.h"
#include "system/log.h"
#include "system/watchdog.h"

#include <stdbool.h>
#include <stdint.h>

struct event;
struct event_base;

/* All parts of the running daemon; for serve.c, which starts and stops them, and daemon_connections.c, through which
 * they reach each other. */
struct daemon {
    struct configurations configurations;
    int inherited_socket; /* handed over by the service manager; -1: none was */
    struct log *log;
    struct event_base *base;
    struct store_start stored;
    struct pipeline *pipeline;
    struct publication_log *publication_log;
    struct questions questions;
    struct maintenance *maintenance; /* NULL: the store is in memory */
    struct retention retention;
    unsigned ticks;
    struct service_backend backend;
    struct service *service;
    struct rig_set *rigs;
    struct reload *reload;
    struct devices *devices;
    struct watchdog *watchdog;
    struct thread_status threads[PIPELINE_THREADS];
    struct daemon_status status;
    struct event *terminate, *interrupt, *hang_up, *tick;
    bool disk_slow_told;
    int address_error;         /* why nobody can connect, a negative errno; 0: all can */
    int64_t realtime_ahead_ns; /* CLOCK_REALTIME minus CLOCK_MONOTONIC at the last tick */
};

/* An event of the daemon as a whole, for the log and for clients. Its parts tell by it, too. */
void daemon_tell(void *daemon, const char *code, const char *sentence);

/* Decays that were removed from the store. */
void daemon_tell_removed(void *daemon, unsigned count, uint64_t stored_from);

/* Up to where events and results are kept. */
void daemon_note_written(void *daemon, uint64_t until_seq);

/* Whom the parts tell what happens, and whom the service asks. */
struct pipeline_listener daemon_pipeline_listener(struct daemon *daemon);
struct rig_listener daemon_rig_listener(struct daemon *daemon);
struct service_backend daemon_backend(struct daemon *daemon);

#endif
