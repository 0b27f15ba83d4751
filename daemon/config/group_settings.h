/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CONFIG_GROUP_SETTINGS_H
#define FRICID_CONFIG_GROUP_SETTINGS_H

#include "acquire/source_kinds.h"
#include "identify/decay/physical.h"
#include "segment/segment_settings.h"

#include <stddef.h>

/* What the groups of a configuration file say. */

/* What a channel measures: of a driven contact, of which a rig has one of each, or of a structure that is hit. */
enum channel_role {
    ROLE_NONE,
    ROLE_DISPLACEMENT,
    ROLE_FORCE,
    ROLE_NORMAL,
    ROLE_VELOCITY, /* whose integral counts where there is no displacement */
    ROLE_ACCELEROMETER,
    CHANNEL_ROLES
};

/* "displacement", …; empty of ROLE_NONE. */
const char *channel_role_name(enum channel_role role);

/* One channel of a rig: how its decays are cut out. The source's own view of the channel is in rig_configuration. */
struct channel_configuration {
    const char *name;
    struct segment_settings segment;
    enum channel_role role;
    const char *calibrated_on, *remarks; /* NULL: none given */
};

struct kind_work;

struct rig_configuration {
    const char *name;
    const char *written;          /* all that its file says of it, in one form: rigs with equal texts are the same */
    const struct kind_work *kind; /* of the records that are found in what it measures */
    bool driven;                  /* a drive moves it while its force goes round loops: no decay is made then */
    enum source_kind source_kind;
    void *source;                      /* its settings, which its driver knows */
    struct physical_settings physical; /* metres_per_unit follows from each channel's unit later */
    size_t channel_count;              /* 0: every column of a recording, with segment_defaults */
    const struct channel_configuration *channels;
    const char *reference_channel; /* in whose unit a motion is told that several channels saw; NULL: the first */
    struct segment_settings segment_defaults; /* the rig's own `segment` group */
};

struct service_configuration {
    const char *socket_path;
    const char *group;         /* may call the methods that act */
    unsigned socket_mode;      /* 0666 */
    size_t queue_max_bytes;    /* what may wait to be stored */
    size_t results_held;       /* results and events kept for from_seq */
    size_t samples_held_bytes; /* raw samples kept for the method `samples` */
    size_t identify_max_bytes; /* records handed in over the socket, with what is found in them */
    double job_deadline_s;     /* an identification that takes longer is cancelled */
    double ladder_deadline_s;  /* and so much more may it take with the ladder of models; 0: without */
};

/* Where decays and results are kept. */
struct store_configuration {
    const char *directory; /* NULL: the usual place */
    double keep_days;      /* 0: for ever */
    size_t max_bytes;      /* 0: as many as there are */
};

#endif
