/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_RECORDING_FEED_H
#define FRICID_ACQUIRE_RECORDING_FEED_H

#include "acquire/message_ring.h"
#include "proto/calibration.h"
#include "proto/complaint.h"
#include "proto/recording.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The thread behind a recording source: reads the whole file once to check it, then again to hand its rows over, a
 * chunk at a time, in memory that does not grow with the file. It waits when nobody takes the chunks. */

enum { FEED_ROWS = 4096, FEED_CHUNKS = 4 };

/* Which column of the file a channel is, and what turns its values into displacement. */
struct feed_channel {
    size_t column;
    struct calibration calibration;
};

enum feed_kind {
    FEED_CHECKED, /* the file is good: uniform and period_s hold */
    FEED_SCANS,   /* count rows */
    FEED_FAULT,   /* the complaint; the last message */
    FEED_END,     /* the last message */
};

struct feed_message {
    enum feed_kind kind;
    bool uniform;
    double start_s, period_s; /* of the checked file: its first stamp, its (nominal) period */
    double rate_error_se;     /* of the checked file: relative, where its stamps tell only the mean rate; else 0 */
    uint64_t first_index;     /* counted from the first row, with the scans that are missing */
    double origin_s;          /* of scan 0 by the clock of these rows, whose period is period_s; if uniform */
    uint64_t broken;          /* bit c: channel c is broken off before them, whatever the index says */
    size_t count;
    double *time_s;        /* count stamps */
    double **displacement; /* of each channel count values */
    uint8_t **flags;       /* likewise count flags; NULL: the file marks none */
    int error;             /* of a fault: negative errno, -EBADMSG when the file's text is at fault */
    struct complaint complaint;
};

struct recording_feed;

/* A feed of `channel_count` columns; takes the reader over in any case. NULL when memory is short. */
struct recording_feed *recording_feed_create(struct recording_reader *reader, const char *path,
                                             const struct feed_channel *channels, size_t channel_count);

/* Starts the thread. 0, or a negative errno. */
int recording_feed_start(struct recording_feed *feed);

/* The ring tells when there is a message, and takes it back. */
struct message_ring *recording_feed_ring(struct recording_feed *feed);

/* The oldest message, or NULL. */
struct feed_message *recording_feed_take(struct recording_feed *feed);

/* Ends the thread after at most one chunk and frees everything; NULL is fine. */
void recording_feed_destroy(struct recording_feed *feed);

#endif
