/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_CLOCK_H
#define FRICID_PROTO_CLOCK_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* What the system's clocks show. Spans and deadlines go by CLOCK_MONOTONIC, which does not move when somebody sets the
 * time of day. */

enum { NS_PER_S = 1000000000 };

static inline int64_t clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

static inline int64_t clock_realtime_ns(void)
{
    return clock_ns(CLOCK_REALTIME);
}

static inline int64_t clock_monotonic_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

static inline double clock_monotonic_s(void)
{
    return 1e-9 * (double)clock_monotonic_ns();
}

/* The moment so long behind another one; INT64_MIN where that is not known, or no computer can say it. */
static inline int64_t clock_moment_behind_ns(int64_t zero_ns, double behind_s)
{
    const double ns = 1e9 * behind_s, most = 9e18;
    const bool known = fabs(ns) < most && fabs((double)zero_ns + ns) < most;
    return known ? zero_ns + (int64_t)ns : INT64_MIN;
}

/* So long from now, for waits that end. */
static inline struct timespec clock_monotonic_in(int64_t span_ns)
{
    const int64_t end_ns = clock_monotonic_ns() + span_ns;
    return (struct timespec){.tv_sec = end_ns / NS_PER_S, .tv_nsec = end_ns % NS_PER_S};
}

#endif
