/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_MONITOR_MONITOR_H
#define FRICID_CLIENT_MONITOR_MONITOR_H

#include "client/client.h"

/* The screen of `fricidctl monitor`, until a key or a signal ends it. The client is connected, and
 * terminal_check() has found the terminal good. */
enum exit_status monitor_run(struct client *client);

#endif
