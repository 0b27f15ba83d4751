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
    double push;   /* a force on the mass over the stiffness: where it would come to rest without friction */
    int direction; /* of the motion; 0: it rests */
};

/* Electronics. */
struct sensor {
    double noise, step, offset;
    double hum, hum_hz; /* amplitude */
    double drift_per_s;
    double spike_chance; /* a sample */
    double spike_height;
    double range;        /* clips at +- this; 0: never */
    bool hides_clipping; /* clipped samples are not flagged, as in a recording */
    double gain;         /* of all that the sensor tells; 0 stands for 1 */
};

/* In the stream's flags, beside those of the daemon (clipped: 1): the sample never arrives. */
enum { STREAM_LOST = 0x80 };

/* What really happened to a sample, in the stream's marks. */
enum { MARK_CLIPPED = 1, MARK_SPIKE = 2 };

enum { TRUTH_EXTREMA = 1024 };

/* How a free motion really began, and how it ended. */
enum true_start { START_HELD, START_MOVING, START_BLOW, START_GAP, TRUE_STARTS };
enum true_end { END_REST, END_CAUGHT, END_BLOW, END_GAP, END_STUCK, END_STREAM, TRUE_ENDS };

/* One free decay as it really was. */
struct true_decay {
    double released;                /* samples from the start of the stream */
    double extremum[TRUTH_EXTREMA]; /* positions of the extrema after the release, samples */
    double level[TRUTH_EXTREMA];    /* displacement there, sensor offset and gain not included */
    size_t extrema;
    double stopped; /* when it came to rest or was disturbed; samples */
    enum true_start start;
    enum true_end end;
    double usable;     /* not before this: clipped or lost samples; samples */
    struct plant left; /* when the hand took it, or the blow began */
};

struct stream {
    struct random random;
    struct plant plant;
    struct sensor sensor;
    double samples_per_cycle, dt;
    double tremor_hz;
    bool swung; /* the hand is swinging the mass */
    double *displacement;
    uint8_t *flags;
    uint8_t *marks;
    double *clean; /* displacement without electronics */
    size_t count, capacity;
    size_t last_spike;
    struct true_decay *decays;
    size_t decay_count, decay_capacity;
};

/* An empty stream of a mass at rest. */
struct stream *stream_create(uint64_t seed, const struct plant *plant, const struct sensor *sensor, double rate);
void stream_destroy(struct stream *stream);

/* Nobody touches the mass for so many samples. */
void stream_wait(struct stream *stream, double samples);

/* A hand moves the mass smoothly to a place, with tremor of this amplitude about tremor_hz. */
void stream_pull(struct stream *stream, double to, double samples, double tremor);
void stream_hold(struct stream *stream, double samples, double tremor);

/* Lets go with this velocity (a second) more than the hand's own, and follows the free motion: to its end and `rest`
 * samples more, or for `at_most` samples, whichever is less. */
void stream_release(struct stream *stream, double velocity, double rest, double at_most);

/* A blow that lasts so many samples and adds this velocity to whatever the mass does; follows the free motion
 * likewise. */
void stream_blow(struct stream *stream, double velocity, double samples, double rest, double at_most);

/* A hand stops the mass within so many samples where it is. */
void stream_catch(struct stream *stream, double samples);

/* Samples from `from` on are lost on their way. A decay that was running is cut in two. */
void stream_lose(struct stream *stream, size_t from, size_t samples);

/* From sample `from` to the end of what there is the sensor repeats one value. */
void stream_stick(struct stream *stream, size_t from);

/* A hand swings the mass to and fro, ever further, at this part of its own frequency. */
void stream_swing(struct stream *stream, double amplitude, double cycles, double pace);

/* The mass is at this place for one sample, by whatever moves it. */
void stream_read(struct stream *stream, double place);

/* What the mass would have done after `stopped` if nobody had touched it: displacement, sample by sample. */
void stream_left_alone(const struct stream *stream, const struct true_decay *decay, double *displacement, size_t count);

/* A carriage that wanders about slowly and irregularly; slowness in samples. */
void stream_wander(struct stream *stream, double samples, double amplitude, double slowness);

#endif
