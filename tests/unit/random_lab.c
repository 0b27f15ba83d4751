/* SPDX-License-Identifier: GPL-3.0-or-later */

/* No two draws stand in the arguments of one call: compilers differ in which they draw first, and a seed is to mean the
 * same stream with each of them. */

#include "random_lab.h"

#include <math.h>

const char *electronics_name(enum electronics electronics)
{
    static const char *const names[ELECTRONICS] = {
        [ELECTRONICS_GOOD] = "good",         [ELECTRONICS_HUM] = "hum",     [ELECTRONICS_SPIKES] = "spikes",
        [ELECTRONICS_CLIPPING] = "clipping", [ELECTRONICS_DRIFT] = "drift", [ELECTRONICS_DROPOUTS] = "dropouts",
    };
    return names[electronics];
}

double swing_that_shows(const struct sensor *sensor)
{
    return fmax(fmax(6 * sensor->noise, 2 * sensor->step), 4 * sensor->hum);
}

static double sometimes(struct random *random, double chance, double low, double high)
{
    return random_chance(random, chance) ? random_log_uniform(random, low, high) : 0;
}

/* A lab and what its stream is made with. */
struct scene {
    struct random random;
    struct stream *stream;
    double cycle;       /* samples */
    double half_cycles; /* of a decay until next to nothing is left of it */
    double seen;        /* half cycles that show */
};

/* Half cycles until the swing is below `least`, by the recursion of the extrema; X_0 = 1. */
static double half_cycles_above(const struct plant *plant, double least)
{
    enum { MOST = 1000 };
    double q = exp(-M_PI * plant->zeta / sqrt(1 - plant->zeta * plant->zeta)), x = 1;
    int n = 0;
    for (; n < MOST && x > plant->x_s && x > 0; n++) {
        double next = (x - plant->x_k) * q - plant->x_k;
        if (x + next < least)
            break;
        x = next;
    }
    return n;
}

/* Damping within the promised ranges that leaves 3 to 300 half cycles to see after the first. */
static void random_damping(struct scene *scene, double least, struct plant *plant)
{
    do {
        plant->zeta = sometimes(&scene->random, 0.85, 0.0005, 0.2);
        plant->x_k = sometimes(&scene->random, 0.85, 0.0003, 0.15);
        plant->x_s = plant->x_k * random_uniform(&scene->random, 1, 1.6);
        scene->seen = half_cycles_above(plant, least);
    } while (scene->seen < 4 || scene->seen > 301);
    scene->half_cycles = half_cycles_above(plant, least / 8);
}

/* An encoder without noise, an LVDT on a 16-bit ADC, something worse, or a perfect sensor. */
static struct sensor random_sensor(struct random *random)
{
    double kind = random_uniform(random, 0, 1), step = random_log_uniform(random, 1e-4, 0.05);
    double gain = random_log_uniform(random, 1e-3, 1e3);
    struct sensor sensor = {.offset = random_uniform(random, -1, 1), .gain = random_chance(random, 0.5) ? gain : -gain};
    if (random_chance(random, 0.1))
        sensor.offset *= 50;
    if (kind < 0.3) {
        sensor.step = step;
    } else if (kind < 0.6) {
        sensor.step = 2 * random_log_uniform(random, 1.2, 20) / 65536;
        sensor.noise = sensor.step * random_log_uniform(random, 0.3, 20);
    } else if (kind < 0.9) {
        sensor.noise = random_log_uniform(random, 1e-4, 0.03);
        sensor.step = random_chance(random, 0.5) ? step : 0;
    }
    return sensor;
}

static void spoil(struct random *random, const struct plant *plant, enum electronics how, struct sensor *sensor)
{
    switch (how) {
    case ELECTRONICS_HUM:
        sensor->hum = random_log_uniform(random, 0.001, 0.01);
        sensor->hum_hz = random_chance(random, 0.7) ? 50 : 60;
        break;
    case ELECTRONICS_SPIKES:
        sensor->spike_chance = random_log_uniform(random, 0.01, 0.2) * plant->omega_n / (2 * M_PI); /* a second */
        sensor->spike_height = random_uniform(random, 0.2, 2) + 20 * sensor->noise + 5 * sensor->step;
        break;
    case ELECTRONICS_CLIPPING:
        sensor->offset = random_uniform(random, -0.3, 0.3);
        sensor->range = fabs(sensor->offset) + random_uniform(random, 0.5, 0.95);
        sensor->hides_clipping = random_chance(random, 0.5);
        break;
    case ELECTRONICS_DRIFT: /* in a cycle */
        sensor->drift_per_s = random_uniform(random, -0.003, 0.003) * plant->omega_n / (2 * M_PI);
        break;
    default:
        break;
    }
}

