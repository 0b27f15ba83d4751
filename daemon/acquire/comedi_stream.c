/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One command: asked for until the card accepts it, started, read. Read rather than mapped: taking 4 channels at
 * 100 kS/s costs 2.8 % of an emulated processor of 250 MIPS by read() and 2.2 % mapped (bench_comedi_buffer in the
 * guest of tests/kernel), a small part of what is then done with the samples; and read() alone tells an overflow from
 * an unplugged card. */

#include "acquire/comedi_stream.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { READ_BYTES = 1 << 18, MAX_TRIALS = 16 };

/* A card that offers another rate than this much from the one asked for cannot do what the user wants. */
static const double rate_tolerance = 0.01;
/* Below this many samples a second, cards are asked to tell of every scan: their own buffers would take long to fill.
 */
static const double slow_hz = 5000;

static const double ns_per_s = 1e9;

/* --- settling the command --- */

static unsigned nanoseconds(double seconds)
{
    double ns = round(seconds * ns_per_s);
    return ns < 4e9 ? (unsigned)ns : 4000000000U;
}

/* Cards that convert everything at once are told so; the others go from channel to channel by their own timer. Some
 * have a timer for conversions only, and then a scan begins where the last one ended. */
static bool choose_triggers(struct comedi_stream *stream, const struct comedi_settings *settings)
{
    comedi_cmd offered = {.subdev = stream->subdevice};
    comedi_cmd *command = &stream->command;
    double period_s = 1 / settings->sample_rate_hz;
    double convert_s = fmin(settings->convert_us * 1e-6, period_s / (double)stream->channel_count);
    if (comedi_get_cmd_src_mask(stream->handle, stream->subdevice, &offered) < 0)
        return false;
    *command = (comedi_cmd){.subdev = stream->subdevice,
                            .start_src = TRIG_NOW,
                            .scan_begin_src = TRIG_TIMER,
                            .scan_begin_arg = nanoseconds(period_s),
                            .convert_src = offered.convert_src & TRIG_TIMER ? TRIG_TIMER : TRIG_NOW,
                            .convert_arg = offered.convert_src & TRIG_TIMER ? nanoseconds(convert_s) : 0,
                            .scan_end_src = TRIG_COUNT,
                            .scan_end_arg = (unsigned)stream->channel_count,
                            .stop_src = TRIG_NONE,
                            .chanlist = stream->specs,
                            .chanlist_len = (unsigned)stream->channel_count};
    if (!(offered.scan_begin_src & TRIG_TIMER) && (offered.scan_begin_src & TRIG_FOLLOW)) {
        command->scan_begin_src = TRIG_FOLLOW;
        command->scan_begin_arg = 0;
        command->convert_arg = nanoseconds(period_s / (double)stream->channel_count);
    }
    if (settings->sample_rate_hz * (double)stream->channel_count < slow_hz)
        command->flags |= CMDF_WAKE_EOS;
    return true;
}

/* Each trial lets the driver correct the command; it is settled when the driver has nothing left to correct. */
static bool settle(struct comedi_stream *stream)
{
    for (int trial = 0; trial < MAX_TRIALS; trial++) {
        comedi_cmd before = stream->command;
        int objection = comedi_command_test(stream->handle, &stream->command);
        bool changed = before.scan_begin_arg != stream->command.scan_begin_arg ||
                       before.convert_arg != stream->command.convert_arg;
        if (objection == 0 && !changed)
            return true;
        /* A stage below 3 objects to the kind of command, not to its figures. */
        if (objection < 0 || (objection > 0 && objection < 3))
            return false;
    }
    return false;
}

static bool settle_command(struct comedi_stream *stream, const struct comedi_settings *settings,
                           struct card_fault *fault)
{
    bool settled = choose_triggers(stream, settings) && settle(stream);
    const comedi_cmd *command = &stream->command;
    bool follows = command->scan_begin_src == TRIG_FOLLOW;
    stream->convert_s = command->convert_src == TRIG_TIMER ? command->convert_arg / ns_per_s : 0;
    stream->period_s = follows ? stream->convert_s * (double)stream->channel_count : command->scan_begin_arg / ns_per_s;
    double offered_hz = stream->period_s > 0 ? 1 / stream->period_s : 0;
    if (settled && fabs(offered_hz / settings->sample_rate_hz - 1) <= rate_tolerance)
        return true;
    return card_fault_set(fault, "impossible_rate",
                          "%s: the card cannot take %zu channel%s at %.9g scans/s; the nearest that it offers is %.9g",
                          stream->device, stream->channel_count, stream->channel_count == 1 ? "" : "s",
                          settings->sample_rate_hz, offered_hz);
}

/* --- opening --- */

/* As large as asked for if the driver allows it. */
static void size_kernel_buffer(struct comedi_stream *stream, double buffer_s)
{
    double scan_bytes = (double)(stream->channel_count * stream->sample_bytes);
    unsigned wanted = (unsigned)fmin(ceil(buffer_s / stream->period_s) * scan_bytes, 1e9);
    int have = comedi_get_buffer_size(stream->handle, stream->subdevice);
    int most = comedi_get_max_buffer_size(stream->handle, stream->subdevice);
    if (have >= 0 && most >= 0 && (unsigned)have < wanted)
        comedi_set_buffer_size(stream->handle, stream->subdevice, (unsigned)most < wanted ? (unsigned)most : wanted);
    have = comedi_get_buffer_size(stream->handle, stream->subdevice);
    stream->kernel_bytes = have > 0 ? (size_t)have : 0;
}

