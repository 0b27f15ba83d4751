/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_LOG_H
#define FRICID_LOG_H

/* One line on standard error, where a terminal shows it and systemd's journal keeps it. */
enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARNING, LOG_LEVEL_INFO };

/* Under systemd the line carries its level for the journal; otherwise it begins with the program's name. Control
 * characters are replaced, so that what a file or a client says cannot forge a line. */
void log_line(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
