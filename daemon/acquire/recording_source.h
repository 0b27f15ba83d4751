/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_RECORDING_SOURCE_H
#define FRICID_ACQUIRE_RECORDING_SOURCE_H

#include "acquire/source.h"
#include "proto/calibration.h"
#include "proto/complaint.h"
#include "proto/recording_parts.h"

/* One column of the recording as a channel. */
struct recording_channel_settings {
    const char *name;               /* the channel's name, and the column's name without its unit */
    const char *unit;               /* NULL: as in the file's header */
    struct calibration calibration; /* file value to unit */
    double resolution;              /* displacement unit; 0: not known */
};

struct recording_source_settings {
    const char *path;
    struct recording_manner manner; /* what the configuration says of how to read it */
    bool real_time;                 /* deliver at the recorded speed; else as fast as the daemon takes it */
    size_t channel_count;
    const struct recording_channel_settings *channels; /* count 0: every column of the file */
};

/* A CSV recording as a source. The file is read in a thread of its own, so a slow disk never stops the event loop.
 * The settings are copied. Returns 0 and *source, or a negative errno and a complaint with file and line. */
int recording_source_create(struct event_base *base, const struct recording_source_settings *settings,
                            const struct source_listener *listener, struct source **source,
                            struct complaint *complaint);

#endif
