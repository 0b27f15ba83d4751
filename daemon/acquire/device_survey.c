/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What `fricidctl devices` shows, asked of the cards themselves. */

#include "acquire/device_survey.h"

#include "acquire/comedi_card.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* More is offered by no driver; the figure asks for "as fast as you can". */
enum { FASTEST_PERIOD_NS = 1 };

static const char *kind_of(int type)
{
    static const char *const kinds[] = {[COMEDI_SUBD_UNUSED] = "unused",     [COMEDI_SUBD_AI] = "analog input",
                                        [COMEDI_SUBD_AO] = "analog output",  [COMEDI_SUBD_DI] = "digital input",
                                        [COMEDI_SUBD_DO] = "digital output", [COMEDI_SUBD_DIO] = "digital input/output",
                                        [COMEDI_SUBD_COUNTER] = "counter",   [COMEDI_SUBD_TIMER] = "timer",
                                        [COMEDI_SUBD_MEMORY] = "memory",     [COMEDI_SUBD_CALIB] = "calibration",
                                        [COMEDI_SUBD_PROC] = "processor",    [COMEDI_SUBD_SERIAL] = "serial",
                                        [COMEDI_SUBD_PWM] = "pulse width"};
    bool known = type >= 0 && (size_t)type < sizeof kinds / sizeof kinds[0] && kinds[type];
    return known ? kinds[type] : "other";
}

static const char *use_of(int type)
{
    return type == COMEDI_SUBD_AI ? "voltage" : type == COMEDI_SUBD_COUNTER ? "encoder" : NULL;
}

/* By a command for one channel that the driver makes as fast as it can; cards that share a converter among channels
 * are slower with more. */
static double fastest_hz(comedi_t *handle, unsigned subdevice)
{
    comedi_cmd command = {.subdev = subdevice};
    if (comedi_get_cmd_generic_timed(handle, subdevice, &command, 1, FASTEST_PERIOD_NS) < 0)
        return NAN;
    unsigned period_ns = command.scan_begin_src == TRIG_TIMER ? command.scan_begin_arg : command.convert_arg;
    return period_ns > 0 ? 1e9 / period_ns : (double)NAN;
}

static const char *unit_of(const comedi_range *range)
{
    return range->unit == UNIT_volt ? "V" : range->unit == UNIT_mA ? "mA" : "1";
}

static void take_ranges(comedi_t *handle, struct surveyed_subdevice *subdevice)
{
    int ranges = comedi_get_n_ranges(handle, subdevice->number, 0);
    for (int i = 0; i < ranges && i < SURVEYED_RANGES; i++) {
        const comedi_range *range = comedi_get_range(handle, subdevice->number, 0, (unsigned)i);
        if (range)
            subdevice->ranges[subdevice->range_count++] =
                (struct surveyed_range){range->min, range->max, unit_of(range)};
    }
}

static void take_subdevice(comedi_t *handle, struct surveyed_subdevice *subdevice)
{
    int type = comedi_get_subdevice_type(handle, subdevice->number);
    int flags = comedi_get_subdevice_flags(handle, subdevice->number);
    int channels = comedi_get_n_channels(handle, subdevice->number);
    subdevice->kind = kind_of(type);
    subdevice->use = use_of(type);
    subdevice->channels = channels > 0 ? (unsigned)channels : 0;
    for (lsampl_t maxdata = channels > 0 ? comedi_get_maxdata(handle, subdevice->number, 0) : 0; maxdata; maxdata >>= 1)
        subdevice->bits++;
    subdevice->streams = subdevice->use && flags >= 0 && (flags & SDF_CMD_READ);
    subdevice->busy = flags >= 0 && (flags & SDF_BUSY);
    subdevice->fastest_hz = subdevice->streams ? fastest_hz(handle, subdevice->number) : (double)NAN;
    if (type == COMEDI_SUBD_AI)
        take_ranges(handle, subdevice);
}

static void take_device(struct surveyed_device *device)
{
    struct comedi_card card;
    struct card_fault fault;
    if (!comedi_card_open(&card, device->path, &fault)) {
        device->problem = fault.complaint;
        return;
    }
    snprintf(device->board, sizeof device->board, "%s", card.board);
    snprintf(device->driver, sizeof device->driver, "%s", card.driver);
    device->world_writable = card.world_writable;
    int subdevices = comedi_get_n_subdevices(card.handle);
    for (int s = 0; s < subdevices && s < SURVEYED_SUBDEVICES; s++) {
        struct surveyed_subdevice *subdevice = &device->subdevices[device->subdevice_count++];
        subdevice->number = (unsigned)s;
        take_subdevice(card.handle, subdevice);
    }
    comedi_card_close(&card);
}

void device_survey_take(struct device_survey *survey)
{
    memset(survey, 0, sizeof *survey);
    for (int i = 0; i < SURVEYED_DEVICES; i++) {
        struct surveyed_device *device = &survey->devices[survey->count];
        snprintf(device->path, sizeof device->path, "/dev/comedi%d", i);
        if (access(device->path, F_OK) != 0)
            continue;
        take_device(device);
        survey->count++;
    }
}