static enum electronics random_electronics(struct random *random)
{
    return random_chance(random, 0.4) ? ELECTRONICS_GOOD : (enum electronics)random_uniform(random, 1, ELECTRONICS);
}

/* In samples, between `low` and `high` cycles, but not without end. */
static double lasting(struct scene *scene, double low, double high)
{
    return fmin(random_log_uniform(&scene->random, low, high) * scene->cycle, 40000);
}

/* An ordinary hand trembles at 8 to 12 Hz; on the scale of the rig's own frequency it is most of a nuisance. */
static double random_tremor(struct scene *scene)
{
    double f_n = scene->stream->plant.omega_n / (2 * M_PI), rate = 1 / scene->stream->dt;
    bool ordinary = f_n >= 0.5 && f_n < 50 && rate > 100 && random_chance(&scene->random, 0.5);
    scene->stream->tremor_hz = ordinary ? 10 : random_log_uniform(&scene->random, 0.2, 5) * f_n;
    /* Not so fast that it would hurl the mass away. */
    double most = fmin(0.01, 0.05 * fmax(1, f_n / scene->stream->tremor_hz));
    return random_chance(&scene->random, 0.5) ? random_log_uniform(&scene->random, most / 30, most) : 0;
}

/* What a hand does that leads to no decay. */
static void potter(struct scene *scene)
{
    struct stream *stream = scene->stream;
    double choice = random_uniform(&scene->random, 0, 1), parked = 0.95 * stream->plant.x_s;
    if (choice < 0.2) { /* parks the mass off-centre */
        double way = lasting(scene, 0.5, 10);
        stream_pull(stream, random_uniform(&scene->random, -parked, parked), way, 0);
        stream_wait(stream, lasting(scene, 1, 10));
    } else if (choice < 0.3) { /* a push that is taken back */
        double tremor = random_tremor(scene), there = lasting(scene, 0.5, 5);
        stream_pull(stream, random_uniform(&scene->random, -1, 1), there, tremor);
        double back = lasting(scene, 0.5, 5);
        stream_pull(stream, random_uniform(&scene->random, -parked, parked), back, 0);
        stream_wait(stream, lasting(scene, 0.5, 10));
    } else if (choice < 0.4) {
        double slowness = random_log_uniform(&scene->random, 0.3, 3) * scene->cycle;
        stream_wander(stream, lasting(scene, 2, 20), 0.5, slowness);
    }
}

/* The mass is brought to where it is let go, or swung. */
static void take_aside(struct scene *scene)
{
    struct random *random = &scene->random;
    double side = random_chance(random, 0.5) ? 1 : -1, tremor = random_tremor(scene);
    if (random_chance(random, 0.15)) {
        double pace = random_uniform(random, 0.3, 1.4);
        stream_swing(scene->stream, side, random_uniform(random, 0.7, 4), pace);
        return;
    }
    stream_pull(scene->stream, side, lasting(scene, 0.3, 30), tremor);
    if (random_chance(random, 0.8))
        stream_hold(scene->stream, lasting(scene, 0.05, 30), tremor);
}

static double release_velocity(struct scene *scene)
{
    double omega_n = scene->stream->plant.omega_n, choice = random_uniform(&scene->random, 0, 1);
    if (scene->stream->swung || choice < 0.5)
        return 0;
    return omega_n * random_uniform(&scene->random, -1, 1) * (choice < 0.9 ? 0.25 : 1.2);
}

/* Where in a decay something happens: a number of samples after its release. */
static double moment(struct scene *scene)
{
    return random_uniform(&scene->random, 1, fmax(1.5, scene->seen / 2)) * scene->cycle;
}

static double to_the_end(const struct scene *scene)
{
    return (scene->half_cycles / 2 + 6) * scene->cycle;
}

static void blow(struct scene *scene, double rest)
{
    const struct plant *plant = &scene->stream->plant;
    double amplitude = hypot(plant->x, plant->v / plant->omega_n);
    double velocity = plant->omega_n * amplitude * random_uniform(&scene->random, 0.4, 2);
    if (random_chance(&scene->random, 0.5))
        velocity = -velocity;
    double lasts = ceil(random_log_uniform(&scene->random, 0.01, 0.1) * scene->cycle);
    stream_blow(scene->stream, velocity, lasts, rest, to_the_end(scene) * 1.3);
}

