/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_COMEDI_COUNTER_H
#define FRICID_ACQUIRE_COMEDI_COUNTER_H

#include "acquire/comedi_card.h"
#include "acquire/comedi_settings.h"

/* Where a counter is, and how it is to count. */
struct comedi_counter {
    const struct comedi_channel_settings *settings;
    unsigned subdevice;
};

/* Makes a counter count an encoder's pulses: reset, initial count, terminals, quadrature, start. */
bool comedi_counter_set_up(const struct comedi_counter *counter, const struct comedi_card *card,
                           struct card_fault *fault);

#endif
