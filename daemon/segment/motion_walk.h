/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_MOTION_WALK_H
#define FRICID_SEGMENT_MOTION_WALK_H

#include "motion/half_cycle_law.h"
#include "segment/spiral.h"

#include <math.h>
#include <stdbool.h>

enum motion_parameter {
    MOTION_START,  /* half periods, as are all times here */
    MOTION_LENGTH, /* of a half cycle */
    MOTION_BETA,
    MOTION_CENTRE,
    MOTION_X0,
    MOTION_X_K, /* with the sign of X_0 */
    MOTION_SLOPE,
    MOTION_PARAMETERS
};

/* Turns that differ by less than this, radians, are the same but for rounding. */
#define SAME_TURN 1e-12

/* A motion that is walked along from half cycle to half cycle. */
struct motion_walk {
    const double *parameter;
    double averaging_gain, q;
    double half;                  /* the half cycle that it is in */
    struct law_extremum extremum; /* from which that starts; X_0 counts as on the side of 1 */
    double stops;                 /* the half cycle that is not begun any more; INFINITY: none */
    /* The spiral since the first extremum, its latest turn, and the factor that makes it the one since the latest
     * extremum. */
    double angle, turned, spiral_scale;
    struct spiral spiral, turn;
};

/* The derivatives of a displacement by X_0 and by x_k in the half cycle that starts from an extremum: g is that of
 * motion/half_cycle_law.h, where the motion itself stands. */
static inline double motion_per_x0(const struct law_extremum *from, double g)
{
    return from->per_x0 * g;
}

static inline double motion_per_x_k(const struct law_extremum *from, double g)
{
    return (from->per_x_k - from->sigma) * g + from->sigma;
}

static inline struct motion_walk motion_walk_begin(const double parameter[MOTION_PARAMETERS], double averaging_gain)
{
    return (struct motion_walk){.parameter = parameter,
                                .averaging_gain = averaging_gain,
                                .q = law_q(parameter[MOTION_BETA]),
                                .extremum = {.sigma = 1, .x = parameter[MOTION_X0], .per_x0 = 1},
                                .stops = INFINITY,
                                .turned = NAN,
                                .spiral_scale = 1,
                                .spiral = {1, 0}};
}

/* Turns the spiral on. Times at even distances need one turn for all. */
static inline struct spiral motion_walk_turn(struct motion_walk *walk, double angle)
{
    double by = angle - walk->angle;
    if (!(fabs(by - walk->turned) < SAME_TURN)) {
        walk->turn = spiral_at(by, walk->parameter[MOTION_BETA]);
        walk->turned = by;
    }
    walk->angle = angle;
    walk->spiral = spiral_turned(walk->spiral, walk->turn);
    return (struct spiral){walk->spiral.cosine * walk->spiral_scale, walk->spiral.sine * walk->spiral_scale};
}

static inline void motion_walk_on(struct motion_walk *walk)
{
    walk->extremum = law_next_extremum(&walk->extremum, walk->q, walk->parameter[MOTION_X_K]);
    walk->spiral_scale /= -walk->q;
    walk->half++;
}

/* It tells whether friction holds the mass at the extremum that the walk has come to. */
static inline bool motion_walk_is_held(const struct motion_walk *walk)
{
    const double *p = walk->parameter;
    double side = p[MOTION_X0] < 0 ? -1 : 1;
    return side * (walk->extremum.sigma * walk->extremum.x - p[MOTION_X_K]) <= 0;
}

/* Displacement and its derivatives at a time; times must come in order. */
static inline double motion_walk_to(struct motion_walk *walk, double at, double gradient[MOTION_PARAMETERS])
{
    const double *p = walk->parameter;
    double beta = p[MOTION_BETA], length = p[MOTION_LENGTH], u = (at - p[MOTION_START]) / length;
    while (u >= walk->half + 1 && walk->half < walk->stops)
        motion_walk_on(walk);
    const struct law_extremum *x = &walk->extremum;
    bool moves = walk->half < walk->stops;
    double theta = moves ? M_PI * (u - walk->half) : 0, averaging_gain = moves ? walk->averaging_gain : 1;
    struct spiral here = moves ? motion_walk_turn(walk, M_PI * u) : (struct spiral){1, 0};
    double g = averaging_gain * (here.cosine + beta * here.sine),
           g_theta = -averaging_gain * (1 + beta * beta) * here.sine;
    double g_beta = averaging_gain * here.sine - theta * g, from_centre = x->x - x->sigma * p[MOTION_X_K];
    double y_u = moves ? M_PI * from_centre * g_theta : 0;
    gradient[MOTION_START] = -y_u / length;
    gradient[MOTION_LENGTH] = -u * y_u / length;
    gradient[MOTION_BETA] = from_centre * g_beta + x->per_beta * g;
    gradient[MOTION_CENTRE] = 1;
    gradient[MOTION_X0] = motion_per_x0(x, g);
    gradient[MOTION_X_K] = motion_per_x_k(x, g);
    gradient[MOTION_SLOPE] = at;
    return p[MOTION_CENTRE] + from_centre * g + x->sigma * p[MOTION_X_K] + p[MOTION_SLOPE] * at;
}

#endif
