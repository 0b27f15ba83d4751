/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_RECORDED_SETTINGS_H
#define FRICID_RECORDED_SETTINGS_H

#include "config/configuration.h"

/* What is known of a record that somebody brings along. */
struct recorded_channel {
    const char *rig;     /* that was recorded, empty: not known */
    const char *channel; /* of it */
    double resolution;   /* that came with the record, displacement unit; 0: none did */
    bool tells_gaps;     /* every gap is marked: a late time stamp is none */
};

/* The settings that hold for it: those of the rig where the configuration has one of that name, else those for files.
 * A resolution that is configured counts more than one that came along. */
struct recorded_settings {
    struct segment_settings segment;
    struct physical_settings physical;
};
struct recorded_settings recorded_settings(const struct configuration *configuration,
                                           const struct recorded_channel *recorded);

#endif