/* Lets go once, and follows the decay to its end, whatever that is. */
static void let_go(struct scene *scene)
{
    struct stream *stream = scene->stream;
    double choice = random_uniform(&scene->random, 0, 1), rest = lasting(scene, 0.5, 20);
    double velocity = release_velocity(scene), whole = rest + to_the_end(scene), early = moment(scene);
    size_t begin = stream->count;
    if (choice < 0.6) {
        stream_release(stream, velocity, rest, whole);
    } else if (choice < 0.72) { /* caught, and held where it is */
        stream_release(stream, velocity, rest, early);
        stream_catch(stream, random_uniform(&scene->random, 0.02, 0.2) * scene->cycle);
        double tremor = random_tremor(scene);
        stream_hold(stream, lasting(scene, 0.5, 5), tremor);
    } else if (choice < 0.8) {
        stream_release(stream, velocity, rest, early);
        blow(scene, rest);
    } else if (choice < 0.88) {
        stream_release(stream, velocity, rest, whole);
        double gap = random_log_uniform(&scene->random, 1, 3 * scene->cycle);
        stream_lose(stream, begin + (size_t)early, (size_t)gap);
    } else if (choice < 0.97) { /* two releases in quick succession */
        stream_release(stream, velocity, rest, early);
        double side = random_chance(&scene->random, 0.5) ? 1 : -1;
        stream_catch(stream, random_uniform(&scene->random, 0.02, 0.2) * scene->cycle);
        stream_pull(stream, side, random_uniform(&scene->random, 0.3, 1) * scene->cycle, 0);
        stream_release(stream, release_velocity(scene), rest, whole);
    } else {
        stream_release(stream, velocity, rest, whole);
        if (begin + (size_t)early < stream->count)
            stream_stick(stream, begin + (size_t)early);
    }
}

/* In the latest decay. */
static void drop_samples(struct scene *scene)
{
    struct stream *stream = scene->stream;
    const struct true_decay *decay = &stream->decays[stream->decay_count - 1];
    double at = random_uniform(&scene->random, decay->released + 1, (double)stream->count);
    stream_lose(stream, (size_t)at, (size_t)random_uniform(&scene->random, 1, 4));
}

struct lab lab_with_decays(uint64_t seed)
{
    struct scene scene = {.random = {seed}};
    struct random *random = &scene.random;
    scene.cycle = random_log_uniform(random, 20, 2000);
    double f_n = random_log_uniform(random, 0.05, 1000);
    struct plant plant = {.omega_n = 2 * M_PI * f_n};
    struct sensor sensor = random_sensor(random);
    enum electronics electronics = random_electronics(random);
    spoil(random, &plant, electronics, &sensor);
    sensor.spike_chance /= scene.cycle * f_n;
    random_damping(&scene, fmax(swing_that_shows(&sensor), 0.003), &plant);
    scene.stream = stream_create(seed + 1, &plant, &sensor, scene.cycle * f_n);
    stream_wait(scene.stream, random_uniform(random, 0, 10) * scene.cycle);
    int releases = (int)random_uniform(random, 1, 4);
    for (int i = 0; i < releases; i++) {
        potter(&scene);
        take_aside(&scene);
        let_go(&scene);
        if (electronics == ELECTRONICS_DROPOUTS)
            drop_samples(&scene);
    }
    return (struct lab){scene.stream, electronics};
}

/* One thing that a hand, a carriage or nobody does; `pace` samples are about a second of it. */
static void idle_away(struct scene *scene, double pace)
{
    struct stream *stream = scene->stream;
    struct random *random = &scene->random;
    double tremor = random_tremor(scene), choice = random_uniform(random, 0, 1);
    double place = random_uniform(random, -1, 1);
    if (choice < 0.2) {
        stream_wait(stream, pace * random_log_uniform(random, 0.3, 60));
    } else if (choice < 0.4) { /* a push, sometimes one of several */
        stream_pull(stream, place, pace * random_log_uniform(random, 0.1, 10), tremor);
    } else if (choice < 0.6) {
        stream_hold(stream, pace * random_log_uniform(random, 0.3, 60), tremor);
    } else if (choice < 0.8) { /* out and back */
        double there = pace * random_log_uniform(random, 0.1, 3);
        stream_pull(stream, place, there, tremor);
        stream_hold(stream, random_chance(random, 0.5) ? pace * random_log_uniform(random, 0.1, 3) : 0, tremor);
        stream_pull(stream, 0, there * random_uniform(random, 0.7, 1.5), tremor);
    } else {
        double slowness = pace * random_log_uniform(random, 0.1, 5);
        stream_wander(stream, pace * random_log_uniform(random, 2, 60), 1, slowness);
    }
}

