/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From a channel's settings to a place on the card, and from the card's codes to displacement. */

#include "acquire/comedi_channel.h"

#include "acquire/comedi_counter.h"
#include "identify/decay/record.h"

#include <math.h>

unsigned comedi_channel_spec(const struct comedi_channel *channel)
{
    return CR_PACK(channel->settings->channel, channel->range, channel->reference);
}

bool comedi_channel_can_stream(const struct comedi_channel *channel, const struct comedi_card *card)
{
    int flags = comedi_get_subdevice_flags(card->handle, channel->subdevice);
    return !channel->settings->polled && flags >= 0 && (flags & SDF_CMD_READ);
}

/* --- where it is --- */

static bool find_subdevice(struct comedi_channel *channel, const struct comedi_card *card, struct card_fault *fault)
{
    const struct comedi_channel_settings *settings = channel->settings;
    bool encoder = settings->input == COMEDI_ENCODER;
    int wanted = encoder ? COMEDI_SUBD_COUNTER : COMEDI_SUBD_AI;
    const char *kind = encoder ? "a counter" : "an analog input";
    int found = settings->subdevice;
    if (found == COMEDI_FIRST_SUBDEVICE) {
        found = comedi_find_subdevice_by_type(card->handle, wanted, 0);
        if (found < 0)
            return card_fault_set(fault, "wrong_subdevice", "%s: channel %s needs %s, and this card (%s) has none",
                                  card->device, settings->name, kind, card->board);
    }
    if (comedi_get_subdevice_type(card->handle, (unsigned)found) != wanted)
        return card_fault_set(fault, "wrong_subdevice",
                              "%s: channel %s needs %s, and subdevice %d is none: comedi_board_info(1) shows them",
                              card->device, settings->name, kind, found);
    channel->subdevice = (unsigned)found;
    int channels = comedi_get_n_channels(card->handle, channel->subdevice);
    if (channels < 0 || settings->channel >= (unsigned)channels)
        return card_fault_set(fault, "no_such_channel", "%s: channel %s is number %u, and subdevice %d has %d",
                              card->device, settings->name, settings->channel, found, channels);
    return true;
}

/* --- a voltage --- */

/* The smallest range that holds what the user asked for, or the widest. */
static bool find_range(struct comedi_channel *channel, const struct comedi_card *card, struct card_fault *fault)
{
    const struct comedi_channel_settings *settings = channel->settings;
    double low = settings->range_v[0], high = settings->range_v[1], best = NAN;
    bool widest = !(low < high);
    int ranges = comedi_get_n_ranges(card->handle, channel->subdevice, settings->channel);
    for (int i = 0; i < ranges; i++) {
        const comedi_range *range = comedi_get_range(card->handle, channel->subdevice, settings->channel, (unsigned)i);
        if (!range || range->unit != UNIT_volt)
            continue;
        /* Written as -0.2 and stored as a fraction of a microvolt less, a range is still the one meant. */
        double slack = 1e-6 * (range->max - range->min);
        bool holds = widest || (range->min <= low + slack && range->max >= high - slack);
        double span = widest ? range->min - range->max : range->max - range->min;
        if (!holds || span >= best)
            continue;
        best = span;
        channel->range = (unsigned)i;
    }
    if (!isnan(best))
        return true;
    return card_fault_set(fault, "no_range", "%s: channel %s: no range of the card holds %g V to %g V", card->device,
                          settings->name, low, high);
}

static bool find_reference(struct comedi_channel *channel, const struct comedi_card *card, struct card_fault *fault)
{
    static const struct {
        int flag;
        const char *name;
    } references[] = {[COMEDI_GROUND] = {SDF_GROUND, "ground"},
                      [COMEDI_COMMON] = {SDF_COMMON, "common"},
                      [COMEDI_DIFFERENTIAL] = {SDF_DIFF, "differential"},
                      [COMEDI_OTHER] = {SDF_OTHER, "other"}};
    int known = SDF_GROUND | SDF_COMMON | SDF_DIFF | SDF_OTHER;
    int flags = comedi_get_subdevice_flags(card->handle, channel->subdevice);
    channel->reference = (unsigned)channel->settings->reference;
    /* A driver that declares none has only one, whatever it is called. */
    if (flags < 0 || !(flags & known) || (flags & references[channel->reference].flag))
        return true;
    return card_fault_set(fault, "no_reference", "%s: channel %s: the card cannot measure against \"%s\"", card->device,
                          channel->settings->name, references[channel->reference].name);
}

