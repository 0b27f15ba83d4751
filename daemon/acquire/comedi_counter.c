/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sets a counter up for an encoder, in the words that Comedi took from National Instruments' counters. Drivers of other
 * cards know some of these words; one that a driver does not know matters only where the user asked for its effect. */

#include "acquire/comedi_counter.h"

#include <errno.h>
#include <string.h>

/* Bits of the counter's mode for X1, X2 and X4; 0: none. */
static unsigned quadrature_bits(unsigned multiply)
{
    switch (multiply) {
    case 1:
        return NI_GPCT_COUNTING_MODE_QUADRATURE_X1_BITS;
    case 2:
        return NI_GPCT_COUNTING_MODE_QUADRATURE_X2_BITS;
    case 4:
        return NI_GPCT_COUNTING_MODE_QUADRATURE_X4_BITS;
    default:
        return 0;
    }
}

/* National Instruments' counters have a subdevice each, whose channels 1 and 2 are the values that an index pulse
 * loads. With other cards these are other counters. */
static bool has_load_registers(const struct comedi_counter *counter, const struct comedi_card *card)
{
    return strncmp(card->driver, "ni_", 3) == 0 && counter->settings->channel == 0 &&
           comedi_get_n_channels(card->handle, counter->subdevice) == 3;
}

static bool set_initial_count(const struct comedi_counter *counter, const struct comedi_card *card)
{
    unsigned count = counter->settings->initial_count, number = counter->settings->channel;
    if (comedi_data_write(card->handle, counter->subdevice, number, 0, 0, count) < 0)
        return false;
    for (unsigned load = 1; has_load_registers(counter, card) && load <= 2; load++)
        if (comedi_data_write(card->handle, counter->subdevice, load, 0, 0, count) < 0)
            return false;
    return true;
}

static bool set_terminal(const struct comedi_counter *counter, const struct comedi_card *card, unsigned which,
                         int terminal)
{
    if (terminal == COMEDI_NO_TERMINAL)
        return true;
    return comedi_set_other_source(card->handle, counter->subdevice, counter->settings->channel, which,
                                   NI_GPCT_PFI_OTHER_SELECT((unsigned)terminal)) >= 0;
}

static bool set_terminals(const struct comedi_counter *counter, const struct comedi_card *card)
{
    const struct comedi_channel_settings *settings = counter->settings;
    return set_terminal(counter, card, NI_GPCT_SOURCE_ENCODER_A, settings->input_a) &&
           set_terminal(counter, card, NI_GPCT_SOURCE_ENCODER_B, settings->input_b) &&
           set_terminal(counter, card, NI_GPCT_SOURCE_ENCODER_Z, settings->input_z);
}

static bool set_mode(const struct comedi_counter *counter, const struct comedi_card *card)
{
    unsigned mode = quadrature_bits(counter->settings->multiply) | NI_GPCT_COUNTING_DIRECTION_HW_UP_DOWN_BITS;
    if (counter->settings->index)
        mode |= NI_GPCT_INDEX_ENABLE_BIT | NI_GPCT_INDEX_PHASE_HIGH_A_HIGH_B_BITS;
    return comedi_set_counter_mode(card->handle, counter->subdevice, counter->settings->channel, mode) >= 0;
}

static bool fail(const struct comedi_counter *counter, const struct comedi_card *card, const char *what,
                 struct card_fault *fault)
{
    int error = comedi_errno();
    if (error != EINVAL && error != EOPNOTSUPP)
        return card_fault_from_errno(fault, card->device, what, error);
    return card_fault_set(fault, "wrong_subdevice",
                          "%s: channel %s: the driver %s refused: %s; multiply = 0 takes the counter as it is set up",
                          card->device, counter->settings->name, card->driver, what);
}

bool comedi_counter_set_up(const struct comedi_counter *counter, const struct comedi_card *card,
                           struct card_fault *fault)
{
    const struct comedi_channel_settings *settings = counter->settings;
    if (settings->multiply == 0)
        return true;
    unsigned subdevice = counter->subdevice, number = settings->channel;
    /* Not every counter can be reset, or has gates to be opened. */
    comedi_reset_channel(card->handle, subdevice, number);
    if (!set_initial_count(counter, card))
        return fail(counter, card, "setting the initial count", fault);
    for (unsigned gate = 0; gate < 2; gate++)
        comedi_set_gate_source(card->handle, subdevice, number, gate, NI_GPCT_DISABLED_GATE_SELECT);
    if (!set_terminals(counter, card))
        return fail(counter, card, "connecting the encoder's terminals", fault);
    if (!set_mode(counter, card))
        return fail(counter, card, "counting in quadrature", fault);
    if (comedi_arm_channel(card->handle, subdevice, number, NI_GPCT_ARM_IMMEDIATE) < 0)
        return fail(counter, card, "starting the counter", fault);
    return true;
}
