/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Waits for the daemon, for keys, for signals and for the clock, and draws what came of them. */

#include "client/monitor/monitor.h"

#include "client/monitor/keys.h"
#include "client/monitor/link.h"
#include "client/monitor/panels.h"
#include "client/monitor/terminal.h"
#include "client/phrase.h"
#include "proto/address.h"
#include "proto/cause.h"
#include "proto/clock.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

/* The screen is drawn so often at most, and so often at least, for the clock, s. */
static const double draw_least_s = 0.1, draw_most_s = 1;

/* A daemon that is there greets at once; whoever waits for it does not see the keys, s. */
static const double greeting_s = 1;

static const char no_memory[] = "not enough memory", no_terminal[] = "the terminal went away";

struct monitor {
    struct glyphs glyphs; /* without sequences for colours: ncurses has its own */
    struct model model;
    struct view view;
    struct link link;
    struct terminal *terminal;
    struct canvas canvas;
    int signals; /* a descriptor */
    double drawn_s;
    bool changed, ends;
    bool more;                  /* of what the daemon told is to be taken in */
    struct complaint complaint; /* said when the terminal is given back; empty: nothing */
};

/* Texts are as wide as the screen: that of another width is asked for again. */
static void follow_width(struct monitor *monitor, int columns)
{
    if (monitor->view.page == PAGE_RESULT && monitor->glyphs.width != (size_t)columns)
        view_set_text(&monitor->view, NULL);
    monitor->glyphs.width = (size_t)columns;
}

/* Nothing can be said while the screen is drawn on. */
static enum exit_status fail(struct monitor *monitor, const char *sentence)
{
    complaint_set(&monitor->complaint, "%s", sentence);
    return STATUS_FAILED;
}

static enum exit_status draw(struct monitor *monitor)
{
    int rows, columns;
    terminal_size(monitor->terminal, &rows, &columns);
    if (canvas_resize(&monitor->canvas, rows, columns) < 0)
        return fail(monitor, no_memory);
    follow_width(monitor, columns);
    const struct scene scene = {.canvas = &monitor->canvas,
                                .model = &monitor->model,
                                .view = &monitor->view,
                                .glyphs = &monitor->glyphs,
                                .now_s = clock_monotonic_s(),
                                .clock = (int64_t)time(NULL)};
    panels_draw(&scene);
    monitor->drawn_s = scene.now_s;
    monitor->changed = false;
    const int error = terminal_show(monitor->terminal, &monitor->canvas);
    monitor->ends = monitor->ends || error == -EINTR;
    if (error == -EINTR)
        return STATUS_OK;
    return error == 0 ? STATUS_OK : fail(monitor, error == -ENOMEM ? no_memory : no_terminal);
}

/* A new size needs a new picture; all others end the monitor. */
static void take_signal(struct monitor *monitor)
{
    struct signalfd_siginfo what;
    while (read(monitor->signals, &what, sizeof what) == (ssize_t)sizeof what) {
        monitor->ends = monitor->ends || what.ssi_signo != SIGWINCH;
        monitor->changed = true;
        monitor->drawn_s = 0;
    }
}

static void take_keys(struct monitor *monitor)
{
    for (int key; (key = terminal_key(monitor->terminal)) != 0;) {
        keys_press(&monitor->view, &monitor->model, key, clock_monotonic_s());
        monitor->changed = true;
        monitor->drawn_s = 0; /* who presses a key sees what it does at once */
    }
}

/* Until something comes or the next picture is due. */
static enum exit_status wait_and_take(struct monitor *monitor)
{
    struct pollfd wanted[] = {{.fd = monitor->signals, .events = POLLIN},
                              {.fd = STDIN_FILENO, .events = POLLIN},
                              {.fd = link_descriptor(&monitor->link), .events = POLLIN}};
    const double due_s = monitor->drawn_s + (monitor->changed ? draw_least_s : draw_most_s);
    const int left_ms = monitor->more ? 0 : (int)ceil(1e3 * fmax(due_s - clock_monotonic_s(), 0));
    if (poll(wanted, 3, left_ms) < 0 && errno != EINTR)
        return fail(monitor, phrase_format("cannot wait for keys and for the daemon: %s", cause_of(errno)).text);
    if (wanted[0].revents)
        take_signal(monitor);
    if (wanted[1].revents & (POLLERR | POLLHUP | POLLNVAL))
        return fail(monitor, no_terminal);
    take_keys(monitor);
    if (wanted[2].revents || monitor->more) {
        monitor->more = link_read(&monitor->link, &monitor->model, &monitor->view, clock_monotonic_s());
        monitor->changed = true;
    }
    return STATUS_OK;
}

static enum exit_status follow(struct monitor *monitor)
{
    enum exit_status status = STATUS_OK;
    while (status == STATUS_OK && !monitor->view.quit && !monitor->ends) {
        const double now_s = clock_monotonic_s();
        link_work(&monitor->link, &monitor->model, &monitor->view, now_s);
        if (now_s >= monitor->drawn_s + (monitor->changed ? draw_least_s : draw_most_s))
            status = draw(monitor);
        if (status == STATUS_OK && !monitor->ends)
            status = wait_and_take(monitor);
    }
    return status;
}

/* From here on signals are read like keys, so that the terminal is given back. */
static int catch_signals(void)
{
    static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof caught / sizeof caught[0]; i++)
        sigaddset(&set, caught[i]);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void close_all(struct monitor *monitor)
{
    terminal_close(monitor->terminal);
    link_close(&monitor->link);
    model_close(&monitor->model);
    view_close(&monitor->view);
    canvas_destroy(&monitor->canvas);
    if (monitor->signals >= 0)
        close(monitor->signals);
}

enum exit_status monitor_run(struct client *client)
{
    struct monitor monitor = {.glyphs = *client->screen.glyphs, .view = {.span = 3}};
    enum exit_status status = STATUS_FAILED;
    monitor.glyphs.coloured = false;
    monitor.signals = catch_signals();
    if (monitor.signals < 0)
        screen_message(&client->screen, "cannot wait for signals: %s", cause_of(errno));
    else if (model_open(&monitor.model, &monitor.glyphs) < 0)
        screen_no_memory(&client->screen);
    else if (!(monitor.terminal = terminal_open(client->screen.own.coloured)))
        screen_no_memory(&client->screen);
    else {
        monitor.link = (struct link){.path = fricid_socket_path(client->options.socket), .timeout_s = greeting_s};
        link_open(&monitor.link, client->connection, &monitor.model, clock_monotonic_s());
        client->connection = NULL;
        status = follow(&monitor);
    }
    close_all(&monitor);
    if (*monitor.complaint.text)
        screen_message(&client->screen, "%s", monitor.complaint.text);
    return status;
}
