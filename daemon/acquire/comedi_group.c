/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From codes of one stream, or of one polled channel, to messages for the event loop. */

#include "acquire/comedi_group.h"

#include "acquire/source.h"

#include <math.h>
#include <stdlib.h>

/* A reading in whose middle the thread lost the processor has a bad stamp; it is taken again, so often at most. */
enum { MAX_READINGS = 3 };
/* A computer that is busy reads late, and the stamp says so; what moves in twenty periods is no longer known. */
enum { HOLE_PERIODS = 20 };

/* The error that is stated for the stamps of a record is the largest of late, and a record may be as long as this. */
static const double stamp_memory_s = 60;

bool comedi_group_allocate(struct comedi_group *group)
{
    group->codes = malloc(MESSAGE_VALUES * sizeof *group->codes);
    group->stamps = malloc(MESSAGE_STAMPS * sizeof *group->stamps);
    return group->codes && group->stamps;
}

void comedi_group_free(struct comedi_group *group)
{
    comedi_stream_close(&group->stream);
    free(group->codes);
    free(group->stamps);
}

/* The first scan after a gap lies between two of the old raster: its index is the nearest, and the origin moves by the
 * rest. */
void comedi_group_begin(struct comedi_group *group, double start_s, double period_s)
{
    uint64_t missing = 0;
    if (group->known && start_s > group->end_s)
        missing = (uint64_t)llround((start_s - group->end_s) / period_s);
    group->next_index += missing;
    group->end_s = start_s; /* what is missing up to here is counted, also if the card fails again at once */
    group->period_s = period_s;
    group->origin_s = start_s - (double)group->next_index * period_s;
    group->heard_s = source_monotonic_s();
    group->readings = 0;
    group->missing = 0;
    group->paced = false;
}

/* Everything of a message but its kind of time. */
static void fill(struct comedi_group *group, struct comedi_channel *channels, const struct card_clock *clock,
                 size_t scans, struct comedi_message *message)
{
    message->kind = MESSAGE_SCANS;
    message->channel_count = group->channel_count;
    message->first_index = group->next_index;
    message->scan_count = scans;
    message->origin_s = group->origin_s;
    message->period_s = group->period_s;
    message->rate_error = card_clock_rate_error(clock, &message->rate_error_se);
    for (size_t c = 0; c < group->channel_count; c++) {
        message->channel[c] = group->channel[c];
        message->delay_s[c] = (double)c * group->stream.convert_s;
        comedi_channel_convert(&channels[group->channel[c]], group->codes + c, group->channel_count, scans,
                               message->displacement + c * scans, message->flags + c * scans);
    }
    group->next_index += scans;
    group->known = true;
}

/* --- a stream --- */

/* All whole scans that were read; false when nobody takes more messages now. */
static bool hand_on(struct comedi_group *group, struct comedi_channel *channels, const struct card_clock *clock,
                    const struct comedi_outlet *outlet)
{
    const struct comedi_stream *stream = &group->stream;
    size_t scan_bytes = stream->channel_count * stream->sample_bytes;
    while (stream->held - stream->at >= scan_bytes) {
        struct comedi_message *message = outlet->get(outlet->context, false);
        if (!message)
            return false;
        size_t scans = comedi_stream_take(&group->stream, group->codes, MESSAGE_VALUES / group->channel_count);
        fill(group, channels, clock, scans, message);
        message->stamped = false;
        message->time_error_s = 0;
        group->end_s = group->origin_s + (double)group->next_index * group->period_s;
        outlet->put(outlet->context, message);
    }
    return true;
}

/* What nobody takes stays in the kernel's buffer, which is the larger one. The clock learns only from a stream that
 * goes on: the last scans of one that has ended are found when somebody happens to look. */
bool comedi_group_drain(struct comedi_group *group, struct comedi_channel *channels, struct card_clock *clock,
                        bool leads, const struct comedi_outlet *outlet, struct card_fault *fault)
{
    double latest_s = NAN, seen_s = NAN;
    while (hand_on(group, channels, clock, outlet)) {
        enum stream_reading reading = comedi_stream_read(&group->stream, fault);
        double now_s = source_monotonic_s();
        if (reading == STREAM_HAS_ENDED)
            return false;
        if (reading == STREAM_IS_EMPTY) {
            if (leads && !isnan(latest_s))
                card_clock_note(clock, latest_s, seen_s);
            return true;
        }
        group->heard_s = seen_s = now_s;
        size_t scans = group->stream.held / (group->stream.channel_count * group->stream.sample_bytes);
        if (scans > 0)
            latest_s = group->origin_s + (double)(group->next_index + scans - 1) * group->period_s;
    }
    /* Not the card's silence. */
    group->heard_s = source_monotonic_s();
    return true;
}

