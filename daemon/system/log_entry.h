/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_LOG_ENTRY_H
#define FRICID_LOG_ENTRY_H

#include "system/log_message.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>

enum { LOG_FIELDS = 9, LOG_LINE = 1024 };

/* A message as it waits to be written: its fields as the journal wants them, "NAME=value", the line for people first.
 */
struct log_entry {
    STAILQ_ENTRY(log_entry) link;
    enum log_level level;
    size_t bytes;                   /* of this struct with its texts */
    size_t field_count;             /* at least 1 */
    const char *fields[LOG_FIELDS]; /* point into `texts`; fields[0] begins with LOG_MESSAGE */
    char texts[];
};

#define LOG_MESSAGE "MESSAGE="

/* NULL when memory is short; free with free(). */
struct log_entry *log_entry_create(const struct log_message *message);

/* Whether standard error is the journal. */
bool log_to_journal(void);

/* Writes it where it belongs. May take as long as the reader of standard error likes. */
void log_entry_write(const struct log_entry *entry, bool journal);

#endif
