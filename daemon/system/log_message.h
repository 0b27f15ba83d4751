/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_LOG_MESSAGE_H
#define FRICID_LOG_MESSAGE_H

#include <stdint.h>

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARNING, LOG_LEVEL_INFO };

/* A message with what programs filter by; strings are copied, all but the sentence may be NULL. */
struct log_message {
    enum log_level level;
    const char *code; /* the event's, or one of log_ids.h */
    const char *sentence;
    const char *rig, *channel, *source_kind;
    const char *reason;
    uint64_t count; /* 0: none */
};

#endif