/* --- a polled channel --- */

/* The reading whose duration, and so the error of its stamp, is smallest. */
static bool read_quickly(struct comedi_group *group, const struct comedi_channel *channel,
                         const struct comedi_card *card, lsampl_t *code, double *at_s, double *duration_s)
{
    *duration_s = INFINITY;
    for (int i = 0; i<MAX_READINGS && * duration_s> 2 * group->quick_s; i++) {
        lsampl_t read;
        double before_s = source_monotonic_s();
        int error = comedi_data_read(card->handle, channel->subdevice, channel->settings->channel, channel->range,
                                     channel->reference, &read);
        double took_s = source_monotonic_s() - before_s;
        if (error < 0)
            return false;
        if (took_s < *duration_s) {
            *duration_s = took_s;
            *at_s = before_s + took_s / 2;
            *code = read;
        }
        group->quick_s += 0.1 * (took_s - group->quick_s) * (took_s > 4 * group->quick_s ? 0.1 : 1);
    }
    return true;
}

/* Those that are missing come behind those that wait. */
static void skip_missing(struct comedi_group *group)
{
    if (group->readings > 0)
        return;
    group->next_index += group->missing;
    group->end_s += (double)group->missing * group->period_s;
    group->missing = 0;
}

/* How many readings were left out before this one: none because it is late, all because it is far too late. */
static uint64_t hole_before(const struct comedi_group *group, double stamp_s)
{
    double late = (stamp_s - group->last_stamp_s) / group->period_s;
    return group->paced && late > HOLE_PERIODS ? (uint64_t)llround(late) - 1 : 0;
}

bool comedi_group_poll(struct comedi_group *group, struct comedi_channel *channels, const struct comedi_card *card,
                       const struct card_clock *clock, const struct comedi_outlet *outlet, struct card_fault *fault)
{
    double at_s = 0, duration_s;
    lsampl_t code = 0;
    if (!read_quickly(group, &channels[group->channel[0]], card, &code, &at_s, &duration_s))
        return card_fault_from_errno(fault, card->device, "cannot read a channel", comedi_errno());
    group->heard_s = at_s;
    double forgotten = exp(-group->period_s / stamp_memory_s);
    group->stamp_error_s = fmax(duration_s / 2, forgotten * group->stamp_error_s);
    /* The clock's line moves a little whenever it is drawn anew; stamps never go back. */
    double stamp_s = fmax(card_clock_source_s(clock, at_s), group->last_stamp_s + 1e-7);
    uint64_t hole = hole_before(group, stamp_s);
    group->missing += hole;
    group->paced = true;
    if (hole > 0)
        comedi_group_flush(group, channels, clock, outlet);
    skip_missing(group);
    if (group->readings == MESSAGE_STAMPS || group->missing > 0) {
        /* Nobody takes messages: this one is missing too. */
        group->missing++;
        group->last_stamp_s = stamp_s;
        return true;
    }
    group->stamps[group->readings] = group->last_stamp_s = stamp_s;
    group->codes[group->readings++] = code;
    return true;
}

void comedi_group_flush(struct comedi_group *group, struct comedi_channel *channels, const struct card_clock *clock,
                        const struct comedi_outlet *outlet)
{
    struct comedi_message *message = group->readings > 0 ? outlet->get(outlet->context, false) : NULL;
    if (!message)
        return;
    for (size_t i = 0; i < group->readings; i++)
        message->time_s[i] = group->stamps[i];
    fill(group, channels, clock, group->readings, message);
    message->stamped = true;
    message->time_error_s = group->stamp_error_s + card_clock_error_s(clock, group->heard_s);
    group->end_s = group->stamps[group->readings - 1] + group->period_s;
    group->readings = 0;
    skip_missing(group);
    outlet->put(outlet->context, message);
}
