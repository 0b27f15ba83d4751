/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz_stream.h"

#include <math.h>
#include <string.h>

/* What the writer of a stream is about to write. */
struct pen {
    struct stream *stream;
    double scale, level;           /* of what comes next; the displacement before */
    double rest, limit, round;     /* displacements: where swings are about; beyond this there is none; 0: exact */
    double time_s, step_s, jitter; /* of the next stamp; to the one after it; part of that */
    uint8_t flags;
    uint64_t chance; /* of the noise */
};

/* Knuth's MMIX generator, from -1 to 1. */
static double draw(struct pen *pen)
{
    pen->chance = pen->chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(pen->chance >> 33) / 1073741824.0 - 1.0;
}

static void put(struct pen *pen, double displacement)
{
    struct stream *stream = pen->stream;
    if (stream->count == STREAM_MOST)
        return;
    if (pen->round > 0)
        displacement = pen->round * round(displacement / pen->round);
    if (fabs(displacement) > pen->limit)
        displacement = copysign(pen->limit, displacement);
    stream->displacement[stream->count] = displacement;
    stream->time_s[stream->count] = pen->time_s + (pen->jitter > 0 ? pen->jitter * pen->step_s * draw(pen) : 0);
    stream->flags[stream->count] = pen->flags;
    stream->count++;
    pen->time_s += pen->step_s;
    pen->level = displacement;
}

static double signed_byte(struct fuzz_input *input)
{
    return (int8_t)fuzz_byte(input);
}

/* Many magnitudes: a sixteenth of a doubling a unit. */
static double power_byte(struct fuzz_input *input)
{
    return exp2(fuzz_byte(input) / 16.0);
}

static void put_samples(struct pen *pen, struct fuzz_input *input)
{
    for (int left = fuzz_byte(input); left > 0 && input->count > 0; left--)
        put(pen, pen->scale * signed_byte(input));
}

