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

double random_normal(struct random *random)
{
    double u = random_uniform(random, 1e-300, 1), angle = random_uniform(random, 0, 2 * M_PI);
    return sqrt(-2 * log(u)) * cos(angle);
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
    };
    return stream;
}

void stream_destroy(struct stream *stream)
{
    if (!stream)
        return;
    free(stream->displacement);
    free(stream->flags);
    free(stream->clean);
    free(stream->decays);
    free(stream);
}

/* The sensor reads the plant once. */
static void sample(struct stream *stream)
{
    const struct sensor *sensor = &stream->sensor;
    if (stream->count == stream->capacity) {
        stream->capacity = stream->capacity ? 2 * stream->capacity : 4096;
        stream->displacement = enough(stream->displacement, stream->capacity * sizeof(double));
        stream->clean = enough(stream->clean, stream->capacity * sizeof(double));
        stream->flags = enough(stream->flags, stream->capacity);
    }
    double t = (double)stream->count * stream->dt;
    double y = stream->plant.x + sensor->offset + sensor->drift_per_s * t;
    y += sensor->hum * sin(2 * M_PI * sensor->hum_hz * t);
    if (sensor->noise > 0)
        y += sensor->noise * random_normal(&stream->random);
    if (sensor->spike_chance > 0 && random_chance(&stream->random, sensor->spike_chance))
        y += random_chance(&stream->random, 0.5) ? sensor->spike_height : -sensor->spike_height;
    if (sensor->step > 0)
        y = sensor->step * rint(y / sensor->step);
    bool clipped = sensor->range > 0 && fabs(y) >= sensor->range;
    stream->clean[stream->count] = stream->plant.x;
    stream->displacement[stream->count] = clipped ? copysign(sensor->range, y) : y;
    stream->flags[stream->count] = clipped ? 1 : 0;
    stream->count++;
}

static double acceleration(const struct plant *plant, double x, double v)
{
    return -plant->omega_n * (2 * plant->zeta * v + plant->omega_n * (x + plant->direction * plant->x_k));
}

/* Classical Runge-Kutta step; the direction of the friction stays as it is. */
static void step(const struct plant *plant, double h, double *x, double *v)
{
    double k1 = *v, l1 = acceleration(plant, *x, *v);
    double k2 = *v + h / 2 * l1, l2 = acceleration(plant, *x + h / 2 * k1, k2);
    double k3 = *v + h / 2 * l2, l3 = acceleration(plant, *x + h / 2 * k2, k3);
    double k4 = *v + h * l3, l4 = acceleration(plant, *x + h * k3, k4);
    *x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    *v += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
}

