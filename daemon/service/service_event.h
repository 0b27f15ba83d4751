/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_SERVICE_EVENT_H
#define FRICID_SERVICE_SERVICE_EVENT_H

#include <stdint.h>

/* Something that happened, for notify.event and the log. Strings are copied. */
struct service_event {
    const char *code;        /* "gap", "decay_lost", "source_fault", "decay_dropped", … */
    const char *sentence;    /* for people */
    const char *rig;         /* NULL: the daemon as a whole */
    const char *channel;     /* NULL: the rig as a whole */
    const char *source_kind; /* NULL with rig NULL */
    int64_t at_ns;           /* CLOCK_REALTIME */
    const char *reason;      /* named reason, "too_short", "overrun", …; NULL: none */
    uint64_t count;          /* lost scans, say; 0: does not apply */
};

#endif
