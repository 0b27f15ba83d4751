/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The thread that reads a recording and hands its rows to the event loop, chunk by chunk. Apart from
 * recording_source.c, which lives in the loop: between them stands the ring. */

#include "acquire/recording_feed.h"

#include "proto/recording_clock.h"
#include "segment/scan_block.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)RECORDING_CLIPPED == (int)SAMPLE_CLIPPED, "the flags of a file are those of a stream");

struct recording_feed {
    struct recording_reader *reader;
    const char *path; /* borrowed */
    size_t channel_count;
    struct feed_channel *channels;
    size_t column_count;
    /* The file's columns are owned here; the messages' displacement[] point to those that are channels. */
    double **columns[FEED_CHUNKS];       /* each chunk's arrays, one a column of the file */
    uint8_t **column_flags[FEED_CHUNKS]; /* likewise; NULL: a file that marks none */
    uint64_t base;                       /* the number that the file gives to the scan of its first row */
    struct recording_clock clock;        /* as the check found it */
    struct feed_message messages[FEED_CHUNKS];

    struct message_ring ring;
};

/* --- the ring --- */

/* The message to fill next, when there is one; NULL when the feed is to stop. */
static struct feed_message *wait_for_free(struct recording_feed *feed, size_t *chunk)
{
    return message_ring_free_slot(&feed->ring, true, chunk) ? &feed->messages[*chunk] : NULL;
}

struct feed_message *recording_feed_take(struct recording_feed *feed)
{
    size_t chunk;
    return message_ring_take(&feed->ring, &chunk) ? &feed->messages[chunk] : NULL;
}

struct message_ring *recording_feed_ring(struct recording_feed *feed)
{
    return &feed->ring;
}

/* --- the thread --- */

static int calibrate(const struct recording_feed *feed, struct feed_message *message, size_t count)
{
    for (size_t c = 0; c < feed->channel_count; c++) {
        const struct feed_channel *channel = &feed->channels[c];
        const size_t good = calibration_apply_each(&channel->calibration, message->displacement[c], count);
        if (good == count)
            continue;
        complaint_set(&message->complaint, "%s: the calibration of %s gives too large a number at %.9g s", feed->path,
                      recording_columns(feed->reader)[channel->column].name, message->time_s[good]);
        return -EBADMSG;
    }
    return 0;
}

/* Reads and calibrates the next rows. How many, 0 at the end, or a negative errno and message->complaint. */
static long read_rows(struct recording_feed *feed, size_t chunk)
{
    struct feed_message *message = &feed->messages[chunk];
    long count = recording_read(feed->reader, FEED_ROWS, message->time_s, feed->columns[chunk],
                                feed->column_flags[chunk], &message->complaint);
    if (count <= 0)
        return count;
    int error = calibrate(feed, message, (size_t)count);
    return error ? error : count;
}

/* The first reading: every row must be good, and there must be two. */
static int check_rows(struct recording_feed *feed, size_t chunk)
{
    struct feed_message *message = &feed->messages[chunk];
    long count;
    while ((count = read_rows(feed, chunk)) > 0) {
        if (message_ring_is_stopping(&feed->ring))
            return -ECANCELED;
        recording_clock_take(&feed->clock, message->time_s, (size_t)count);
    }
    if (count < 0)
        return (int)count;
    return recording_check_whole(feed->reader, feed->clock.rows, recording_clock_is_batched(&feed->clock),
                                 &message->complaint);
}

/* The second reading, as far as it may change something. */
static int look_again(struct recording_feed *feed, size_t chunk)
{
    struct feed_message *message = &feed->messages[chunk];
    int error = recording_rewind(feed->reader, &message->complaint);
    long count = 0;
    while (!error && (count = read_rows(feed, chunk)) > 0) {
        if (message_ring_is_stopping(&feed->ring))
            return -ECANCELED;
        if (!recording_clock_look(&feed->clock, message->time_s, (size_t)count))
            break;
    }
    return count < 0 ? (int)count : error;
}

/* Twice through the file, for the period is known only after its last row, and a recording need not fit into memory. */
static int check_file(struct recording_feed *feed, size_t chunk)
{
    struct feed_message *message = &feed->messages[chunk];
    recording_clock_begin(&feed->clock, recording_declared(feed->reader), recording_is_even(feed->reader));
    int error = check_rows(feed, chunk);
    if (!error && recording_clock_looks_again(&feed->clock, recording_stamp_unit(feed->reader)))
        error = look_again(feed, chunk);
    if (error)
        return error;
    recording_clock_settle(&feed->clock);
    message->uniform = feed->clock.uniform;
    message->start_s = feed->clock.start_s;
    message->period_s = feed->clock.period_s;
    message->rate_error_se = feed->clock.uncertainty;
    return recording_rewind(feed->reader, &message->complaint);
}

/* Where the rows stand that were read last. The index begins with 0, which the first row of a file is; its clock is
 * moved accordingly. */
