/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_OWN_DAEMON_H
#define FRICID_CLIENT_OWN_DAEMON_H

#include "client/connection.h"
#include "client/exit_status.h"
#include "proto/complaint.h"

#include <sys/types.h>

/* A fricidd of this run of fricidctl alone, without rigs, in a directory of its own that goes away with it: for what
 * can be found out of a file without asking the daemon that runs. */
struct own_daemon {
    int hold;     /* as long as this is open, it runs */
    pid_t keeper; /* the process that ends it and clears up; 0: none was started */
};

/* Starts it and connects. Zeroed before. Anything but STATUS_OK comes with a complaint. */
enum exit_status own_daemon_start(struct own_daemon *own, double timeout_s, struct connection **connection,
                                  struct complaint *complaint);

/* Ends it, and waits until nothing is left of it. None was started: nothing happens. */
void own_daemon_end(struct own_daemon *own);

#endif
