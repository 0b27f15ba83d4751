/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The only file that knows libsystemd's part about services; the journal is log_entry.c's. */

#include <config.h>

#include "system/systemd.h"

#include "proto/clock.h"

#if HAVE_SYSTEMD

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

/* For a manager that is to hear that the daemon is ready. */
enum { PATIENCE_MS = 1000 };

/* The variables are removed: a program started from here would take them for its own. */
int systemd_inherited_socket(struct complaint *complaint)
{
    int count = sd_listen_fds(1);
    if (count == 0)
        return -1;
    if (count == 1)
        return SD_LISTEN_FDS_START;
    complaint_set(complaint, "the service manager handed over %d sockets: fricidd listens at one", count);
    return count < 0 ? count : -EINVAL;
}

double systemd_watchdog_s(void)
{
    uint64_t interval_us = 0;
    return sd_watchdog_enabled(1, &interval_us) > 0 ? (double)interval_us * 1e-6 : 0;
}

/* A path, or with "@" in place of its zero byte an abstract name. 0: there is none that can be used. */
static socklen_t address_of_manager(struct sockaddr_un *address)
{
    const char *name = getenv("NOTIFY_SOCKET");
    size_t length = name ? strlen(name) : 0;
    if (length < 2 || length >= sizeof address->sun_path || (name[0] != '/' && name[0] != '@'))
        return 0;
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    memcpy(address->sun_path, name, length);
    if (name[0] == '@')
        address->sun_path[0] = '\0';
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
}

/* A manager that does not listen is nobody to tell of it. False: it has not read what came before. */
static bool is_taken(int fd, const char *state)
{
    return send(fd, state, strlen(state), MSG_NOSIGNAL) >= 0 || errno != EAGAIN;
}

/* sd_notify() itself waits until the manager has read, and the event loop with it. */
static void tell(const char *state, int patience_ms)
{
    struct sockaddr_un address;
    socklen_t length = address_of_manager(&address);
    int fd = length > 0 ? socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0) : -1;
    if (fd < 0)
        return;
    struct pollfd manager = {.fd = fd, .events = POLLOUT};
    if (connect(fd, (const struct sockaddr *)&address, length) == 0 && !is_taken(fd, state) && patience_ms > 0 &&
        poll(&manager, 1, patience_ms) == 1)
        is_taken(fd, state);
    close(fd);
}

void systemd_notify(const char *state)
{
    tell(state, 0);
}

void systemd_notify_ready(void)
{
    tell("READY=1", PATIENCE_MS);
}

/* With the moment it began, so that a manager that waits for it knows which reload is meant. */
void systemd_notify_reloading(void)
{
    char state[64];
    snprintf(state, sizeof state, "RELOADING=1\nMONOTONIC_USEC=%" PRId64, clock_monotonic_ns() / 1000);
    tell(state, 0);
}

#else

int systemd_inherited_socket(struct complaint *complaint)
{
    (void)complaint;
    return -1;
}

double systemd_watchdog_s(void)
{
    return 0;
}

void systemd_notify(const char *state)
{
    (void)state;
}

void systemd_notify_ready(void)
{
}

void systemd_notify_reloading(void)
{
}

#endif
