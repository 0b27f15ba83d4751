/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The daemon as a service: starts its parts in order, connects them, runs the event loop, and stops them in the
 * opposite order. No part below knows of another but through what is connected here. */

#include <config.h>

#include "serve.h"

#include "daemon_state.h"
#include "proto/cause.h"
#include "reload_report.h"
#include "system/clock_anchor.h"
#include "system/log_ids.h"
#include "system/systemd.h"

#include <errno.h>
#include <event2/event.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

/* How long shutdown waits for identifications under way, s; beyond it they are reported as lost. */
static const double finish_work_s = 0.7;

/* A larger jump of CLOCK_REALTIME against CLOCK_MONOTONIC within a second is a step, not slewing, ns. */
static const int64_t clock_step_ns = 100000000;

/* --- signals and the clock --- */

/* libevent delivers signals as events of the loop: this is no signal handler, and may do anything. */
static void on_stop_signal(evutil_socket_t signal_number, short what, void *context)
{
    (void)what;
    struct daemon *daemon = context;
    log_message(daemon->log,
                &(struct log_message){.level = LOG_LEVEL_INFO,
                                      .code = LOG_STOPPING,
                                      .sentence = signal_number == SIGTERM ? "SIGTERM came" : "SIGINT came"});
    event_base_loopbreak(daemon->base);
}

static void on_hang_up(evutil_socket_t signal_number, short what, void *context)
{
    (void)signal_number;
    (void)what;
    struct daemon *daemon = context;
    systemd_notify_reloading();
    reload_request(daemon->reload);
}

/* A file that something else removed; told when that begins to keep clients out, and when it ends, whoever saw to it.
 */
static void keep_address(struct daemon *daemon)
{
    struct complaint complaint;
    int code = service_keep_address(daemon->service, &complaint);
    if (code > 0)
        daemon_tell(daemon, "socket_renewed",
                    "the socket's file was removed, not by the daemon: it listens under that name again");
    else if (code < 0 && code != daemon->address_error)
        daemon_tell(daemon, "socket_lost", complaint.text);
    else if (code == 0 && daemon->address_error)
        daemon_tell(daemon, "socket_renewed", "the socket's file is in its place again: clients reach the daemon");
    daemon->address_error = code < 0 ? code : 0;
}

/* How often the store is looked at for decays that may go, s. */
enum { MAKE_ROOM_TICKS = 10 };

/* Once a second: what no event tells of by itself. */
static void on_tick(evutil_socket_t descriptor, short what, void *context)
{
    (void)descriptor;
    (void)what;
    struct daemon *daemon = context;
    const struct store_configuration *store = &daemon->configurations.running->store;
    const struct retention_listener retained = {.removed = daemon_tell_removed, .told = daemon_tell, .context = daemon};
    const struct retention_limits limits = {.keep_days = store->keep_days, .max_bytes = store->max_bytes};
    if (pipeline_check_deadlines(daemon->pipeline) > 0)
        daemon_tell(daemon, "job_overdue",
                    "a job is past job_deadline_s, or with a ladder of models past ladder_deadline_s "
                    "beyond that, and was asked to stop");
    bool slow = pipeline_waits_for_disk(daemon->pipeline);
    if (slow && !daemon->disk_slow_told)
        daemon_tell(daemon, "disk_slow",
                    "the disk keeps the writer waiting for minutes: look at it before the queue is full");
    daemon->disk_slow_told = slow;
    int64_t ahead_ns = clock_realtime_ahead_ns();
    int64_t step_ns = ahead_ns - daemon->realtime_ahead_ns;
    if (step_ns > clock_step_ns || step_ns < -clock_step_ns)
        daemon_tell(daemon, "clock_step", "the time of day was set; sample times are not affected");
    daemon->realtime_ahead_ns = ahead_ns;
    keep_address(daemon);
    rig_set_tick(daemon->rigs);
    publication_log_write(daemon->publication_log, service_next_seq(daemon->service));
    if (daemon->maintenance && daemon->ticks++ % MAKE_ROOM_TICKS == 0)
        retention_run(&daemon->retention, daemon->pipeline, &limits, &retained);
}

/* --- a new configuration --- */

