/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Between its turning points a joint's force is a smooth function of the displacement but for the power law at their
 * beginning. An integrator of order 8 with controlled steps goes from one to the next; the step that would pass a
 * turning point, or the closing of a loop, is shortened until it ends there. */

#include "identify/ring_down/joint_motion.h"

#include <errno.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Of an error a step, over the first amplitude: far below what any record resolves, far above rounding. */
#define TOLERANCE 1e-12

/* Of a step, in radians of small motions. At a turning point, where the force is least smooth, steps of 1e-3 do; a
 * motion that wants shorter ones than this runs away. */
#define SHORTEST_STEP 1e-8

/* Of steps on the way to a time: a hundred times as many as motions from beyond macroslip take. */
#define STEPS_A_RADIAN 1000.0
#define STEPS_AT_A_TURN 1000.0

struct turning_point {
    double displacement, force;
};

struct joint_motion {
    struct modal_iwan mode;
    double omega_0;
    double time_s, state[2], step_s;      /* displacement and velocity; the step that suits now */
    double direction;                     /* of the branch, 1 or -1 */
    struct turning_point *turning_points; /* those whose loop is open, the latest last; none: the virgin curve */
    size_t turning_point_count, turning_point_room;
    gsl_odeiv2_step *stepper;
    gsl_odeiv2_control *control;
    gsl_odeiv2_system system;
};

/* Masing: with a turning point behind it, the branch is the virgin curve twice as large. */
static double joint_force(const struct joint_motion *motion, double u)
{
    if (motion->turning_point_count == 0)
        return copysign(modal_iwan_virgin_force(&motion->mode, fabs(u)), u);
    const struct turning_point *from = &motion->turning_points[motion->turning_point_count - 1];
    const double gone = fmax(motion->direction * (u - from->displacement), 0);
    return from->force + motion->direction * 2 * modal_iwan_virgin_force(&motion->mode, gone / 2);
}

static double acceleration(const struct joint_motion *motion, const double state[2])
{
    return -motion->mode.c * state[1] - motion->mode.k_inf * state[0] - joint_force(motion, state[0]);
}

static int right_hand_side(double time_s, const double state[], double rate[], void *params)
{
    (void)time_s;
    rate[0] = state[1];
    rate[1] = acceleration(params, state);
    return GSL_SUCCESS;
}

/* The two ends that a branch can have. */
enum branch_end { END_TURN, END_CLOSED_LOOP };

/* Above 0 beyond that end of the branch; rate: how fast it rises. */
static double beyond(const struct joint_motion *motion, enum branch_end end, const double state[2], double *rate)
{
    const struct turning_point *turning_points = motion->turning_points;
    const size_t count = motion->turning_point_count;
    if (end == END_TURN) {
        *rate = -motion->direction * acceleration(motion, state);
        return -motion->direction * state[1];
    }
    *rate = motion->direction * state[1];
    if (count == 0)
        return -1;
    /* The branch of the first turn ends on the virgin curve of the other side. */
    const double to = count > 1 ? turning_points[count - 2].displacement : -turning_points[0].displacement;
    return motion->direction * (state[0] - to);
}

static int take_step(struct joint_motion *motion, double length_s, double to[2], double error[2])
{
    memcpy(to, motion->state, sizeof motion->state);
    return gsl_odeiv2_step_apply(motion->stepper, motion->time_s, length_s, to, error, NULL, NULL, &motion->system);
}

/* Shortens a step to where that end of the branch is: Newton's method inside the bracket. */
static void shorten_to(struct joint_motion *motion, enum branch_end end, double *length_s, double to[2])
{
    double before_s = 0, behind_s = *length_s, error[2], rate;
    for (int i = 0; i < 60; i++) {
        const double excess = beyond(motion, end, to, &rate);
        *(excess > 0 ? &behind_s : &before_s) = *length_s;
        double next = rate != 0 ? *length_s - excess / rate : behind_s;
        if (!(next > before_s && next < behind_s))
            next = 0.5 * (before_s + behind_s);
        if (fabs(next - *length_s) <= 1e-15 * motion->step_s)
            return;
        *length_s = next;
        take_step(motion, next, to, error);
    }
}

static int add_turn(struct joint_motion *motion)
{
    if (motion->turning_point_count == motion->turning_point_room) {
        const size_t room = 2 * motion->turning_point_room + 16;
        struct turning_point *more = realloc(motion->turning_points, room * sizeof *more);
        if (!more)
            return -ENOMEM;
        motion->turning_points = more;
        motion->turning_point_room = room;
    }
    const struct turning_point here = {motion->state[0], joint_force(motion, motion->state[0])};
    motion->turning_points[motion->turning_point_count++] = here;
    motion->direction = -motion->direction;
    motion->state[1] = 0;
    return 0;
}

