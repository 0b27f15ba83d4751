/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_SOURCE_DRIVER_H
#define FRICID_ACQUIRE_SOURCE_DRIVER_H

#include "acquire/source.h"
#include "proto/complaint.h"
#include "settings/config_reader.h"

#include <stdbool.h>
#include <stddef.h>

/* A kind of source, from its group in the configuration to the source that runs. Its settings are a struct of its own,
 * which nobody else looks into. Members may be NULL where noted. */
struct source_driver {
    const char *name; /* in configurations and in JSON */

    /* The group `source`, whose keys include `kind`, and an element of `channels`, whose keys include name,
     * role, calibrated_on, remarks and segment, which are read for all kinds alike. */
    const struct config_section *source_section, *channel_section;
    size_t settings_bytes, channel_bytes; /* of the structs that they fill */
    bool brings_channels;                 /* without configured channels the source has those that it finds */

    /* Fills zeroed settings from their group; what is wrong is complained of. */
    void (*read)(struct config_reader *reader, const config_setting_t *group, void *settings);

    /* The same for a channel. Its name, NULL when it has none that can be used. */
    const char *(*read_channel)(struct config_reader *reader, const config_setting_t *group, void *channel);

    /* Puts the channels, which live as long as the settings, into them. */
    void (*take_channels)(void *settings, const void *channels, size_t count);

    /* Whether settings and channels go together, when all of them are read; NULL: there is nothing to ask. `sound`:
     * nothing was wrong with the rig so far. list: NULL when no channels are configured. */
    void (*check)(struct config_reader *reader, const config_setting_t *group, const config_setting_t *list,
                  const void *settings, bool sound);

    /* Scans a second of a source that cannot wait, Hz; 0: it can. */
    double (*live_rate_hz)(const void *settings);

    /* What the source is called while it could not be opened; NULL: it is always "". */
    const char *(*device)(const void *settings);

    /* A source of these settings, which are copied. 0, or a negative errno and a complaint. */
    int (*create)(struct event_base *base, const void *settings, const struct source_listener *listener,
                  struct source **source, struct complaint *complaint);
};

/* Each is defined in a file of its own. */
#define SOURCE_DRIVER_OF_ROW(kind, driver) extern const struct source_driver driver;
SOURCE_KINDS(SOURCE_DRIVER_OF_ROW)
#undef SOURCE_DRIVER_OF_ROW

const struct source_driver *source_driver(enum source_kind kind);

/* What the fields of a stored decay's origin hold beside their NUL. */
enum { SOURCE_NAME_BYTES = 63, SOURCE_UNIT_BYTES = 31 };

#endif
