/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_REPORT_RUN_VIEW_H
#define FRICID_REPORT_RUN_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A run as its tables see it: run_table and trace_table. NAN: not known. */

struct trace_view {
    uint64_t id;
    const char *channel;
    const char *column; /* NULL: no table */
    const char *quantity, *unit;
    size_t samples, flagged;
    bool time_stamped;
    double start_s, period_s, delay_s;
    int64_t released_at_ns;
    const char *verdict; /* NULL: none yet */
    const char *remarks; /* NULL: none were configured */
    bool protected;
};

struct run_view {
    uint64_t run_id;
    const char *rig, *kind;
    int64_t started_at_ns;
    const struct trace_view *traces;
    size_t trace_count;
};

#endif
