/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz_stream.h"

#include <math.h>
#include <string.h>

/* What the writer of a stream is about to write. */
struct pen {
    struct stream *stream;
    double scale, time_s, step_s, level;
    uint8_t flags;
    uint64_t chance; /* of the noise */
};

static void put(struct pen *pen, double displacement)
{
    struct stream *stream = pen->stream;
    if (stream->count == STREAM_MOST)
        return;
    stream->displacement[stream->count] = displacement;
    stream->time_s[stream->count] = pen->time_s;
    stream->flags[stream->count] = pen->flags;
    stream->count++;
    pen->time_s += pen->step_s;
    pen->level = displacement;
}

static void mark(struct pen *pen, enum mark_kind kind, uint64_t amount)
{
    struct stream *stream = pen->stream;
    if (stream->mark_count < STREAM_MOST_MARKS)
        stream->marks[stream->mark_count++] = (struct mark){kind, stream->count, amount};
}

/* Knuth's MMIX generator, from -1 to 1. */
static double draw(struct pen *pen)
{
    pen->chance = pen->chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(pen->chance >> 33) / 1073741824.0 - 1.0;
}

/* Half cycle by half cycle, viscous and Coulomb friction together, until it rests or the samples are used up. */
static void put_decay(struct pen *pen, struct fuzz_input *input)
{
    double amplitude = pen->scale * fuzz_byte(input);
    double half_period = 3 + 0.25 * fuzz_byte(input);
    double kept = 1 - fuzz_byte(input) / 1024.0;
    double friction = pen->scale * fuzz_byte(input) / 32.0;
    double noise = pen->scale * fuzz_byte(input) / 64.0;
    double side = 1, position = 0;
    for (int left = 8 * fuzz_byte(input); left > 0 && fabs(amplitude) > friction; left--) {
        put(pen, side * ((amplitude - friction) * cos(M_PI * position / half_period) + friction) + noise * draw(pen));
        position++;
        if (position < half_period)
            continue;
        position -= half_period;
        amplitude = (amplitude - friction) * kept - friction;
        side = -side;
    }
}

static void put_noise(struct pen *pen, struct fuzz_input *input)
{
    double level = pen->level, size = pen->scale * fuzz_byte(input) / 64.0;
    for (int left = 4 * fuzz_byte(input); left > 0; left--)
        put(pen, level + size * draw(pen));
}

static void obey(struct pen *pen, uint8_t command, struct fuzz_input *input)
{
    switch (command) {
    case 'D':
        put_decay(pen, input);
        break;
    case 'O':
        put_noise(pen, input);
        break;
    case 'R':
        put(pen, fuzz_double(input));
        break;
    case 'S':
        pen->scale = pow(10, (double)fuzz_byte(input) - 128);
        break;
    case 'P':
        pen->step_s = fuzz_double(input);
        break;
    case 'T':
        pen->time_s = fuzz_double(input);
        break;
    case 'F':
        pen->flags = fuzz_byte(input) & (SAMPLE_CLIPPED | SAMPLE_SPIKE);
        pen->stream->flagged = true;
        break;
    case 'C':
        mark(pen, MARK_CUT, 0);
        break;
    case 'G':
        mark(pen, MARK_GAP, fuzz_byte(input));
        break;
    case 'J':
        mark(pen, MARK_JUMP, fuzz_byte(input));
        break;
    default:
        put(pen, pen->scale * (int8_t)command);
    }
}

/* Limits that a configuration could hold. */
static void read_settings(struct stream *stream, struct fuzz_input *input)
{
    unsigned manner = fuzz_byte(input);
    stream->settings = segment_default_settings();
    stream->stamped = manner & 1;
    if (manner & 2)
        stream->settings.start_below = fuzz_byte(input) / 4.0;
    if (manner & 4)
        stream->settings.stop_below = fuzz_byte(input) / 16.0;
    if (manner & 8)
        stream->settings.min_half_cycles = 1 + fuzz_byte(input);
    if (manner & 16)
        stream->settings.pretrigger_cycles = fuzz_byte(input) / 8.0;
    if (manner & 32)
        stream->settings.max_samples = 16 + 8 * (size_t)fuzz_byte(input);
    if (manner & 64)
        stream->settings.resolution = fuzz_byte(input) / 64.0;
    if (manner & 128)
        stream->first_index = UINT64_MAX - 16 * (uint64_t)fuzz_byte(input) - 1;
}

void stream_read(struct stream *stream, struct fuzz_input input)
{
    memset(stream, 0, offsetof(struct stream, displacement));
    stream->mark_count = 0;
    read_settings(stream, &input);
    struct pen pen = {.stream = stream, .scale = 0.1, .step_s = 0.01, .chance = input.count};
    stream->period_s = 0.01;
    while (input.count > 0 && stream->count < STREAM_MOST)
        obey(&pen, fuzz_byte(&input), &input);
}