static struct pipeline_settings pipeline_settings_of(const struct configuration *configuration)
{
    return (struct pipeline_settings){.queue_max_bytes = configuration->service.queue_max_bytes,
                                      .job_deadline_s = configuration->service.job_deadline_s,
                                      .ladder_deadline_s = configuration->service.ladder_deadline_s};
}

static void note_configuration(struct daemon *daemon, const struct configuration *configuration)
{
    uint64_t next_seq = daemon->service ? service_next_seq(daemon->service) : daemon->stored.first_seq;
    publication_log_note_configuration(daemon->publication_log, configuration->id, configuration->path,
                                       configuration->text, next_seq);
}

/* The rigs first: until they follow the new configuration, they point into the old one. */
static void on_loaded(void *context, struct configuration *configuration)
{
    struct daemon *daemon = context;
    struct reload_report report = {0};
    char sentence[RELOAD_SENTENCE];
    bool changed;
    int error = rig_set_follow(daemon->rigs, configuration, reload_report_rig, &report, &changed);
    if (!changed) {
        daemon_tell(daemon, "reload_failed", "not enough memory for the new configuration: the old one stays");
        configuration_destroy(configuration);
        systemd_notify("READY=1");
        return;
    }
    const struct pipeline_settings settings = pipeline_settings_of(configuration);
    pipeline_reconfigure(daemon->pipeline, &settings);
    reload_report_keys(&report, daemon->configurations.first, configuration);
    configurations_replace(&daemon->configurations, configuration);
    reload_report_sentence(&report, configuration->id, sentence, sizeof sentence);
    note_configuration(daemon, configuration);
    daemon_tell(daemon, "reloaded", sentence);
    retention_believe_date(daemon->pipeline);
    systemd_notify("READY=1");
    if (error)
        daemon_tell(daemon, "reload_failed", "not enough memory for every rig of the new configuration");
}

static void on_refused(void *context, const char *complaints)
{
    struct daemon *daemon = context;
    char sentence[RELOAD_SENTENCE];
    reload_refusal_sentence(complaints, sentence, sizeof sentence);
    daemon_tell(daemon, "reload_failed", sentence);
    systemd_notify("READY=1");
}

/* --- start and stop, each the other's mirror --- */

static int start_signals(struct daemon *daemon)
{
    const struct timeval second = {.tv_sec = 1};
    /* A client that left is an error of writing. */
    signal(SIGPIPE, SIG_IGN);
    daemon->terminate = evsignal_new(daemon->base, SIGTERM, on_stop_signal, daemon);
    daemon->interrupt = evsignal_new(daemon->base, SIGINT, on_stop_signal, daemon);
    daemon->hang_up = evsignal_new(daemon->base, SIGHUP, on_hang_up, daemon);
    daemon->tick = event_new(daemon->base, -1, EV_PERSIST, on_tick, daemon);
    daemon->realtime_ahead_ns = clock_realtime_ahead_ns();
    if (!daemon->terminate || !daemon->interrupt || !daemon->hang_up || !daemon->tick)
        return -ENOMEM;
    return event_add(daemon->hang_up, NULL) || event_add(daemon->tick, &second) ? -ENOMEM : 0;
}

/* Not before the store is open: a disk that does not answer, or a long log, must not keep anybody from ending the
 * start. The store is left as by a power cut. */
static int take_stop_signals(struct daemon *daemon, struct complaint *complaint)
{
    (void)complaint;
    return event_add(daemon->terminate, NULL) || event_add(daemon->interrupt, NULL) ? -ENOMEM : 0;
}

/* Whoever asks again for the end shall not kill what has nearly come to it: no signal waits longer than the process. */
static void stop_signals(struct daemon *daemon)
{
    sigset_t stops;
    sigemptyset(&stops);
    sigaddset(&stops, SIGTERM);
    sigaddset(&stops, SIGINT);
    pthread_sigmask(SIG_BLOCK, &stops, NULL);
    struct event *events[] = {daemon->terminate, daemon->interrupt, daemon->hang_up, daemon->tick};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (events[i])
            event_free(events[i]);
}

