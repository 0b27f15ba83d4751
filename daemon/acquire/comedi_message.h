/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_COMEDI_MESSAGE_H
#define FRICID_ACQUIRE_COMEDI_MESSAGE_H

#include "acquire/code_scale.h"
#include "acquire/comedi_settings.h"
#include "proto/complaint.h"

#include <stdint.h>

/* What the thread that attends to a card tells the event loop. */

enum { MESSAGE_VALUES = 1 << 14, MESSAGE_STAMPS = 1 << 10, MESSAGE_CHANNELS = 64 };

enum comedi_message_kind {
    MESSAGE_OPENED, /* the card is acquiring, or is again; the sentence says what and how fast */
    MESSAGE_SCANS,  /* scans of the channels that are delivered together */
    MESSAGE_FAULT,  /* acquisition has ended; it will be tried again */
    MESSAGE_ADVICE, /* nothing is wrong yet, but somebody should know */
};

struct comedi_message {
    enum comedi_message_kind kind;
    const char *code; /* of all but scans */
    struct complaint sentence;
    bool repeated; /* the same fault again, at another trial */

    /* opened */
    char board[64], driver[32];
    double sample_rate_hz; /* 0: there is no stream */
    bool counters_anew;    /* encoders count from where they are now */
    double resolution[MESSAGE_CHANNELS];
    struct code_scale codes[MESSAGE_CHANNELS];

    /* scans; see scan_block.h */
    size_t channel_count;
    size_t channel[MESSAGE_CHANNELS]; /* its number in the settings */
    double delay_s[MESSAGE_CHANNELS];
    uint64_t first_index;
    size_t scan_count;
    double origin_s, period_s;
    bool stamped;
    double *time_s;       /* MESSAGE_STAMPS */
    double *displacement; /* MESSAGE_VALUES: scan_count of the first channel, then of the second, … */
    uint8_t *flags;       /* likewise */

    /* scans: the card's clock */
    double rate_error, rate_error_se; /* relative; NAN: not known yet */
    double time_error_s;              /* of a stamp against the streams; 0: nothing is stamped */
};

/* Where messages come from and go to; the thread's side of comedi_feed.h. */
struct comedi_outlet {
    /* A message to fill. NULL: none is free; with `wait`, that the thread is to stop. */
    struct comedi_message *(*get)(void *context, bool wait);
    void (*put)(void *context, struct comedi_message *message);
    void *context;
};

#endif
