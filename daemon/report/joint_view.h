/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_REPORT_JOINT_VIEW_H
#define FRICID_REPORT_JOINT_VIEW_H

#include "report/field.h"
#include "store/kept.h"

/* A channel of several that were fitted together. */
struct joint_channel_view {
    const char *channel, *unit;
    uint64_t id;
    struct brief_view gain, bias;
    double noise, delay_s;
    size_t samples;
};

struct contradiction_view {
    bool found;
    const char *figure, *channel, *other;
    double errors, limit;
};

struct joint_view {
    enum verdict verdict;
    const char *reference;
    unsigned terms;
    struct brief_view estimate[LADDER_PARAMETERS];
    size_t half_cycles;
    size_t count;
    struct joint_channel_view channels[JOINT_CHANNELS_MOST];
    struct contradiction_view contradiction;
};

/* What the tables see of a joint fit; NULL: there is none. Names and units are borrowed. */
struct joint_view joint_view_of(const struct kept_joint *joint);

#endif
