/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_TOPIC_H
#define FRICID_SERVICE_TOPIC_H

/* What a client may subscribe to; used as a set of bits. */
enum topic {
    TOPIC_NONE = 0, /* of what is told to every subscriber it concerns */
    TOPIC_RESULT = 1u << 0,
    TOPIC_EVENT = 1u << 1,
    TOPIC_PROGRESS = 1u << 2,
    TOPIC_SIGNAL = 1u << 3,
    TOPIC_HELD = TOPIC_RESULT | TOPIC_EVENT, /* those that the history can replay */
};

enum { TOPICS = 4 };

/* "result", "event", "progress", "signal": the name of topic 1 << index. */
const char *topic_name(unsigned index);

#endif
