/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Integrators of libraries want derivatives. What a contact remembers follows from a way by rules instead, of springs
 * that slip among others; they stand in friction_model.c alone. So a step looks for the velocity at its end with which
 * the trapezoidal rule holds, and asks the contact for its force there. That rule is stable however stiff the contact
 * is. */

#include "identify/loop/contact_motion.h"

#include <math.h>

/* Two half steps and the whole one agree as well as that: in the friction as a share of what the contact holds at most,
 * in the velocity of that with which the mass rebounds from the bristles, or of its own. With it the step-converged
 * values of the literature come out to their last digit, for some hundred steps a slip. */
static const double tolerance = 1e-8;

/* A velocity is found when it changes by no more than that share of the tolerance. */
static const double near_enough = 1e-3;

/* A contact without presliding sticks on bristles so stiff that the mass rings so many times between two samples. */
enum { RINGS_A_SAMPLE = 10 };

/* A mass that rings on its contact more often between two samples is followed for hours, and tells nothing that its
 * force alone does not. */
enum { RINGS_MOST = 1000 };

/* Newton's way takes fewer; a step that takes more is too long. One of 2^-60 of an interval moves nothing. */
enum { TRIES_MOST = 30, HALVINGS_MOST = 60, STEPS_BETWEEN_LOOKS = 1024 };

struct mover {
    struct friction_model model;
    const struct contact_push *push;
    double level;    /* that the contact holds at most */
    double velocity; /* with which the mass rebounds from the bristles */
    double next_s;   /* the step that is likely to do */
    size_t interval; /* the sample at whose force the present step begins or began */
};

static double interval_of(const struct contact_push *push)
{
    return (push->time_s[push->count - 1] - push->time_s[0]) / (double)(push->count - 1);
}

/* One that is rigid would have to hold any force at rest, which the rules of a way cannot say. */
static void soften(struct mover *mover)
{
    struct friction_model *model = &mover->model;
    const struct contact_push *push = mover->push;
    if (model->element_count > 0 || model->shape != FRICTION_RIGID)
        return;
    const double rate = 2 * M_PI * RINGS_A_SAMPLE / interval_of(push);
    model->shape = FRICTION_ELASTOPLASTIC; /* it does not creep */
    model->shape_parameters.z_ba = 0.9;
    model->x_d = model->f_c / (push->mass * rate * rate);
    model->sigma_1 = 0.2 * push->mass * rate; /* nor does it ring for long */
}

static void take_scales(struct mover *mover)
{
    const struct friction_model *model = &mover->model;
    double stiffness = 0;
    for (size_t i = 0; i < model->element_count; i++) {
        mover->level += model->elements[i].slip_force;
        stiffness += model->elements[i].slip_force / model->elements[i].slip_length;
    }
    if (model->element_count == 0) {
        mover->level = model->f_c * fmax(friction_level_towards(model, 0, 1), friction_level_towards(model, 0, -1));
        stiffness = model->f_c / model->x_d;
    }
    mover->velocity = mover->level / sqrt(stiffness * mover->push->mass);
}

static bool rings_too_often(const struct mover *mover)
{
    const double rate = mover->level / (mover->push->mass * mover->velocity);
    return !(rate / (2 * M_PI) * interval_of(mover->push) <= RINGS_MOST);
}

static double force_at(const struct mover *mover, double time_s)
{
    const struct contact_push *push = mover->push;
    const size_t i = mover->interval;
    const double part = (time_s - push->time_s[i]) / (push->time_s[i + 1] - push->time_s[i]);
    return push->force[i] + part * (push->force[i + 1] - push->force[i]);
}

/* The momentum that a step lacks where it ends with that velocity; where it then ends into *to. */
static double lack(const struct mover *mover, const struct contact_place *from, double time_s, double velocity,
                   struct contact_place *to)
{
    const double time = time_s - from->at.time_s;
    const double push = force_at(mover, from->at.time_s) + force_at(mover, time_s);
    /* From 0 on: a way that is short beside the displacement would drown in its rounding. */
    const struct contact_sample ends[2] = {{from->at.time_s, 0, from->at.velocity},
                                           {time_s, time / 2 * (from->at.velocity + velocity), velocity}};
    double friction[2];
    struct friction_model here = mover->model;
    here.path_middle -= from->at.displacement;
    to->at = ends[1];
    to->at.displacement += from->at.displacement;
    to->state = from->state;
    friction_force(&here, ends, 2, 1, &to->state, friction);
    to->friction = friction[1] + mover->model.k_x * from->at.displacement;
    return mover->push->mass * (velocity - from->at.velocity) - time / 2 * (push - from->friction - to->friction);
}