static void place_rows(struct recording_feed *feed, struct feed_message *message, bool first)
{
    uint64_t end;
    const struct recording_run run = recording_clock_place(&feed->clock, recording_run(feed->reader, &end));
    bool begins = end == message->count;
    if (first)
        feed->base = run.first_index;
    message->uniform = feed->clock.uniform;
    message->first_index = run.first_index + end - message->count - feed->base;
    message->period_s = run.period_s;
    message->origin_s = run.origin_s + (message->uniform ? (double)feed->base * run.period_s : 0);
    message->broken = 0;
    for (size_t c = 0; c < feed->channel_count && begins && !first; c++)
        message->broken |= (run.broken >> feed->channels[c].column & 1) << c;
}

/* The first message tells whether the file is good; only then come its rows. */
static void *run(void *context)
{
    struct recording_feed *feed = context;
    size_t chunk;
    struct feed_message *message = wait_for_free(feed, &chunk);
    if (!message)
        return NULL;
    message->error = check_file(feed, chunk);
    message->kind = message->error ? FEED_FAULT : FEED_CHECKED;
    bool more = message->kind == FEED_CHECKED;
    bool first = true;
    message_ring_put(&feed->ring);
    while (more && (message = wait_for_free(feed, &chunk)) != NULL) {
        long count = read_rows(feed, chunk);
        message->kind = count > 0 ? FEED_SCANS : count == 0 ? FEED_END : FEED_FAULT;
        message->error = count < 0 ? (int)count : 0;
        message->count = count > 0 ? (size_t)count : 0;
        if (count > 0)
            place_rows(feed, message, first);
        first = false;
        more = count > 0;
        message_ring_put(&feed->ring);
    }
    return NULL;
}

/* --- construction --- */

/* Only a recording that declares itself marks anything. */
static bool allocate_flags(struct recording_feed *feed, size_t chunk)
{
    if (!recording_declared(feed->reader)->given)
        return true;
    uint8_t **columns = feed->column_flags[chunk] = calloc(feed->column_count, sizeof *columns);
    uint8_t **flags = feed->messages[chunk].flags = calloc(feed->channel_count, sizeof *flags);
    for (size_t c = 0; columns && c < feed->column_count; c++) {
        columns[c] = calloc(FEED_ROWS, sizeof *columns[c]);
        if (!columns[c])
            return false;
    }
    for (size_t c = 0; columns && flags && c < feed->channel_count; c++)
        flags[c] = columns[feed->channels[c].column];
    return columns && flags;
}

static bool allocate_chunk(struct recording_feed *feed, size_t chunk)
{
    struct feed_message *message = &feed->messages[chunk];
    message->time_s = calloc(FEED_ROWS, sizeof *message->time_s);
    message->displacement = calloc(feed->channel_count, sizeof *message->displacement);
    feed->columns[chunk] = calloc(feed->column_count, sizeof *feed->columns[chunk]);
    if (!message->time_s || !message->displacement || !feed->columns[chunk])
        return false;
    for (size_t c = 0; c < feed->column_count; c++) {
        feed->columns[chunk][c] = calloc(FEED_ROWS, sizeof(double));
        if (!feed->columns[chunk][c])
            return false;
    }
    for (size_t c = 0; c < feed->channel_count; c++)
        message->displacement[c] = feed->columns[chunk][feed->channels[c].column];
    return true;
}

/* All memory is taken here: reading a file of any length allocates nothing more. */
static bool allocate(struct recording_feed *feed, const struct feed_channel *channels)
{
    feed->channels = calloc(feed->channel_count, sizeof *feed->channels);
    if (!feed->channels || message_ring_open(&feed->ring, FEED_CHUNKS) != 0)
        return false;
    memcpy(feed->channels, channels, feed->channel_count * sizeof *channels);
    for (size_t chunk = 0; chunk < FEED_CHUNKS; chunk++)
        if (!allocate_chunk(feed, chunk) || !allocate_flags(feed, chunk))
            return false;
    return true;
}

struct recording_feed *recording_feed_create(struct recording_reader *reader, const char *path,
                                             const struct feed_channel *channels, size_t channel_count)
{
    struct recording_feed *feed = calloc(1, sizeof *feed);
    if (!feed) {
        recording_close(reader);
        return NULL;
    }
    feed->reader = reader;
    feed->path = path;
    feed->channel_count = channel_count;
    feed->column_count = recording_channel_count(reader);
    if (!allocate(feed, channels)) {
        recording_feed_destroy(feed);
        return NULL;
    }
    return feed;
}

int recording_feed_start(struct recording_feed *feed)
{
    return message_ring_start(&feed->ring, run, feed);
}

static void free_chunk(struct recording_feed *feed, size_t chunk)
{
    for (size_t c = 0; feed->columns[chunk] && c < feed->column_count; c++)
        free(feed->columns[chunk][c]);
    for (size_t c = 0; feed->column_flags[chunk] && c < feed->column_count; c++)
        free(feed->column_flags[chunk][c]);
    free(feed->columns[chunk]);
    free(feed->column_flags[chunk]);
    free(feed->messages[chunk].flags);
    free(feed->messages[chunk].displacement);
    free(feed->messages[chunk].time_s);
}

void recording_feed_destroy(struct recording_feed *feed)
{
    if (!feed)
        return;
    message_ring_close(&feed->ring);
    for (size_t chunk = 0; chunk < FEED_CHUNKS; chunk++)
        free_chunk(feed, chunk);
    recording_close(feed->reader);
    free(feed->channels);
    free(feed);
}
