/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_COMEDI_STREAM_H
#define FRICID_ACQUIRE_COMEDI_STREAM_H

#include "acquire/comedi_channel.h"

/* Scans that a card takes by its own clock and the kernel holds until they are read: a command on one subdevice. */

enum { COMEDI_STREAM_CHANNELS = 64 };

struct comedi_stream {
    comedi_t *handle; /* of its own: one file reads one stream */
    const char *device;
    unsigned subdevice;
    size_t channel_count;
    unsigned specs[COMEDI_STREAM_CHANNELS];
    comedi_cmd command;
    size_t sample_bytes; /* 2, or 4 for wide converters and counters */
    size_t kernel_bytes; /* the kernel's buffer */
    double period_s;     /* that the card accepted */
    double convert_s;    /* from channel to channel; 0: all at once */
    unsigned char *bytes;
    size_t held, at;     /* bytes [at, held) are not taken yet; the last scan may be incomplete */
    size_t latest_burst; /* bytes read since there was nothing to read */
};

/* Opens the device again for these channels of one subdevice, settles the command and gives the kernel its buffer.
 * Nothing runs yet. */
bool comedi_stream_open(struct comedi_stream *stream, const struct comedi_card *card,
                        const struct comedi_settings *settings, const struct comedi_channel *const *channels,
                        size_t channel_count, struct card_fault *fault);

/* The first scan is taken while this runs. */
bool comedi_stream_start(struct comedi_stream *stream, struct card_fault *fault);

enum stream_reading { STREAM_HAS_DATA, STREAM_IS_EMPTY, STREAM_HAS_ENDED };

/* Reads a piece of what is there, without waiting. Whole scans are then to be taken. */
enum stream_reading comedi_stream_read(struct comedi_stream *stream, struct card_fault *fault);

/* Up to `most` whole scans as codes, channel by channel in each; how many. 0: read again. */
size_t comedi_stream_take(struct comedi_stream *stream, lsampl_t *codes, size_t most);

void comedi_stream_close(struct comedi_stream *stream); /* one that is not open is fine */

#endif
