/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_CARD_BENCH_H
#define FRICID_TESTS_CARD_BENCH_H

#include "acquire/comedi_source.h"
#include "fake_comedi.h"

/* A Comedi source on a fake card, and everything that it said. */

enum { BENCH_CHANNELS = 4, BENCH_FAULTS = 64, BENCH_GAPS = 64 };

/* What came of one channel: every sample with its time, delays included. */
struct bench_channel {
    size_t count, room;
    double *time_s, *value; /* s of the card's own time, as the source tells it */
    uint8_t *flags;
    uint64_t next_index, missing; /* by jumps of the index */
    size_t jumps;
    double time_error_s; /* the largest that the source has stated while it delivered */
    bool stamped;
};

struct bench_fault {
    char code[32], sentence[512];
    double at_s;
    bool repeated, advice;
};

struct card_bench {
    struct fake_card card;
    struct comedi_settings settings;
    struct comedi_channel_settings channels[BENCH_CHANNELS];
    /* At this time the position of channel 0 becomes zero; NAN: never. */
    double zero_at_s;

    struct source *source;
    struct bench_channel heard[BENCH_CHANNELS];
    size_t fault_count, gap_count, opened;
    struct bench_fault faults[BENCH_FAULTS];
    char gaps[BENCH_GAPS][32]; /* their reasons */
    char described[512];
    double opened_at_s[BENCH_FAULTS];
    struct source_description description; /* at the end; its strings are gone */
    struct source_channel described_channels[BENCH_CHANNELS];
    double ended_s; /* when the source was destroyed: a sleep behind the end */
    double zero_position;
    int zero_error;
};

/* Default settings and a card without faults; no channel yet. */
void card_bench_init(struct card_bench *bench);

/* Adds a channel and returns its settings, to be changed. */
struct comedi_channel_settings *card_bench_add(struct card_bench *bench, const char *name, enum comedi_input input);

/* Runs from 0 to end_s of the card's time and destroys the source. */
void card_bench_run(struct card_bench *bench, double end_s);

void card_bench_clear(struct card_bench *bench);

/* The first fault with this code that is no repetition; NULL: there was none. */
const struct bench_fault *card_bench_fault(const struct card_bench *bench, const char *code);

#endif
