/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_LOG_H
#define FRICID_LOG_H

#include "system/log_message.h"

/* What the daemon says to its operator: lines on standard error, or entries with fields where that is systemd's
 * journal. */

/* A thread of its own writes, so that whoever reads standard error and does not, or a journal that hangs, holds nobody
 * up. What waits is bounded; what does not fit is counted and said later. */
struct log;

/* NULL when the system refuses (errno says why). */
struct log *log_start(void);

/* With NULL the line is written at once. Control characters are replaced, so that what a file or a client says cannot
 * forge a line. */
void log_line(struct log *log, enum log_level level, const char *format, ...) __attribute__((format(printf, 3, 4)));
void log_message(struct log *log, const struct log_message *message);

/* Writes what waits, for at most a third of a second, and ends the thread. NULL is fine. */
void log_stop(struct log *log);

#endif
