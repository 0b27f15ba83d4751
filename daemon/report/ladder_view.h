/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_REPORT_LADDER_VIEW_H
#define FRICID_REPORT_LADDER_VIEW_H

#include "identify/decay/identify.h"
#include "report/field.h"

#include <stddef.h>

/* A rung of the ladder as one of many. */
struct rung_view {
    unsigned terms;
    enum verdict verdict;
    struct brief_view estimate[LADDER_PARAMETERS];
    double rms, aicc, criterion;
};

/* The ladder: the chosen rung in full, and all of them. */
struct ladder_view {
    enum verdict verdict;
    size_t chosen; /* COUNT_UNKNOWN: none */
    unsigned terms;
    struct estimate f_n_hz;
    struct estimate estimate[FIT_PARAMETERS];
    struct estimate beyond[LADDER_BEYOND];
    double rms;
    size_t samples, half_cycles, earlier_releases;
    struct clock_step clock_step;
    struct clock_steps clock_steps;
    struct zero_drift zero_drift;
    struct zero_steps zero_steps;
    struct ladder_consistency consistency;
    size_t count; /* of models */
    struct rung_view models[LADDER_RUNGS];
};

/* What the tables see of a ladder, also of one that was not made; the unit of displacement is borrowed. */
struct ladder_view ladder_view_of(const struct identification *found, const char *displacement);

#endif