/* Now and then the channel is dead, or stands still for a while. */
static void break_down(struct scene *scene)
{
    struct stream *stream = scene->stream;
    double length = random_uniform(&scene->random, 0.05, 0.3) * (double)stream->count;
    if (random_chance(&scene->random, 0.03))
        stream_stick(stream, stream->count - (size_t)length);
}

static struct lab quiet(uint64_t seed, double samples, double rate, double pace)
{
    struct scene scene = {.random = {seed}, .cycle = pace};
    struct plant plant = {.omega_n = 2 * M_PI * rate / pace};
    struct sensor sensor = random_sensor(&scene.random);
    enum electronics electronics = random_electronics(&scene.random);
    spoil(&scene.random, &plant, electronics, &sensor);
    sensor.spike_chance /= rate;
    scene.stream = stream_create(seed + 1, &plant, &sensor, rate);
    bool dead = random_chance(&scene.random, 0.05);
    while ((double)scene.stream->count < samples) {
        if (dead)
            stream_wait(scene.stream, samples);
        else
            idle_away(&scene, pace);
        break_down(&scene);
    }
    return (struct lab){scene.stream, electronics};
}

struct lab lab_without_decays(uint64_t seed, double seconds)
{
    struct random random = {~seed};
    double rate = random_log_uniform(&random, 20, 2000);
    return quiet(seed, seconds * rate, rate, rate);
}

struct lab lab_without_decays_scaled(uint64_t seed, double samples)
{
    struct random random = {~seed};
    double cycle = random_log_uniform(&random, 20, 2000);
    return quiet(seed, samples, cycle * random_log_uniform(&random, 0.05, 1000), cycle);
}

/* Angles in radians a sample. */
struct beat {
    double turn, apart, third, weaker, weakest, phase[3]; /* sines: at turn, turn + apart and turn - third */
    double settles;                                       /* a sample, of the second: what a force that sets in does */
    double fades;                                         /* a sample, of all */
};

static double beat_at(const struct beat *beat, double i)
{
    double one = sin(beat->turn * i + beat->phase[0]);
    double two = beat->weaker * exp(-beat->settles * i) * sin((beat->turn + beat->apart) * i + beat->phase[1]);
    double three = beat->weakest * sin((beat->turn - beat->third) * i + beat->phase[2]);
    return exp(-beat->fades * i) * (one + two + three) / (1 + beat->weaker + beat->weakest);
}

static struct beat random_beat(struct random *random, double cycle, double samples)
{
    struct beat beat = {.turn = 2 * M_PI / cycle, .weaker = random_log_uniform(random, 0.1, 1)};
    double choice = random_uniform(random, 0, 1), cycles = random_log_uniform(random, 6, 150);
    beat.apart = beat.turn / (random_chance(random, 0.5) ? cycles : -cycles);
    for (int i = 0; i < 3; i++)
        beat.phase[i] = random_uniform(random, 0, 2 * M_PI);
    if (choice < 0.25) { /* from rest: the free motion begins as the negative of the forced one */
        beat.weaker = 1;
        beat.phase[1] = beat.phase[0] + M_PI;
        beat.settles = beat.turn * random_log_uniform(random, 2e-4, 2e-3);
    } else if (choice < 0.5) { /* modulated: side lines of the same strength */
        beat.third = beat.apart;
        beat.weakest = beat.weaker /= 2;
    } else if (choice < 0.7) {
        beat.third = beat.turn / random_log_uniform(random, 6, 150);
        beat.weakest = random_log_uniform(random, 0.1, 1);
    }
    beat.fades = random_chance(random, 0.5) ? random_log_uniform(random, 0.1, 1) / samples : 0;
    return beat;
}

struct lab lab_of_beats(uint64_t seed, double samples)
{
    struct random random = {~seed};
    double cycle = random_log_uniform(&random, 20, 200);
    double f_n = random_log_uniform(&random, 0.05, 1000);
    struct plant plant = {.omega_n = 2 * M_PI * f_n};
    struct sensor sensor = {.noise = random_log_uniform(&random, 1e-3, 0.03)};
    if (random_chance(&random, 0.3))
        sensor.step = random_log_uniform(&random, 1e-4, 0.05);
    const struct beat beat = random_beat(&random, cycle, samples);
    struct stream *stream = stream_create(seed + 1, &plant, &sensor, cycle * f_n);
    while ((double)stream->count < samples)
        stream_read(stream, beat_at(&beat, (double)stream->count));
    return (struct lab){stream, ELECTRONICS_GOOD};
}
