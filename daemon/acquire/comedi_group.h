/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_COMEDI_GROUP_H
#define FRICID_ACQUIRE_COMEDI_GROUP_H

#include "acquire/card_clock.h"
#include "acquire/comedi_message.h"
#include "acquire/comedi_stream.h"

/* Channels that are delivered together: those of one stream, or a single one that is polled. */
struct comedi_group {
    bool streams;
    struct comedi_stream stream;
    size_t channel_count;
    size_t channel[MESSAGE_CHANNELS]; /* numbers in the settings, in the order of a scan */
    lsampl_t *codes;                  /* MESSAGE_VALUES */

    /* Kept from one opening of the card to the next. */
    bool known;          /* scans have come before */
    uint64_t next_index; /* of the scan that comes next */
    double end_s;        /* source time behind the last scan */

    double origin_s, period_s;
    double heard_s; /* CLOCK_MONOTONIC of the latest data */

    /* polled */
    double due_s;         /* CLOCK_MONOTONIC of the next reading */
    double quick_s;       /* how long a reading takes as a rule */
    double stamp_error_s; /* the largest half duration of late */
    bool paced;           /* last_stamp_s is of this opening */
    double last_stamp_s;
    size_t readings;  /* that wait in codes and stamps */
    uint64_t missing; /* that came behind them and found no room */
    double *stamps;   /* MESSAGE_STAMPS, source time */
};

/* Memory for what groups of any kind need; false when it is short. */
bool comedi_group_allocate(struct comedi_group *group);
void comedi_group_free(struct comedi_group *group);

/* The first scan has source time start_s. Index and origin go on from what was delivered before, so that what is
 * missing shows as a jump of the index. */
void comedi_group_begin(struct comedi_group *group, double start_s, double period_s);

/* Reads what the stream holds and hands it on, until it is empty or nobody takes more. `leads`: the clock is that of
 * this stream, and learns from it. */
bool comedi_group_drain(struct comedi_group *group, struct comedi_channel *channels, struct card_clock *clock,
                        bool leads, const struct comedi_outlet *outlet, struct card_fault *fault);

/* Takes one reading of a polled channel, with its stamp. A reading that comes far too late leaves a hole, which shows
 * as a jump of the index. */
bool comedi_group_poll(struct comedi_group *group, struct comedi_channel *channels, const struct comedi_card *card,
                       const struct card_clock *clock, const struct comedi_outlet *outlet, struct card_fault *fault);

/* Hands on the readings that wait. */
void comedi_group_flush(struct comedi_group *group, struct comedi_channel *channels, const struct card_clock *clock,
                        const struct comedi_outlet *outlet);

#endif
