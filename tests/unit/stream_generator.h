/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_STREAM_GENERATOR_H
#define FRICID_TESTS_STREAM_GENERATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Streams as a lab makes them, with the truth known: a mass with viscous and Coulomb friction is integrated
 * numerically, a hand moves it, electronics measure it. Shares no code with the daemon. */

struct random {
    uint64_t state;
};

double random_uniform(struct random *random, double low, double high);
double random_log_uniform(struct random *random, double low, double high);
double random_normal(struct random *random);
bool random_chance(struct random *random, double probability);

/* The mass on its spring. Displacements in one arbitrary unit. */
struct plant {
    double omega_n, zeta, x_k, x_s;
    double x, v;   /* now */
    int direction; /* of the motion; 0: it rests */
};

/* Electronics. */
struct sensor {
    double noise, step, offset;
    double hum, hum_hz; /* amplitude */
    double drift_per_s;
    double spike_chance; /* a sample */
    double spike_height;
    double range; /* clips at +- this; 0: never */
};

/* In the stream's flags, beside those of the daemon (clipped: 1): the sample never arrives. */
enum { STREAM_LOST = 0x80 };

enum { TRUTH_EXTREMA = 1024 };

/* One free decay as it really was. */
struct true_decay {
    double released;                /* samples from the start of the stream */
    double extremum[TRUTH_EXTREMA]; /* positions of the extrema after the release, samples */
    double level[TRUTH_EXTREMA];    /* displacement there, sensor offset not included */
    size_t extrema;
    double stopped;       /* when it came to rest or was disturbed; samples */
    bool at_rest;         /* it came to rest by itself */
    bool moving_at_first; /* the mass was moving fast when it was let go */
    double usable;        /* not before this: clipped or lost samples; samples */
};

struct stream {
    struct random random;
    struct plant plant;
    struct sensor sensor;
    double samples_per_cycle, dt;
    bool swung; /* the hand is swinging the mass */
    double *displacement;
    uint8_t *flags;
    double *clean; /* displacement without electronics */
    size_t count, capacity;
    struct true_decay *decays;
    size_t decay_count, decay_capacity;
};

/* An empty stream of a mass at rest. */
struct stream *stream_create(uint64_t seed, const struct plant *plant, const struct sensor *sensor, double rate);
void stream_destroy(struct stream *stream);

/* Nobody touches the mass for so many samples. */
void stream_wait(struct stream *stream, double samples);

/* A hand moves the mass smoothly to a place, with tremor of this amplitude at 8 to 12 Hz. */
void stream_pull(struct stream *stream, double to, double samples, double tremor);
void stream_hold(struct stream *stream, double samples, double tremor);

/* Lets go with this velocity (a second) and follows the free motion: to its end and `rest` samples more, or for
 * `at_most` samples, whichever is less. */
void stream_release(struct stream *stream, double velocity, double rest, double at_most);

/* A blow: adds velocity to whatever the mass does now, and follows the free motion likewise. */
void stream_blow(struct stream *stream, double velocity, double rest, double at_most);

/* A hand stops the mass within so many samples where it is. */
void stream_catch(struct stream *stream, double samples);

/* The latest `samples` samples from `from` on are lost on their way. A decay that was running is cut in two. */
void stream_lose(struct stream *stream, size_t from, size_t samples);

/* A hand swings the mass to and fro, ever further, and lets it go on the way. */
void stream_swing(struct stream *stream, double amplitude, double cycles);

/* A carriage that wanders about slowly and irregularly. */
void stream_wander(struct stream *stream, double samples, double amplitude, double slowness);

#endif