/* By secants from the velocity at the beginning. False: the step is too long for them. */
static bool step_to(const struct mover *mover, const struct contact_place *from, double time_s,
                    struct contact_place *to)
{
    double before = from->at.velocity, lacked = lack(mover, from, time_s, before, to);
    double velocity = before - lacked / mover->push->mass;
    for (int tries = 0; tries < TRIES_MOST && velocity != before; tries++) {
        const double lacks = lack(mover, from, time_s, velocity, to);
        const double next = lacks == lacked ? velocity : velocity - lacks * (velocity - before) / (lacks - lacked);
        const double change = fabs(next - velocity);
        if (change <= near_enough * tolerance * (mover->velocity + fabs(velocity)))
            return true;
        before = velocity;
        lacked = lacks;
        velocity = next;
    }
    return velocity == before && isfinite(velocity);
}

/* In units of the tolerance; infinite where a step was not possible. */
static double error_between(const struct mover *mover, const struct contact_place *coarse,
                            const struct contact_place *fine)
{
    const double velocity = fabs(coarse->at.velocity - fine->at.velocity);
    const double of_velocity = velocity / (mover->velocity + fabs(fine->at.velocity));
    const double of_friction = fabs(coarse->friction - fine->friction) / mover->level;
    const double error = fmax(of_velocity, of_friction) / tolerance;
    return isfinite(error) ? error : INFINITY;
}

/* A step to `until` or less far, as long as it is right; the next one's length with it. False: none is. */
static bool advance(struct mover *mover, struct contact_place *place, double until)
{
    struct contact_place whole, middle, end;
    const double from = place->at.time_s;
    double time = fmin(mover->next_s, until - from);
    for (int halvings = 0; halvings < HALVINGS_MOST; halvings++) {
        /* No shorter rest than half a step stays behind. */
        const double to = from + time >= until - time / 2 ? until : from + time, half = from + (to - from) / 2;
        const bool done = step_to(mover, place, to, &whole) && step_to(mover, place, half, &middle) &&
                          step_to(mover, &middle, to, &end);
        const double error = done ? error_between(mover, &whole, &end) : INFINITY;
        /* The error grows with the cube of the length. */
        const double factor = 0.9 / cbrt(fmax(error, 1e-3));
        if (error <= 1) {
            mover->next_s = (to - from) * fmax(0.5, factor);
            *place = end;
            return true;
        }
        time = (to - from) * fmin(0.5, fmax(0.1, factor));
        if (!(from + time / 2 > from))
            return false;
    }
    return false;
}

static enum verdict move_to(struct mover *mover, const atomic_bool *cancel, struct contact_place *place, double until)
{
    for (size_t steps = 1; place->at.time_s < until; steps++) {
        if (!advance(mover, place, until))
            return VERDICT_NOT_CONVERGED;
        if (steps % STEPS_BETWEEN_LOOKS == 0 && cancel && atomic_load(cancel))
            return VERDICT_CANCELLED;
    }
    return VERDICT_OK;
}

enum verdict contact_motion(const struct friction_model *model, const struct contact_push *push,
                            const atomic_bool *cancel, struct contact_place *place, struct contact_sample *motion,
                            double *friction)
{
    struct mover mover = {.model = *model, .push = push};
    enum verdict verdict = VERDICT_OK;
    if (push->count < 2)
        return VERDICT_TOO_FEW_SAMPLES;
    soften(&mover);
    take_scales(&mover);
    if (rings_too_often(&mover))
        return VERDICT_NOT_CONVERGED;
    place->at.time_s = push->time_s[0];
    friction_force(&mover.model, &place->at, 1, 1, &place->state, &place->friction);
    for (size_t i = 0; i < push->count && verdict == VERDICT_OK; i++) {
        if (i > 0) {
            mover.interval = i - 1;
            mover.next_s = fmax(mover.next_s, (push->time_s[i] - push->time_s[i - 1]) / (1 << 10));
            verdict =
                cancel && atomic_load(cancel) ? VERDICT_CANCELLED : move_to(&mover, cancel, place, push->time_s[i]);
        }
        motion[i] = place->at;
        friction[i] = place->friction;
    }
    return verdict;
}