static int start_pipeline(struct daemon *daemon, struct complaint *complaint)
{
    (void)complaint;
    const struct pipeline_settings settings = pipeline_settings_of(daemon->configurations.first);
    const struct pipeline_listener listener = daemon_pipeline_listener(daemon);
    daemon->pipeline = pipeline_create(daemon->base, daemon->stored.store, &settings, &listener);
    daemon->stored.store = NULL; /* the pipeline's, in any case */
    if (!daemon->pipeline)
        return -ENOMEM;
    questions_init(&daemon->questions, pipeline_reader(daemon->pipeline));
    const struct publication_log_listener notes = {
        .told = daemon_tell, .written = daemon_note_written, .context = daemon};
    daemon->publication_log =
        publication_log_create(pipeline_writer(daemon->pipeline), &daemon->stored.numbering, &notes);
    if (!daemon->publication_log)
        return -ENOMEM;
    if (daemon->stored.directory) {
        daemon->maintenance = maintenance_create(daemon->base, daemon->pipeline, daemon->stored.directory);
        if (!daemon->maintenance)
            return -ENOMEM;
    }
    note_configuration(daemon, daemon->configurations.first);
    return 0;
}

/* What the watchdog looks at. */
static size_t look_at_threads(void *context, const struct thread_status **threads)
{
    struct daemon *daemon = context;
    pipeline_status(daemon->pipeline, daemon->threads, &daemon->status);
    *threads = daemon->threads;
    return daemon->status.thread_count;
}

static int start_watchdog(struct daemon *daemon, struct complaint *complaint)
{
    (void)complaint;
    daemon->watchdog = watchdog_create(daemon->base, look_at_threads, daemon);
    return daemon->watchdog ? 0 : -ENOMEM;
}

static int start_service(struct daemon *daemon, struct complaint *complaint)
{
    const struct service_configuration *configuration = &daemon->configurations.first->service;
    const struct service_settings settings = {
        .inherited_socket = daemon->inherited_socket,
        .socket_path = configuration->socket_path,
        .socket_mode = configuration->socket_mode,
        .group = configuration->group,
        .results_held = configuration->results_held,
        .samples_held_bytes = configuration->samples_held_bytes,
        .identify_max_bytes = configuration->identify_max_bytes,
        .history_id = daemon->stored.numbering.history_id,
        .next_seq = daemon->stored.first_seq,
        .stored_from = pipeline_reader(daemon->pipeline) ? daemon->stored.numbering.gone_seq + 1 : 0};
    daemon->backend = daemon_backend(daemon);
    return service_create(daemon->base, &settings, &daemon->backend, &daemon->service, complaint);
}

static void ignore_change(void *context, enum rig_change change, const char *rig)
{
    (void)context;
    (void)change;
    (void)rig;
}

static int start_rigs(struct daemon *daemon, struct complaint *complaint)
{
    (void)complaint;
    const struct rig_listener listener = daemon_rig_listener(daemon);
    bool changed;
    daemon->rigs = rig_set_create(daemon->base, daemon->pipeline, &daemon->configurations.first->recorder, &listener);
    if (!daemon->rigs)
        return -ENOMEM;
    return rig_set_follow(daemon->rigs, daemon->configurations.first, ignore_change, NULL, &changed);
}

/* What works beside the loop when it is asked to. */
static int start_reload(struct daemon *daemon, struct complaint *complaint)
{
    (void)complaint;
    const struct reload_listener listener = {.loaded = on_loaded, .refused = on_refused, .context = daemon};
    daemon->reload = reload_create(daemon->base, daemon->configurations.first->path, &listener);
    daemon->devices = devices_create(daemon->base);
    return daemon->reload && daemon->devices ? 0 : -ENOMEM;
}

/* Every client takes a descriptor; the usual soft limit of 1024 is fewer than the service has places for. */
static void allow_many_descriptors(struct daemon *daemon)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    const rlim_t wanted = 4096;
    if (limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
        log_line(daemon->log, LOG_LEVEL_WARNING, "the limit of open files stays at its default: %s", cause_of(errno));
}

/* Runs the loop without sources until the decays under way are published, or time is up. */
static void finish_work(struct daemon *daemon)
{
    double until = clock_monotonic_s() + finish_work_s;
    const struct timeval turn = {.tv_usec = 10000};
    while (!pipeline_idle(daemon->pipeline) && clock_monotonic_s() < until) {
        event_base_loopexit(daemon->base, &turn);
        event_base_dispatch(daemon->base);
    }
}

