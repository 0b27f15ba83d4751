/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SYSTEMD_H
#define FRICID_SYSTEMD_H

#include "proto/complaint.h"

/* What a service manager has to say to a daemon, and the daemon to it. Built without libsystemd, or started by
 * somebody else, there is nothing of all this, and nothing fails. */

/* The listening socket that was handed over, once: a descriptor, -1 when there is none, or another negative errno and a
 * complaint when there are several. */
int systemd_inherited_socket(struct complaint *complaint);

/* How often the watchdog must be fed at least, s; 0: there is none. */
double systemd_watchdog_s(void);

/* What sd_notify(3) does with "READY=1", …, but without waiting: a manager that does not read misses it. */
void systemd_notify(const char *state);

/* READY=1 at the start, for which a manager that is busy is waited for, but not for long. */
void systemd_notify_ready(void);

/* A reload begins; READY=1 ends it. */
void systemd_notify_reloading(void);

#endif
