/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_COMEDI_CHANNEL_H
#define FRICID_ACQUIRE_COMEDI_CHANNEL_H

#include "acquire/code_scale.h"
#include "acquire/comedi_card.h"
#include "acquire/comedi_settings.h"
#include "acquire/counter_unwrap.h"

#include <stdint.h>

/* One input of an open card: where it is, and what turns its codes into displacement. */
struct comedi_channel {
    const struct comedi_channel_settings *settings;
    unsigned subdevice;
    unsigned range, reference;
    lsampl_t maxdata;
    double resolution; /* displacement unit */
    /* voltage */
    comedi_polynomial_t to_volts;
    /* encoder */
    struct counter_unwrap unwrap;
    double unit_per_count; /* negative: reversed */
};

/* Finds the input on the card and how its codes are to be read. An encoder is set up too (reset, mode, terminals,
 * start) when `fresh`; one that is counting already goes on. */
bool comedi_channel_open(struct comedi_channel *channel, const struct comedi_card *card,
                         const struct comedi_channel_settings *settings, bool fresh, struct card_fault *fault);

/* Turns `count` codes, `stride` apart, into displacement and flags. Codes at the ends of the range are clipped. */
void comedi_channel_convert(struct comedi_channel *channel, const lsampl_t *codes, size_t stride, size_t count,
                            double *displacement, uint8_t *flags);

/* How the codes become displacement, as comedi_channel_convert() does it. */
struct code_scale comedi_channel_codes(const struct comedi_channel *channel);

/* The word in which a command names the channel. */
unsigned comedi_channel_spec(const struct comedi_channel *channel);

/* Whether the card can stream this input. */
bool comedi_channel_can_stream(const struct comedi_channel *channel, const struct comedi_card *card);

#endif