struct joint_motion *joint_motion_create(const struct modal_iwan *mode, double displacement, double velocity)
{
    struct joint_motion *motion = calloc(1, sizeof *motion);
    if (!motion)
        return NULL;
    const double omega_0 = sqrt(mode->k_t + mode->k_inf), size = hypot(displacement, velocity / omega_0);
    const double scale[2] = {1, omega_0};
    motion->mode = *mode;
    motion->omega_0 = omega_0;
    motion->state[0] = displacement;
    motion->state[1] = velocity;
    motion->step_s = 0.1 / omega_0;
    motion->direction = velocity != 0 ? copysign(1, velocity) : copysign(1, displacement);
    motion->system = (gsl_odeiv2_system){right_hand_side, NULL, 2, motion};
    motion->stepper = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, 2);
    motion->control = gsl_odeiv2_control_scaled_new(TOLERANCE * size, 0, 1, 0, scale, 2);
    /* Let go from rest, the motion begins with a turn. */
    if (motion->stepper && motion->control && (velocity != 0 || add_turn(motion) == 0))
        return motion;
    joint_motion_free(motion);
    return NULL;
}

void joint_motion_free(struct joint_motion *motion)
{
    if (!motion)
        return;
    if (motion->stepper)
        gsl_odeiv2_step_free(motion->stepper);
    if (motion->control)
        gsl_odeiv2_control_free(motion->control);
    free(motion->turning_points);
    free(motion);
}

/* One step, at the longest to the time or to the end of the branch. turned: receives whether it ended at a turn. */
static int advance(struct joint_motion *motion, double latest_s, bool *turned)
{
    double to[2], error[2], length_s = fmin(motion->step_s, latest_s - motion->time_s), rate;
    const bool whole = length_s == motion->step_s;
    double suits_s = motion->step_s;
    for (;;) {
        double rates[2];
        if (!(motion->time_s + length_s > motion->time_s) || take_step(motion, length_s, to, error) != GSL_SUCCESS)
            return -ERANGE;
        right_hand_side(0, to, rates, motion);
        double next_s = length_s;
        const int change = gsl_odeiv2_control_hadjust(motion->control, motion->stepper, to, error, rates, &next_s);
        suits_s = whole || next_s < length_s ? next_s : fmax(next_s, motion->step_s);
        if (change != GSL_ODEIV_HADJ_DEC)
            break;
        if (!(next_s * motion->omega_0 > SHORTEST_STEP))
            return -ERANGE;
        length_s = next_s;
    }
    *turned = beyond(motion, END_TURN, to, &rate) > 0;
    if (*turned)
        shorten_to(motion, END_TURN, &length_s, to);
    const bool closed = beyond(motion, END_CLOSED_LOOP, to, &rate) > 0;
    if (closed)
        shorten_to(motion, END_CLOSED_LOOP, &length_s, to);
    *turned = *turned && !closed;
    motion->time_s += length_s;
    motion->step_s = suits_s;
    memcpy(motion->state, to, sizeof to);
    if (closed)
        motion->turning_point_count -= motion->turning_point_count > 1 ? 2 : 1;
    return *turned ? add_turn(motion) : 0;
}

static void tell(const struct joint_motion *motion, struct joint_state *at)
{
    *at = (struct joint_state){motion->time_s, motion->state[0], motion->state[1], acceleration(motion, motion->state)};
}

/* How many steps may lead to that time. */
static double steps_to(const struct joint_motion *motion, double time_s)
{
    return STEPS_AT_A_TURN + STEPS_A_RADIAN * motion->omega_0 * fmax(time_s - motion->time_s, 0);
}

int joint_motion_to(struct joint_motion *motion, double time_s, struct joint_state *at)
{
    double left = steps_to(motion, time_s);
    bool turned;
    int error = 0;
    while (!error && motion->time_s < time_s)
        error = left-- > 0 ? advance(motion, time_s, &turned) : -ERANGE;
    tell(motion, at);
    return error;
}

int joint_motion_to_turn(struct joint_motion *motion, double latest_s, struct joint_state *at)
{
    double left = steps_to(motion, latest_s);
    bool turned = false;
    int error = 0;
    while (!error && !turned && motion->time_s < latest_s)
        error = left-- > 0 ? advance(motion, latest_s, &turned) : -ERANGE;
    tell(motion, at);
    return error ? error : turned ? 0 : 1;
}