/* The moment within a step at which the velocity is zero, by bisection on the integrated step. */
static double reversal_within(const struct plant *plant, double h)
{
    double low = 0, high = h;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2, x = plant->x, v = plant->v;
        step(plant, middle, &x, &v);
        if (v * plant->direction > 0)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static void note_extremum(struct stream *stream, double position)
{
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
    if (plant->v != 0)
        plant->direction = plant->v > 0 ? 1 : -1;
    else if (fabs(plant->x) <= plant->x_s)
        plant->direction = 0;
    else
        plant->direction = plant->x > 0 ? -1 : 1;
}

/* Free motion for one sampling period; false when the mass has come to rest. */
static bool move(struct stream *stream)
{
    struct plant *plant = &stream->plant;
    double fine = 2 * M_PI / plant->omega_n / 400, left = stream->dt;
    while (left > 0 && plant->direction != 0) {
        double h = left < fine ? left : fine, x = plant->x, v = plant->v;
        step(plant, h, &x, &v);
        if (v * plant->direction > 0) {
            plant->x = x;
            plant->v = v;
            left -= h;
            continue;
        }
        h = reversal_within(plant, h);
        step(plant, h, &plant->x, &plant->v);
        plant->v = 0;
        left -= h;
        note_extremum(stream, (double)stream->count - 1 + (stream->dt - left) / stream->dt);
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
        sum += sin(2 * M_PI * (8 + 1.7 * i) * t + phase[i]);
    return tremor * sum / 2;
}

/* The hand takes the mass from where it is to a place. Tremor fades in, so that nothing jumps. */
static void guide(struct stream *stream, double to, double samples, double tremor)
{
    double from = stream->plant.x, before = from, phase[3];
    for (int i = 0; i < 3; i++)
        phase[i] = random_uniform(&stream->random, 0, 2 * M_PI);
    for (double i = 0; i < samples; i++) {
        double u = (i + 1) / samples, fade = fmin(1, 4 * fmin(u, 1 - u) + 0.05);
        double smooth = u * u * u * (10 - 15 * u + 6 * u * u);
        before = stream->plant.x;
        stream->plant.x = from + (to - from) * smooth + fade * tremor_at(stream, tremor, phase);
        sample(stream);
    }
    stream->plant.v = (stream->plant.x - before) / stream->dt;
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

static void begin_decay(struct stream *stream)
{
    if (stream->decay_count == stream->decay_capacity) {
        stream->decay_capacity = stream->decay_capacity ? 2 * stream->decay_capacity : 8;
        stream->decays = enough(stream->decays, stream->decay_capacity * sizeof *stream->decays);
    }
    struct true_decay *decay = &stream->decays[stream->decay_count++];
    decay->extrema = 0;
    decay->at_rest = false;
    decay->released = decay->stopped = decay->usable = (double)stream->count - 1;
}

static void go_free(struct stream *stream, double rest, double at_most)
{
    begin_decay(stream);
    struct plant *plant = &stream->plant;
    stream->decays[stream->decay_count - 1].moving_at_first =
        stream->swung || fabs(plant->v) > 0.3 * plant->omega_n * fabs(plant->x);
    stream->swung = false;
    set_direction(&stream->plant);
    double samples = 0;
    bool moving = stream->plant.direction != 0;
    for (; moving && samples < at_most; samples++) {
        moving = move(stream);
        sample(stream);
    }
    struct true_decay *decay = &stream->decays[stream->decay_count - 1];
    decay->at_rest = !moving;
    decay->stopped = !moving && decay->extrema ? decay->extremum[decay->extrema - 1] : (double)stream->count - 1;
    for (size_t i = (size_t)decay->released; i < stream->count; i++)
        if (stream->flags[i] & 1)
            decay->usable = (double)i;
    if (!moving)
        stream_wait(stream, fmin(rest, at_most - samples));
}

void stream_release(struct stream *stream, double velocity, double rest, double at_most)
{
    stream->plant.v = velocity;
    go_free(stream, rest, at_most);
}

void stream_blow(struct stream *stream, double velocity, double rest, double at_most)
{
    stream->plant.v += velocity;
    go_free(stream, rest, at_most);
}

void stream_catch(struct stream *stream, double samples)
{
    struct plant *plant = &stream->plant;
    double v = plant->v;
    for (double i = 1; i <= samples; i++) {
        plant->x += v * (1 - i / samples) * stream->dt;
        sample(stream);
    }
    plant->v = 0;
    plant->direction = 0;
}

void stream_swing(struct stream *stream, double amplitude, double cycles)
{
    double samples = cycles * stream->samples_per_cycle, before = stream->plant.x;
    double omega = random_uniform(&stream->random, 0.6, 1.4) * stream->plant.omega_n;
    for (double i = 1; i <= samples; i++) {
        before = stream->plant.x;
        stream->swung = true;
        stream->plant.x = amplitude * i / samples * sin(omega * i * stream->dt);
        sample(stream);
    }
    stream->plant.v = (stream->plant.x - before) / stream->dt;
}

void stream_lose(struct stream *stream, size_t from, size_t samples)
{
    for (size_t i = from; i < from + samples && i < stream->count; i++)
        stream->flags[i] |= STREAM_LOST;
    if (stream->decay_count == 0)
        return;
    struct true_decay *decay = &stream->decays[stream->decay_count - 1];
    double end = (double)(from + samples);
    if ((double)from >= decay->stopped || end <= decay->released)
        return;
    struct true_decay rest = *decay;
    decay->stopped = (double)from;
    decay->at_rest = false;
    while (decay->extrema > 0 && decay->extremum[decay->extrema - 1] >= (double)from)
        decay->extrema--;
    begin_decay(stream);
    decay = &stream->decays[stream->decay_count - 1];
    *decay = rest;
    decay->released = decay->usable = end;
    decay->moving_at_first = true;
    size_t gone = 0;
    while (gone < rest.extrema && rest.extremum[gone] < end)
        gone++;
    decay->extrema = rest.extrema - gone;
    for (size_t i = 0; i < decay->extrema; i++) {
        decay->extremum[i] = rest.extremum[i + gone];
        decay->level[i] = rest.level[i + gone];
    }
}

void stream_wander(struct stream *stream, double samples, double amplitude, double slowness)
{
    double place = stream->plant.x, speed = 0, force = 0;
    for (double i = 0; i < samples; i++) {
        /* white noise through three slow filters, pulled back to the middle */
        force += (random_normal(&stream->random) * sqrt(2 * slowness) - force) / slowness;
        speed += (force - speed) / slowness;
        place += (amplitude * 4 * speed - place) / slowness;
        stream->plant.x = place;
        sample(stream);
    }
    stream->plant.v = 0;
    stream->plant.direction = 0;
}