/* Also after a start that failed half way: whatever was not made is NULL. */
static void stop(struct daemon *daemon)
{
    systemd_notify("STOPPING=1");
    reload_destroy(daemon->reload);
    devices_destroy(daemon->devices);
    if (daemon->rigs)
        rig_set_stop(daemon->rigs, DECAY_END_END_OF_SOURCE);
    if (daemon->pipeline && daemon->service) {
        finish_work(daemon);
        maintenance_stop(daemon->maintenance);
        retention_stop(&daemon->retention);
        pipeline_stop(daemon->pipeline);
        /* When all is said: the last numbers. */
        publication_log_close(daemon->publication_log, service_next_seq(daemon->service));
    }
    /* Before the rigs, whose state the service shows. NULL afterwards: what is told from here on goes to the log
     * alone. */
    service_destroy(daemon->service);
    daemon->service = NULL;
    rig_set_destroy(daemon->rigs);
    configurations_clear(&daemon->configurations);
    watchdog_destroy(daemon->watchdog);
    maintenance_stop(daemon->maintenance);
    retention_stop(&daemon->retention);
    if (daemon->pipeline)
        pipeline_stop(daemon->pipeline);
    maintenance_destroy(daemon->maintenance);
    pipeline_destroy(daemon->pipeline);
    questions_clear(&daemon->questions);
    publication_log_destroy(daemon->publication_log);
    free(daemon->stored.directory);
    stop_signals(daemon);
    if (daemon->base)
        event_base_free(daemon->base);
    log_stop(daemon->log);
}

/* --- the order of a start --- */

static int take_inherited_socket(struct daemon *daemon, struct complaint *complaint)
{
    daemon->inherited_socket = systemd_inherited_socket(complaint);
    return daemon->inherited_socket < -1 ? daemon->inherited_socket : 0;
}

static int start_loop(struct daemon *daemon, struct complaint *complaint)
{
    (void)complaint;
    allow_many_descriptors(daemon);
    daemon->log = log_start();
    daemon->base = event_base_new();
    return daemon->log && daemon->base ? start_signals(daemon) : -ENOMEM;
}

static int start_store(struct daemon *daemon, struct complaint *complaint)
{
    return store_start(&daemon->configurations.first->store, &daemon->stored, complaint);
}

/* Each says itself why it cannot be; one that says nothing lacked memory, or a thread. */
static int start(struct daemon *daemon, struct complaint *complaint)
{
    static int (*const steps[])(struct daemon * daemon, struct complaint * complaint) = {
        take_inherited_socket, start_loop,    start_store, take_stop_signals, start_pipeline,
        start_watchdog,        start_service, start_rigs,  start_reload,
    };
    int error = 0;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && !error; i++) {
        complaint_set(complaint, "not enough memory or system resources to start");
        error = steps[i](daemon, complaint);
    }
    if (error)
        return error;
    pipeline_recover(daemon->pipeline);
    if (daemon->stored.in_memory.text[0])
        daemon_tell(daemon, "store_in_memory", daemon->stored.in_memory.text);
    return 0;
}

/* For whoever reads the log: which program this is, and where to reach it. */
static void tell_started(const struct daemon *daemon)
{
    char sentence[256];
    size_t rigs = rig_set_count(daemon->rigs);
    snprintf(sentence, sizeof sentence, "version " PACKAGE_VERSION ", %zu rig%s, listening at %s%s", rigs,
             rigs == 1 ? "" : "s", service_address(daemon->service),
             service_is_inherited(daemon->service) ? " (handed over by the service manager)" : "");
    log_message(daemon->log, &(struct log_message){.level = LOG_LEVEL_INFO, .code = LOG_STARTED, .sentence = sentence});
}

enum exit_status serve(const struct configuration *configuration)
{
    struct daemon daemon = {0};
    struct complaint complaint;
    configurations_init(&daemon.configurations, configuration);
    if (start(&daemon, &complaint) != 0) {
        log_line(daemon.log, LOG_LEVEL_ERROR, "%s", complaint.text);
        stop(&daemon);
        return EXIT_STATUS_FAILED;
    }
    tell_started(&daemon);
    systemd_notify_ready();
    event_base_dispatch(daemon.base);
    stop(&daemon);
    return EXIT_STATUS_OK;
}