/* The soft calibration where the card needs one and there is a file; else what the range says. */
static bool find_converter(struct comedi_channel *channel, const struct comedi_card *card, struct card_fault *fault)
{
    unsigned number = channel->settings->channel;
    int flags = comedi_get_subdevice_flags(card->handle, channel->subdevice);
    bool soft = flags >= 0 && (flags & SDF_SOFT_CALIBRATED) && card->calibration;
    int error = soft ? comedi_get_softcal_converter(channel->subdevice, number, channel->range, COMEDI_TO_PHYSICAL,
                                                    card->calibration, &channel->to_volts)
                     : -1;
    if (error < 0)
        error = comedi_get_hardcal_converter(card->handle, channel->subdevice, number, channel->range,
                                             COMEDI_TO_PHYSICAL, &channel->to_volts);
    if (error < 0)
        return card_fault_set(fault, "no_range", "%s: channel %s: the card does not say how to read its codes as volts",
                              card->device, channel->settings->name);
    return true;
}

static bool open_voltage(struct comedi_channel *channel, const struct comedi_card *card, struct card_fault *fault)
{
    if (!find_range(channel, card, fault) || !find_reference(channel, card, fault) ||
        !find_converter(channel, card, fault))
        return false;
    lsampl_t middle = channel->maxdata / 2;
    double volts = comedi_to_physical(middle, &channel->to_volts);
    double step = comedi_to_physical(middle + 1, &channel->to_volts) - volts;
    channel->resolution = fabs(step * calibration_slope(&channel->settings->calibration, volts));
    return true;
}

/* --- opening --- */

static unsigned bits_of(lsampl_t maxdata)
{
    unsigned bits = 0;
    for (; maxdata; maxdata >>= 1)
        bits++;
    return bits;
}

static bool open_encoder(struct comedi_channel *channel, const struct comedi_card *card, bool fresh,
                         struct card_fault *fault)
{
    const struct comedi_channel_settings *settings = channel->settings;
    channel->unit_per_count = (settings->reversed ? -1 : 1) / settings->counts_per_unit;
    channel->resolution = fabs(channel->unit_per_count);
    if (!fresh)
        return true;
    lsampl_t zero = settings->initial_count;
    const struct comedi_counter counter = {settings, channel->subdevice};
    if (!comedi_counter_set_up(&counter, card, fault))
        return false;
    /* A counter that is taken as it was set up has its zero where it stands. */
    if (settings->multiply == 0 &&
        comedi_data_read(card->handle, channel->subdevice, settings->channel, 0, 0, &zero) < 0)
        return card_fault_from_errno(fault, card->device, "reading a counter", comedi_errno());
    channel->unwrap = counter_unwrap_start(bits_of(channel->maxdata), zero);
    return true;
}

bool comedi_channel_open(struct comedi_channel *channel, const struct comedi_card *card,
                         const struct comedi_channel_settings *settings, bool fresh, struct card_fault *fault)
{
    channel->settings = settings;
    if (!find_subdevice(channel, card, fault))
        return false;
    channel->maxdata = comedi_get_maxdata(card->handle, channel->subdevice, settings->channel);
    if (channel->maxdata == 0)
        return card_fault_set(fault, "device_error", "%s: channel %s: the card does not say how many bits it has",
                              card->device, settings->name);
    bool good = settings->input == COMEDI_ENCODER ? open_encoder(channel, card, fresh, fault)
                                                  : open_voltage(channel, card, fault);
    if (good && settings->resolution > 0)
        channel->resolution = settings->resolution;
    return good;
}

/* --- conversion --- */

/* Written out, because the library's own function is called for one code at a time. */
static double volts_of(const comedi_polynomial_t *polynomial, lsampl_t code)
{
    double x = (double)code - polynomial->expansion_origin, volts = 0;
    for (unsigned i = polynomial->order + 1; i-- > 0;)
        volts = volts * x + polynomial->coefficients[i];
    return volts;
}

void comedi_channel_convert(struct comedi_channel *channel, const lsampl_t *codes, size_t stride, size_t count,
                            double *displacement, uint8_t *flags)
{
    bool encoder = channel->settings->input == COMEDI_ENCODER;
    for (size_t i = 0; i < count; i++) {
        lsampl_t code = codes[i * stride];
        if (encoder) {
            flags[i] = 0;
            displacement[i] = channel->unit_per_count * (double)counter_unwrap_next(&channel->unwrap, code);
        } else {
            flags[i] = code == 0 || code >= channel->maxdata ? SAMPLE_CLIPPED : 0;
            displacement[i] = calibration_apply(&channel->settings->calibration, volts_of(&channel->to_volts, code));
        }
    }
}

struct code_scale comedi_channel_codes(const struct comedi_channel *channel)
{
    if (channel->settings->input == COMEDI_ENCODER)
        return (struct code_scale){.terms = 2,
                                   .coefficients = {0, channel->unit_per_count},
                                   .divisor = 1,
                                   .calibration = calibration_identity()};
    const comedi_polynomial_t *volts = &channel->to_volts;
    struct code_scale scale = {.terms = volts->order + 1,
                               .origin = volts->expansion_origin,
                               .divisor = 1,
                               .calibration = channel->settings->calibration};
    if (scale.terms > CODE_SCALE_MAX_TERMS)
        return (struct code_scale){0};
    for (size_t i = 0; i < scale.terms; i++)
        scale.coefficients[i] = volts->coefficients[i];
    return scale;
}
