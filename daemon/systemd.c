/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The only file that knows libsystemd's part about services; the journal is log_entry.c's. */

#include <config.h>

#include "systemd.h"

#if HAVE_SYSTEMD

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <systemd/sd-daemon.h>
#include <time.h>

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

void systemd_notify(const char *state)
{
    sd_notify(0, state);
}

/* With the moment it began, so that a manager that waits for it knows which reload is meant. */
void systemd_notify_reloading(void)
{
    struct timespec now;
    char state[64];
    clock_gettime(CLOCK_MONOTONIC, &now);
    snprintf(state, sizeof state, "RELOADING=1\nMONOTONIC_USEC=%" PRId64,
             (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000);
    sd_notify(0, state);
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

void systemd_notify_reloading(void)
{
}

#endif
