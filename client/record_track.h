/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_RECORD_TRACK_H
#define FRICID_CLIENT_RECORD_TRACK_H

#include "client/client.h"
#include "client/record_file.h"
#include "proto/recording.h"

#include <stdbool.h>
#include <stdint.h>

/* One ring of the daemon's recorder on its way into one file: channels that are sampled together. */
struct record_track {
    int64_t ring;
    size_t ring_channels;                 /* of which the file gets `count` */
    size_t place[RECORDING_MAX_CHANNELS]; /* of each column among them */
    size_t count;
    struct recording_column columns[RECORDING_MAX_CHANNELS];
    struct recording_declaration declaration;
    bool stamped;
    struct record_file file;

    uint64_t row;     /* to ask for next */
    uint64_t end_row; /* ends before this one; UINT64_MAX: by time */
    double end_s;     /* ends behind the last row up to then, source clock, s; NAN until that is known */
    double wanted_s;  /* from its first row on, while end_s is not known */
    bool done;

    uint64_t rows;          /* written */
    uint64_t missed, unfit; /* overwritten before they could be read; that no file can hold */
    double first_s, last_s; /* of the rows written; NAN: none */
    bool headed, flows;     /* the head is written; the source goes on */
    bool breaks;            /* rows were left out before the next one */
    uint64_t base;          /* what is subtracted from the scans' numbers */
    double origin_s, period_s;
    struct track_piece *piece; /* room for what one answer brings */
};

/* Takes what recorder.find tells of a ring and its rig; only the channel of that name, NULL: all. False: the ring has
 * no such channel, or memory is short. */
bool record_track_init(struct record_track *track, const json_t *rig, const json_t *ring, const char *channel);

/* Fetches and writes the next rows; *count: how many came. Failures are told. */
enum exit_status record_track_step(struct record_track *track, struct client *client, uint64_t *count);

/* The recorded seconds: of an even clock a period for each scan. */
double record_track_seconds(const struct record_track *track);

void record_track_clear(struct record_track *track);

#endif
