/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The event loop of a Comedi source that is measured on a fake card. */

#include "card_bench.h"

#include <check.h>
#include <event2/event.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the fake card's time begins on the clock that the source reads. */
static const double source_began_s = 1000;

void card_bench_init(struct card_bench *bench)
{
    memset(bench, 0, sizeof *bench);
    bench->card = fake_comedi_card();
    bench->settings = comedi_default_settings();
    bench->settings.channels = bench->channels;
    bench->zero_at_s = NAN;
}

struct comedi_channel_settings *card_bench_add(struct card_bench *bench, const char *name, enum comedi_input input)
{
    struct comedi_channel_settings *channel = &bench->channels[bench->settings.channel_count++];
    *channel = comedi_channel_default_settings(input);
    channel->name = name;
    return channel;
}

/* --- what the source says --- */

static void make_room(struct bench_channel *channel, size_t more)
{
    if (channel->count + more <= channel->room)
        return;
    channel->room = 2 * (channel->count + more);
    channel->time_s = realloc(channel->time_s, channel->room * sizeof *channel->time_s);
    channel->value = realloc(channel->value, channel->room * sizeof *channel->value);
    channel->flags = realloc(channel->flags, channel->room * sizeof *channel->flags);
    ck_assert(channel->time_s && channel->value && channel->flags);
}

static void keep(struct bench_channel *channel, const struct scan_block *block, const struct channel_samples *samples)
{
    ck_assert_uint_ge(block->first_index, channel->next_index);
    channel->missing += block->first_index - channel->next_index;
    channel->jumps += block->first_index > channel->next_index;
    channel->next_index = block->first_index + block->scan_count;
    channel->stamped = block->time_s != NULL;
    make_room(channel, block->scan_count);
    for (size_t i = 0; i < block->scan_count; i++, channel->count++) {
        double at_s =
            block->time_s ? block->time_s[i] : block->origin_s + (double)(block->first_index + i) * block->period_s;
        channel->time_s[channel->count] = at_s + samples->delay_s - source_began_s;
        channel->value[channel->count] = samples->displacement[i];
        channel->flags[channel->count] = samples->flags[i];
    }
}

static void on_scans(void *context, const struct scan_block *block)
{
    struct card_bench *bench = context;
    double now_s = fake_comedi_now_s();
    while (now_s >= bench->card.deaf_s[0] && now_s < bench->card.deaf_s[1]) {
        sched_yield();
        now_s = fake_comedi_now_s();
    }
    for (size_t i = 0; i < block->channel_count; i++) {
        struct bench_channel *channel = &bench->heard[block->channels[i].channel];
        keep(channel, block, &block->channels[i]);
        channel->time_error_s = fmax(channel->time_error_s, source_describe(bench->source)->clock.time_error_s);
    }
    if (now_s >= bench->zero_at_s && block->channels[0].channel == 0) {
        bench->zero_at_s = NAN;
        bench->zero_error = source_zero(bench->source, 0, &bench->zero_position);
    }
}

static void on_gap(void *context, const struct source_gap *gap)
{
    struct card_bench *bench = context;
    ck_assert_uint_lt(bench->gap_count, BENCH_GAPS);
    snprintf(bench->gaps[bench->gap_count++], sizeof bench->gaps[0], "%s", gap->reason);
}

static void on_fault(void *context, const struct source_fault *fault)
{
    struct card_bench *bench = context;
    ck_assert_uint_lt(bench->fault_count, BENCH_FAULTS);
    ck_assert(!fault->final);
    struct bench_fault *kept = &bench->faults[bench->fault_count++];
    *kept = (struct bench_fault){.at_s = fake_comedi_now_s(), .repeated = fault->repeated, .advice = fault->advice};
    snprintf(kept->code, sizeof kept->code, "%s", fault->code);
    snprintf(kept->sentence, sizeof kept->sentence, "%s", fault->sentence);
}

static void on_described(void *context, const char *sentence)
{
    struct card_bench *bench = context;
    ck_assert_uint_lt(bench->opened, BENCH_FAULTS);
    bench->opened_at_s[bench->opened++] = fake_comedi_now_s();
    snprintf(bench->described, sizeof bench->described, "%s", sentence);
}

const struct bench_fault *card_bench_fault(const struct card_bench *bench, const char *code)
{
    for (size_t i = 0; i < bench->fault_count; i++)
        if (!bench->faults[i].repeated && strcmp(bench->faults[i].code, code) == 0)
            return &bench->faults[i];
    return NULL;
}

/* --- running --- */

void card_bench_run(struct card_bench *bench, double end_s)
{
    const struct source_listener listener = {
        .scans = on_scans, .gap = on_gap, .fault = on_fault, .described = on_described, .context = bench};
    struct event_base *base = event_base_new();
    struct complaint complaint;
    ck_assert_ptr_nonnull(base);
    fake_comedi_plug(&bench->card);
    fake_comedi_run_until(end_s);
    ck_assert_int_eq(comedi_source_create(base, &bench->settings, &listener, &bench->source, &complaint), 0);
    ck_assert_int_eq(source_start(bench->source), 0);
    while (!fake_comedi_has_ended()) {
        event_base_loop(base, EVLOOP_NONBLOCK);
        sched_yield();
    }
    for (int turn = 0; turn < 100; turn++)
        event_base_loop(base, EVLOOP_NONBLOCK);
    bench->ended_s = fake_comedi_now_s();
    bench->description = *source_describe(bench->source);
    memcpy(bench->described_channels, bench->description.channels,
           bench->settings.channel_count * sizeof bench->described_channels[0]);
    source_destroy(bench->source);
    event_base_free(base);
    ck_assert_uint_eq(fake_comedi_open_handles(), 0);
}

void card_bench_clear(struct card_bench *bench)
{
    for (size_t c = 0; c < BENCH_CHANNELS; c++) {
        free(bench->heard[c].time_s);
        free(bench->heard[c].value);
        free(bench->heard[c].flags);
    }
}