static void put_number(struct pen *pen, struct fuzz_input *input)
{
    put(pen, fuzz_double(input));
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

/* A swinging that fades or grows, alone or with another beside it that it beats with. */
static void put_swinging(struct pen *pen, struct fuzz_input *input)
{
    double amplitude = pen->scale * power_byte(input), half_period = 1.5 * power_byte(input) / 8;
    double growth = signed_byte(input) / 128, phase = fuzz_byte(input) / 32.0;
    double beside = fuzz_byte(input) / 128.0, apart = 1 + signed_byte(input) / 256;
    double noise = pen->scale * fuzz_byte(input) / 64.0;
    int samples = 8 * fuzz_byte(input);
    for (int i = 0; i < samples; i++) {
        double u = i / half_period, swing = cos(M_PI * u + phase) + beside * cos(M_PI * u * apart);
        put(pen, pen->rest + amplitude * exp(growth * u) * swing + noise * draw(pen));
    }
}

static void put_noise(struct pen *pen, struct fuzz_input *input)
{
    double level = pen->level, size = pen->scale * fuzz_byte(input) / 64.0;
    for (int left = 4 * fuzz_byte(input); left > 0; left--)
        put(pen, level + size * draw(pen));
}

static void put_pull(struct pen *pen, struct fuzz_input *input)
{
    double way = pen->scale * signed_byte(input) / 16;
    for (int left = 2 * fuzz_byte(input); left > 0; left--)
        put(pen, pen->level + way);
}

static void put_hold(struct pen *pen, struct fuzz_input *input)
{
    for (int left = 4 * fuzz_byte(input); left > 0; left--)
        put(pen, pen->level);
}

static void mark(struct pen *pen, enum mark_kind kind, uint64_t amount)
{
    struct stream *stream = pen->stream;
    if (stream->mark_count < STREAM_MOST_MARKS)
        stream->marks[stream->mark_count++] = (struct mark){kind, stream->count, amount};
}

static void cut(struct pen *pen, struct fuzz_input *input)
{
    (void)input;
    mark(pen, MARK_CUT, 0);
}

static void lose_samples(struct pen *pen, struct fuzz_input *input)
{
    mark(pen, MARK_GAP, fuzz_byte(input));
}

static void leave_indices_out(struct pen *pen, struct fuzz_input *input)
{
    mark(pen, MARK_JUMP, fuzz_byte(input));
}

static void set_scale(struct pen *pen, struct fuzz_input *input)
{
    pen->scale = pow(10, (double)fuzz_byte(input) - 128);
}

static void set_rest(struct pen *pen, struct fuzz_input *input)
{
    pen->level = pen->rest = pen->scale * signed_byte(input);
}

static void set_limit(struct pen *pen, struct fuzz_input *input)
{
    uint8_t limit = fuzz_byte(input);
    pen->limit = limit ? pen->scale * limit : INFINITY;
}

static void set_rounding(struct pen *pen, struct fuzz_input *input)
{
    pen->round = pen->scale * fuzz_byte(input) / 64.0;
}

static void set_flags(struct pen *pen, struct fuzz_input *input)
{
    pen->flags = fuzz_byte(input) & (SAMPLE_CLIPPED | SAMPLE_SPIKE);
    pen->stream->flagged = true;
}

static void set_pace(struct pen *pen, struct fuzz_input *input)
{
    pen->step_s = fuzz_double(input);
}

static void change_pace(struct pen *pen, struct fuzz_input *input)
{
    pen->step_s *= exp2(signed_byte(input) / 8);
}

static void set_time(struct pen *pen, struct fuzz_input *input)
{
    pen->time_s = fuzz_double(input);
}

/* Stamps that come late: by a part of the pace up to 10^14 times it. */
static void leap(struct pen *pen, struct fuzz_input *input)
{
    pen->time_s += pen->step_s * exp2(fuzz_byte(input) / 5.0 - 4);
}

static void set_jitter(struct pen *pen, struct fuzz_input *input)
{
    pen->jitter = fuzz_byte(input) / 128.0;
}

static void set_clock(struct pen *pen, struct fuzz_input *input)
{
    double origin_s = fuzz_double(input), period_s = fuzz_double(input);
    if (!isfinite(origin_s) || !isfinite(period_s) || !(period_s > 0))
        return;
    pen->stream->origin_s = origin_s;
    pen->stream->period_s = period_s;
}

/* Every byte names one of these: the seeds hold their places in this list, so new ones go to its end. */
static void (*const pieces[])(struct pen *, struct fuzz_input *) = {
    put_samples, put_number,   put_decay,         put_swinging, put_noise, put_pull,   put_hold,
    cut,         lose_samples, leave_indices_out, set_scale,    set_rest,  set_limit,  set_rounding,
    set_flags,   set_pace,     change_pace,       set_time,     leap,      set_jitter, set_clock,
};
enum { PIECES = sizeof pieces / sizeof *pieces };

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

/* What is done with the stream. */
static void read_task(struct stream *stream, struct fuzz_input *input)
{
    unsigned task = fuzz_byte(input);
    stream->settings.stamps_tell_holes = !(task & 128);
    stream->identify_whole = (task & 7) == 6 || (task & 7) == 7;
    stream->identify_decay = (task & 7) == 5 || (task & 7) == 7;
    stream->piece = 1 + fuzz_byte(input);
}

/* An identification costs as much as many looks at a stream by the segmenter. While new programs are tried, only one in
 * so many that ask for one gets it, whatever they descend from; seeds always do. */
static bool drawn(const struct fuzz_input *input)
{
    enum { ONE_IN = 16 };
    uint32_t sum = 0;
    for (size_t i = 0; i < input->count; i++)
        sum = (sum ^ input->bytes[i]) * UINT32_C(0x9E3779B1);
    return fuzz_replays || (sum >> 16) % ONE_IN == 0;
}

void stream_read(struct stream *stream, struct fuzz_input input)
{
    memset(stream, 0, offsetof(struct stream, displacement));
    stream->mark_count = 0;
    stream->period_s = 0.01;
    read_settings(stream, &input);
    bool identify = drawn(&input);
    read_task(stream, &input);
    stream->identify_whole = stream->identify_whole && identify;
    stream->identify_decay = stream->identify_decay && identify;
    struct pen pen = {.stream = stream, .scale = 0.1, .limit = INFINITY, .step_s = 0.01};
    pen.chance = fuzz_byte(&input);
    pen.chance += 256 * (uint64_t)fuzz_byte(&input);
    while (input.count > 0 && stream->count < STREAM_MOST)
        pieces[fuzz_byte(&input) % PIECES](&pen, &input);
}