static bool prepare(struct comedi_stream *stream, const struct comedi_settings *settings, struct card_fault *fault)
{
    int flags = comedi_get_subdevice_flags(stream->handle, stream->subdevice);
    if (flags < 0 || comedi_set_read_subdevice(stream->handle, stream->subdevice) < 0)
        return card_fault_from_errno(fault, stream->device, "cannot read its stream", comedi_errno());
    if ((flags & SDF_BUSY) && !(flags & SDF_BUSY_OWNER))
        return card_fault_from_errno(fault, stream->device, "cannot stream", EBUSY);
    stream->sample_bytes = flags & SDF_LSAMPL ? sizeof(lsampl_t) : sizeof(sampl_t);
    if (!settle_command(stream, settings, fault))
        return false;
    size_kernel_buffer(stream, settings->buffer_s);
    stream->bytes = malloc(READ_BYTES);
    return stream->bytes ? true : card_fault_from_errno(fault, stream->device, "cannot stream", ENOMEM);
}

bool comedi_stream_open(struct comedi_stream *stream, const struct comedi_card *card,
                        const struct comedi_settings *settings, const struct comedi_channel *const *channels,
                        size_t channel_count, struct card_fault *fault)
{
    struct comedi_card again;
    *stream = (struct comedi_stream){
        .device = card->device, .subdevice = channels[0]->subdevice, .channel_count = channel_count};
    for (size_t c = 0; c < channel_count; c++)
        stream->specs[c] = comedi_channel_spec(channels[c]);
    if (!comedi_card_open(&again, card->device, fault))
        return false;
    if (again.calibration)
        comedi_cleanup_calibration(again.calibration);
    stream->handle = again.handle;
    if (prepare(stream, settings, fault))
        return true;
    comedi_stream_close(stream);
    return false;
}

bool comedi_stream_start(struct comedi_stream *stream, struct card_fault *fault)
{
    if (comedi_command(stream->handle, &stream->command) >= 0)
        return true;
    return card_fault_from_errno(fault, stream->device, "cannot start streaming", comedi_errno());
}

/* --- reading --- */

/* The kernel hands out what was converted before the end, and only then tells of the end. A buffer that was full
 * means that nobody read for too long; else it was the card. */
static void tell_end(const struct comedi_stream *stream, int error, struct card_fault *fault)
{
    double scan_bytes = (double)(stream->channel_count * stream->sample_bytes);
    double held_s = (double)stream->kernel_bytes / scan_bytes * stream->period_s;
    if (error == 0)
        card_fault_set(fault, "device_error", "%s: the card stopped by itself", stream->device);
    else if (error != EPIPE)
        card_fault_from_errno(fault, stream->device, "cannot read its stream", error);
    else if (stream->latest_burst + stream->kernel_bytes / 8 >= stream->kernel_bytes)
        card_fault_set(fault, "overrun",
                       "%s: overrun: nobody read for %.3g s, until the kernel's buffer was full: is the computer "
                       "overloaded?",
                       stream->device, held_s);
    else
        card_fault_set(fault, "device_error",
                       "%s: the card reports an error, or that its own buffer has overflowed: see the kernel's log, or "
                       "try a lower rate",
                       stream->device);
}

enum stream_reading comedi_stream_read(struct comedi_stream *stream, struct card_fault *fault)
{
    memmove(stream->bytes, stream->bytes + stream->at, stream->held - stream->at);
    stream->held -= stream->at;
    stream->at = 0;
    ssize_t got = read(comedi_fileno(stream->handle), stream->bytes + stream->held, READ_BYTES - stream->held);
    if (got > 0) {
        stream->held += (size_t)got;
        stream->latest_burst += (size_t)got;
        return STREAM_HAS_DATA;
    }
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        stream->latest_burst = 0;
        return STREAM_IS_EMPTY;
    }
    tell_end(stream, got < 0 ? errno : 0, fault);
    return STREAM_HAS_ENDED;
}

size_t comedi_stream_take(struct comedi_stream *stream, lsampl_t *codes, size_t most)
{
    size_t scan_bytes = stream->channel_count * stream->sample_bytes;
    size_t scans = (stream->held - stream->at) / scan_bytes;
    scans = scans < most ? scans : most;
    const unsigned char *from = stream->bytes + stream->at;
    size_t count = scans * stream->channel_count;
    if (stream->sample_bytes == sizeof(lsampl_t)) {
        memcpy(codes, from, count * sizeof *codes);
    } else {
        for (size_t i = 0; i < count; i++) {
            sampl_t narrow;
            memcpy(&narrow, from + i * sizeof narrow, sizeof narrow);
            codes[i] = narrow;
        }
    }
    stream->at += scans * scan_bytes;
    return scans;
}

/* Closing the file ends the command as well. */
void comedi_stream_close(struct comedi_stream *stream)
{
    if (stream->handle)
        comedi_close(stream->handle);
    free(stream->bytes);
    stream->handle = NULL;
    stream->bytes = NULL;
}
