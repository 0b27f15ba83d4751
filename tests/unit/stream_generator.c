/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stream_generator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t random_bits(struct random *random)
{
    /* splitmix64, public domain constants by S. Vigna */
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

double random_uniform(struct random *random, double low, double high)
{
    return low + (high - low) * (double)(random_bits(random) >> 11) * 0x1p-53;
}

double random_log_uniform(struct random *random, double low, double high)
{
    return exp(random_uniform(random, log(low), log(high)));
}

/* G. Marsaglia's polar method, of which the second number is not used: a generator is one word, easily copied. */
double random_normal(struct random *random)
{
    double u, v, s;
    do {
        u = random_uniform(random, -1, 1);
        v = random_uniform(random, -1, 1);
        s = u * u + v * v;
    } while (s >= 1 || s <= 0);
    return u * sqrt(-2 * log(s) / s);
}

bool random_chance(struct random *random, double probability)
{
    return random_uniform(random, 0, 1) < probability;
}

static void *enough(void *old, size_t bytes)
{
    void *memory = realloc(old, bytes);
    if (!memory) {
        perror("stream generator");
        exit(EXIT_FAILURE);
    }
    return memory;
}

struct stream *stream_create(uint64_t seed, const struct plant *plant, const struct sensor *sensor, double rate)
{
    struct stream *stream = enough(NULL, sizeof *stream);
    *stream = (struct stream){
        .random = {seed},
        .plant = *plant,
        .sensor = *sensor,
        .dt = 1 / rate,
        .samples_per_cycle = 2 * M_PI / plant->omega_n * rate,
        .tremor_hz = 10,
    };
    if (!(fabs(sensor->gain) > 0))
        stream->sensor.gain = 1;
    return stream;
}

void stream_destroy(struct stream *stream)
{
    if (!stream)
        return;
    free(stream->displacement);
    free(stream->flags);
    free(stream->marks);
    free(stream->clean);
    free(stream->decays);
    free(stream);
}

static void make_room(struct stream *stream)
{
    if (stream->count < stream->capacity)
        return;
    stream->capacity = stream->capacity ? 2 * stream->capacity : 4096;
    stream->displacement = enough(stream->displacement, stream->capacity * sizeof(double));
    stream->clean = enough(stream->clean, stream->capacity * sizeof(double));
    stream->flags = enough(stream->flags, stream->capacity);
    stream->marks = enough(stream->marks, stream->capacity);
}

/* Single samples: there is always a good one on either side, and five more. */
static double spike(struct stream *stream)
{
    const struct sensor *sensor = &stream->sensor;
    if (!(sensor->spike_chance > 0) || !random_chance(&stream->random, sensor->spike_chance))
        return 0;
    if (stream->last_spike > 0 && stream->count < stream->last_spike + 7)
        return 0;
    stream->last_spike = stream->count;
    stream->marks[stream->count] |= MARK_SPIKE;
    return random_chance(&stream->random, 0.5) ? sensor->spike_height : -sensor->spike_height;
}

/* The sensor reads the plant once. */
static void sample(struct stream *stream)
{
    const struct sensor *sensor = &stream->sensor;
    make_room(stream);
    size_t i = stream->count;
    double t = (double)i * stream->dt;
    stream->flags[i] = stream->marks[i] = 0;
    double y = stream->plant.x + sensor->offset + sensor->drift_per_s * t;
    if (sensor->hum > 0)
        y += sensor->hum * sin(2 * M_PI * sensor->hum_hz * t);
    if (sensor->noise > 0)
        y += sensor->noise * random_normal(&stream->random);
    y += spike(stream);
    if (sensor->step > 0)
        y = sensor->step * rint(y / sensor->step);
    bool clipped = sensor->range > 0 && fabs(y) >= sensor->range;
    stream->clean[i] = stream->plant.x;
    stream->displacement[i] = sensor->gain * (clipped ? copysign(sensor->range, y) : y);
    if (clipped) {
        stream->flags[i] = sensor->hides_clipping ? 0 : 1;
        stream->marks[i] |= MARK_CLIPPED;
    }
    stream->count++;
}

void stream_read(struct stream *stream, double place)
{
    stream->plant.x = place;
    sample(stream);
}

/* The motion as a power series in time, about now: x(t + u/omega_n) = c0 + c1 u + c2 u² + … follows from the equation
 * of motion term by term. At 20 samples a cycle or more the last term is below 1e-20 of the first ones. */
enum { TERMS = 16 };

struct series {
    double c[TERMS];
};

static void expand(const struct plant *plant, struct series *series)
{
    double *c = series->c;
    c[0] = plant->x;
    c[1] = plant->v / plant->omega_n;
    for (int n = 0; n + 2 < TERMS; n++) {
        double force = n == 0 ? plant->push - plant->direction * plant->x_k : 0;
        c[n + 2] = (force - c[n] - 2 * plant->zeta * (n + 1) * c[n + 1]) / ((n + 1) * (n + 2));
    }
}

static double place(const struct series *series, double u)
{
    double sum = 0;
    for (int n = TERMS; n-- > 0;)
        sum = sum * u + series->c[n];
    return sum;
}

/* In displacements per radian. */
static double speed(const struct series *series, double u)
{
    double sum = 0;
    for (int n = TERMS; n-- > 1;)
        sum = sum * u + n * series->c[n];
    return sum;
}

/* The moment before u at which the velocity is zero, by bisection. */
static double reversal_before(const struct series *series, int direction, double u)
{
    double low = 0, high = u;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (speed(series, middle) * direction > 0)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static void note_extremum(struct stream *stream, double position)
{
    if (stream->decay_count == 0)
        return;
    struct true_decay *decay = &stream->decays[stream->decay_count - 1];
    if (decay->extrema == TRUTH_EXTREMA)
        return;
    decay->extremum[decay->extrema] = position;
    decay->level[decay->extrema] = stream->plant.x;
    decay->extrema++;
}

/* Sets off, or stays, according to break-away friction. */
static void set_direction(struct plant *plant)
{
    double off = plant->x - plant->push;
    if (plant->v != 0)
        plant->direction = plant->v > 0 ? 1 : -1;
    else if (fabs(off) <= plant->x_s)
        plant->direction = 0;
    else
        plant->direction = off > 0 ? -1 : 1;
}

/* Motion under friction for one sampling period; false when the mass rests. */
static bool move(struct stream *stream)
{
    struct plant *plant = &stream->plant;
    double whole = plant->omega_n * stream->dt, left = whole;
    while (left > 0 && plant->direction != 0) {
        struct series series;
        expand(plant, &series);
        double v = speed(&series, left);
        if (v * plant->direction > 0) {
            plant->x = place(&series, left);
            plant->v = v * plant->omega_n;
            return true;
        }
        double u = reversal_before(&series, plant->direction, left);
        plant->x = place(&series, u);
        plant->v = 0;
        left -= u;
        note_extremum(stream, (double)stream->count - 1 + (whole - left) / whole);
        set_direction(plant);
    }
    return plant->direction != 0;
}

void stream_wait(struct stream *stream, double samples)
{
    for (double i = 0; i < samples; i++)
        sample(stream);
}

static double tremor_at(const struct stream *stream, double tremor, const double phase[3])
{
    double t = (double)stream->count * stream->dt, sum = 0;
    for (int i = 0; i < 3; i++)
        sum += sin(2 * M_PI * stream->tremor_hz * (0.8 + 0.17 * i) * t + phase[i]);
    return tremor * sum / 2;
}

/* The hand has the mass: whatever free motion there was has ended. */
static void seize(struct stream *stream)
{
    struct true_decay *decay = stream->decay_count > 0 ? &stream->decays[stream->decay_count - 1] : NULL;
    if (decay && decay->end == END_STREAM)
        decay->end = END_CAUGHT;
    stream->plant.direction = 0;
}

/* The hand takes the mass from where it is to a place. Tremor fades in, so that nothing jumps, and goes on until the
 * hand lets go. */
static void guide(struct stream *stream, double to, double samples, double tremor)
{
    double from = stream->plant.x, phase[3], before = from;
    seize(stream);
    for (int i = 0; i < 3; i++)
        phase[i] = random_uniform(&stream->random, 0, 2 * M_PI);
    for (double i = 0; i < samples; i++) {
        double u = fmin((i + 1) / samples, 1), fade = fmin(1, 4 * u);
        double smooth = u * u * u * (10 - 15 * u + 6 * u * u);
        before = stream->plant.x;
        stream->plant.x = from + (to - from) * smooth;
        if (tremor > 0)
            stream->plant.x += fade * tremor_at(stream, tremor, phase);
        sample(stream);
    }
    stream->plant.v = samples > 0 ? (stream->plant.x - before) / stream->dt : 0;
}

void stream_pull(struct stream *stream, double to, double samples, double tremor)
{
    guide(stream, to, samples, tremor);
}

void stream_hold(struct stream *stream, double samples, double tremor)
{
    if (samples >= 1)
        guide(stream, stream->plant.x, samples, tremor);
}

static struct true_decay *begin_decay(struct stream *stream, enum true_start start)
{
    if (stream->decay_count == stream->decay_capacity) {
        stream->decay_capacity = stream->decay_capacity ? 2 * stream->decay_capacity : 8;
        stream->decays = enough(stream->decays, stream->decay_capacity * sizeof *stream->decays);
    }
    struct true_decay *decay = &stream->decays[stream->decay_count++];
    decay->extrema = 0;
    decay->start = start;
    decay->end = END_STREAM;
    decay->released = decay->stopped = decay->usable = (double)stream->count - 1;
    return decay;
}

static void go_free(struct stream *stream, enum true_start start, double rest, double at_most)
{
    struct true_decay *decay = begin_decay(stream, start);
    set_direction(&stream->plant);
    double samples = 0;
    bool moving = stream->plant.direction != 0;
    for (; moving && samples < at_most; samples++) {
        moving = move(stream);
        sample(stream);
    }
    decay->left = stream->plant;
    if (!moving)
        decay->end = END_REST;
    decay->stopped = !moving && decay->extrema ? decay->extremum[decay->extrema - 1] : (double)stream->count - 1;
    for (size_t i = (size_t)fmax(decay->released, 0); i < stream->count; i++)
        if (stream->marks[i] & MARK_CLIPPED)
            decay->usable = (double)i;
    if (!moving)
        stream_wait(stream, fmin(rest, at_most - samples));
}

void stream_release(struct stream *stream, double velocity, double rest, double at_most)
{
    struct plant *plant = &stream->plant;
    /* A hand that holds still, but for its tremor, as seen on the scale of the motion that follows. */
    plant->v += velocity;
    bool moving = stream->swung || fabs(plant->v) > 0.3 * plant->omega_n * fabs(plant->x);
    stream->swung = false;
    go_free(stream, moving ? START_MOVING : START_HELD, rest, at_most);
}

void stream_blow(struct stream *stream, double velocity, double samples, double rest, double at_most)
{
    struct plant *plant = &stream->plant;
    struct true_decay *before = stream->decay_count > 0 ? &stream->decays[stream->decay_count - 1] : NULL;
    if (before && before->end == END_STREAM)
        before->end = END_BLOW;
    size_t extrema = before ? before->extrema : 0;
    plant->push = velocity / (samples * stream->dt) / (plant->omega_n * plant->omega_n);
    set_direction(plant);
    if (!before)
        before = begin_decay(stream, START_BLOW);
    for (double i = 0; i < samples; i++) {
        move(stream);
        sample(stream);
    }
    before->extrema = extrema;
    plant->push = 0;
    go_free(stream, START_BLOW, rest, at_most);
}

void stream_catch(struct stream *stream, double samples)
{
    struct plant *plant = &stream->plant;
    double v = plant->v;
    seize(stream);
    for (double i = 1; i <= samples; i++) {
        plant->x += v * (1 - i / samples) * stream->dt;
        sample(stream);
    }
    plant->v = 0;
}

void stream_swing(struct stream *stream, double amplitude, double cycles, double pace)
{
    double samples = cycles * stream->samples_per_cycle, before = stream->plant.x, start = before;
    double omega = pace * stream->plant.omega_n;
    seize(stream);
    for (double i = 1; i <= samples; i++) {
        before = stream->plant.x;
        stream->plant.x = start * (1 - i / samples) + amplitude * i / samples * sin(omega * i * stream->dt);
        sample(stream);
    }
    stream->swung = true;
    stream->plant.v = (stream->plant.x - before) / stream->dt;
}

static void cut_off(struct true_decay *decay, double from, enum true_end end)
{
    decay->stopped = from;
    decay->end = end;
    while (decay->extrema > 0 && decay->extremum[decay->extrema - 1] >= from)
        decay->extrema--;
}

/* The part of a decay behind a gap is a decay of its own. */
static void split(struct stream *stream, double from, double end)
{
    struct true_decay *tail = begin_decay(stream, START_GAP), *decay = tail - 1;
    *tail = *decay;
    tail->start = START_GAP;
    tail->released = end;
    tail->usable = fmax(decay->usable, end);
    tail->extrema = 0;
    for (size_t i = 0; i < decay->extrema; i++)
        if (decay->extremum[i] >= end) {
            tail->extremum[tail->extrema] = decay->extremum[i];
            tail->level[tail->extrema++] = decay->level[i];
        }
    cut_off(decay, from, END_GAP);
    if (!(end < tail->stopped))
        stream->decay_count--;
}

void stream_lose(struct stream *stream, size_t from, size_t samples)
{
    for (size_t i = from; i < from + samples && i < stream->count; i++)
        stream->flags[i] |= STREAM_LOST;
    if (stream->decay_count == 0)
        return;
    const struct true_decay *decay = &stream->decays[stream->decay_count - 1];
    if ((double)from < decay->stopped && (double)(from + samples) > decay->released)
        split(stream, (double)from, (double)(from + samples));
}

void stream_stick(struct stream *stream, size_t from)
{
    struct true_decay *decay = stream->decay_count > 0 ? &stream->decays[stream->decay_count - 1] : NULL;
    for (size_t i = from + 1; i < stream->count; i++)
        stream->displacement[i] = stream->displacement[from];
    if (decay && (double)from < decay->stopped)
        cut_off(decay, (double)from, END_STUCK);
}

void stream_left_alone(const struct stream *stream, const struct true_decay *decay, double *displacement, size_t count)
{
    struct stream alone = {.plant = decay->left, .dt = stream->dt};
    for (size_t i = 0; i < count; i++) {
        if (alone.plant.direction != 0)
            move(&alone);
        displacement[i] = alone.plant.x;
    }
}

void stream_wander(struct stream *stream, double samples, double amplitude, double slowness)
{
    double where = stream->plant.x, pace = 0, force = 0;
    seize(stream);
    for (double i = 0; i < samples; i++) {
        /* white noise through three slow filters, pulled back to the middle */
        force += (random_normal(&stream->random) * sqrt(2 * slowness) - force) / slowness;
        pace += (force - pace) / slowness;
        where += (amplitude * 4 * pace - where) / slowness;
        stream->plant.x = where;
        sample(stream);
    }
    stream->plant.v = 0;
}
