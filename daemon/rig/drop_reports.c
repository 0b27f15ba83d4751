/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which dropped candidates are told of one by one, and which together. */

#include "rig/drop_reports.h"

#include <string.h>

static const double minute_s = 60;

static uint64_t held_in_all(const struct drop_reports *reports)
{
    uint64_t held = 0;
    for (int r = 0; r < DROP_REASONS; r++)
        held += reports->held[r];
    return held;
}

bool drop_reports_take(struct drop_reports *reports, enum drop_reason reason, double now_s)
{
    if (reports->told == 0 || now_s - reports->minute_began_s >= minute_s) {
        reports->minute_began_s = now_s;
        reports->told = 0;
    }
    if (reports->told < DROP_REPORTS_A_MINUTE) {
        reports->told++;
        return true;
    }
    if (held_in_all(reports) == 0)
        reports->held_since_s = now_s;
    reports->held[reason]++;
    return false;
}

bool drop_reports_due(const struct drop_reports *reports, double now_s)
{
    return held_in_all(reports) > 0 && now_s - reports->held_since_s >= minute_s;
}

uint64_t drop_reports_held(const struct drop_reports *reports, enum drop_reason reason)
{
    return reports->held[reason];
}

void drop_reports_clear(struct drop_reports *reports)
{
    memset(reports->held, 0, sizeof reports->held);
}
