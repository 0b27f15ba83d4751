/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_MONITOR_TERMINAL_CHECK_H
#define FRICID_CLIENT_MONITOR_TERMINAL_CHECK_H

#include "proto/complaint.h"

/* Whether standard input and output are a terminal on which text can be put anywhere. 0, or -ENOTTY and a complaint;
 * -ENOSYS in a build without ncurses. */
int terminal_check(struct complaint *complaint);

#endif
