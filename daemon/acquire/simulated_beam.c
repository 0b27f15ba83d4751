/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Modes with a joint, integrated by Runge and Kutta from reversal to reversal; the joint remembers where the motion
 * turned (Masing). What identifies joints has equations of its own: here is what it is held against. */

#include "acquire/simulated_beam.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Steps a cycle: the numerical damping ratio is then below 1e-9, the frequency 1e-8 too low. */
static const double steps_a_cycle = 200;

/* Halvings that find a reversal within a step, to a billionth of it. */
enum { HALVINGS = 30 };

/* A motion of so small a share of phi_max is rest: the joint forgets. */
static const double rest_share = 1e-9;

static const double first_blow_s = 1;

/* Roots of cos x cosh x = -1. */
static const double wave_number[BEAM_MODES_MOST] = {1.8751040687119611, 4.6940911329741746, 7.8547574382376126};

double simulated_beam_ratio(size_t mode)
{
    const double over = wave_number[mode] / wave_number[0];
    return over * over;
}

/* 1 at the tip, but for its sign. */
static double shape(size_t mode, double position)
{
    const double k = wave_number[mode], x = k * position;
    const double sigma = (cosh(k) + cos(k)) / (sinh(k) + sin(k));
    const double at_tip = cosh(k) - cos(k) - sigma * (sinh(k) - sin(k));
    return (cosh(x) - cos(x) - sigma * (sinh(x) - sin(x))) / at_tip;
}

/* --- the joint --- */

/* Of a joint that was never moved before. */
static double first_force(const struct simulated_beam_mode *mode, double way)
{
    const double x = fmin(way, mode->phi_max), chi = mode->chi;
    return mode->k_t * x - mode->r * pow(x, chi + 2) / ((chi + 1) * (chi + 2));
}

/* From the latest reversal on: twice the first force of half the way. */
static double joint_force(const struct simulated_beam_mode *mode, double q)
{
    if (!(mode->k_t > 0))
        return 0;
    if (mode->reversals == 0)
        return copysign(first_force(mode, fabs(q)), q);
    const struct simulated_reversal *last = &mode->reversal[mode->reversals - 1];
    return last->force + copysign(2 * first_force(mode, 0.5 * fabs(q - last->at_m)), q - last->at_m);
}

/* A loop that closes goes on as if it had not been: from behind the reversal before the last, or from behind the mirror
 * image of the only one. */
static void close_loops(struct simulated_beam_mode *mode)
{
    bool closes = true;
    while (closes && mode->reversals > 0) {
        const double last = mode->reversal[mode->reversals - 1].at_m;
        const double other = mode->reversals > 1 ? mode->reversal[mode->reversals - 2].at_m : -last;
        closes = fabs(mode->q - last) >= fabs(other - last) && (mode->q - last) * (other - last) > 0;
        if (closes)
            mode->reversals -= mode->reversals > 1 ? 2 : 1;
    }
}

/* One that has no room for a reversal is in the dead of the decay, and forgets the oldest loop. */
static void take_turn(struct simulated_beam_mode *mode)
{
    const struct simulated_reversal reversal = {mode->q, joint_force(mode, mode->q)};
    if (mode->reversals == BEAM_REVERSALS) {
        for (size_t i = 2; i < BEAM_REVERSALS; i++)
            mode->reversal[i - 2] = mode->reversal[i];
        mode->reversals -= 2;
    }
    mode->reversal[mode->reversals++] = reversal;
}

/* --- the motion --- */

/* A half sine. */
static double push_at(const struct simulated_beam *beam, double time_s)
{
    const double gone = (time_s - beam->blow_at_s) / beam->settings->blow_s;
    return gone > 0 && gone < 1 ? beam->blow_strength * sin(M_PI * gone) : 0;
}

static double acceleration_at(const struct simulated_beam_mode *mode, double q, double v, double push)
{
    return push - mode->c * v - mode->k_inf * q - joint_force(mode, q);
}

static void step(const struct simulated_beam *beam, struct simulated_beam_mode *mode, double time_s, double h)
{
    const double push[3] = {push_at(beam, time_s), push_at(beam, time_s + 0.5 * h), push_at(beam, time_s + h)};
    const double q = mode->q, v = mode->v;
    const double a1 = acceleration_at(mode, q, v, push[0]);
    const double v2 = v + 0.5 * h * a1, a2 = acceleration_at(mode, q + 0.5 * h * v, v2, push[1]);
    const double v3 = v + 0.5 * h * a2, a3 = acceleration_at(mode, q + 0.5 * h * v2, v3, push[1]);
    const double v4 = v + h * a3, a4 = acceleration_at(mode, q + h * v3, v4, push[2]);
    mode->q = q + h * (v + 2 * v2 + 2 * v3 + v4) / 6;
    mode->v = v + h * (a1 + 2 * a2 + 2 * a3 + a4) / 6;
}

/* How much of a step goes by until the motion reverses. */
static double until_turn(const struct simulated_beam *beam, const struct simulated_beam_mode *mode, double time_s,
                         double h)
{
    double low = 0, high = h;
    for (int i = 0; i < HALVINGS; i++) {
        struct simulated_beam_mode tried = *mode;
        const double middle = 0.5 * (low + high);
        step(beam, &tried, time_s, middle);
        if (tried.v * mode->direction > 0)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* A step, or as much of it as there is up to a reversal; how much that is. */
static double go(const struct simulated_beam *beam, struct simulated_beam_mode *mode, double time_s, double h)
{
    const struct simulated_beam_mode before = *mode;
    step(beam, mode, time_s, h);
    if (mode->direction == 0)
        mode->direction = mode->v > 0 ? 1 : mode->v < 0 ? -1 : 0;
    if (mode->v * mode->direction >= 0) {
        close_loops(mode);
        return h;
    }
    *mode = before;
    const double part = until_turn(beam, mode, time_s, h);
    step(beam, mode, time_s, part);
    close_loops(mode);
    take_turn(mode);
    mode->direction = -mode->direction;
    return part;
}

static bool rests(const struct simulated_beam *beam, const struct simulated_beam_mode *mode, double until_s)
{
    const double least = rest_share * mode->phi_max, rate = sqrt(mode->k_t + mode->k_inf);
    return until_s <= beam->blow_at_s && hypot(mode->q, mode->v / rate) < least;
}

static void advance_mode(const struct simulated_beam *beam, struct simulated_beam_mode *mode, double until_s)
{
    double time_s = beam->time_s;
    if (rests(beam, mode, until_s)) {
        mode->q = mode->v = mode->acceleration = mode->direction = 0;
        mode->reversals = 0;
        return;
    }
    while (time_s < until_s) {
        const double left = until_s - time_s, gone = go(beam, mode, time_s, fmin(left, mode->step_s));
        time_s = gone < left ? time_s + gone : until_s;
    }
    mode->acceleration = acceleration_at(mode, mode->q, mode->v, push_at(beam, until_s));
}

static void plan_blow(struct simulated_beam *beam, double after_s)
{
    const struct simulated_beam_settings *settings = beam->settings;
    const double low = 1 - settings->spread, high = 1 + settings->spread;
    beam->blow_at_s += after_s * simulated_random_between(beam->random, low, high);
    beam->blow_strength = settings->blow_m_per_s2 * simulated_random_between(beam->random, low, high);
}

void simulated_beam_advance(struct simulated_beam *beam, double time_s)
{
    if (time_s > beam->blow_at_s + beam->settings->blow_s)
        plan_blow(beam, beam->settings->every_s);
    for (size_t r = 0; r < beam->settings->modes; r++)
        advance_mode(beam, &beam->mode[r], time_s);
    beam->time_s = time_s;
}

double simulated_beam_acceleration(const struct simulated_beam *beam, double position)
{
    double sum = 0;
    for (size_t r = 0; r < beam->settings->modes; r++)
        sum += shape(r, position) * beam->mode[r].acceleration;
    return sum;
}

static void init_mode(struct simulated_beam *beam, size_t r)
{
    const struct simulated_beam_settings *settings = beam->settings;
    const double ratio = simulated_beam_ratio(r), omega = 2 * M_PI * settings->frequency_hz * ratio;
    struct simulated_beam_mode *mode = &beam->mode[r];
    *mode = (struct simulated_beam_mode){.k_t = settings->joint_share * omega * omega,
                                         .k_inf = (1 - settings->joint_share) * omega * omega,
                                         .c = 2 * settings->zeta * omega,
                                         .phi_max = settings->phi_max_m / (ratio * ratio),
                                         .chi = settings->chi,
                                         .step_s = 2 * M_PI / omega / steps_a_cycle,
                                         .reversal = beam->room + r * BEAM_REVERSALS};
    mode->r = mode->k_t * (mode->chi + 1) / (pow(mode->phi_max, mode->chi + 1) * (1 + settings->beta));
}

int simulated_beam_init(struct simulated_beam *beam, const struct simulated_beam_settings *settings,
                        struct simulated_random *random)
{
    *beam = (struct simulated_beam){.settings = settings, .random = random};
    if (settings->modes == 0)
        return 0;
    beam->room = calloc(settings->modes * (size_t)BEAM_REVERSALS, sizeof *beam->room);
    if (!beam->room)
        return -ENOMEM;
    for (size_t r = 0; r < settings->modes; r++)
        init_mode(beam, r);
    plan_blow(beam, first_blow_s);
    return 0;
}

void simulated_beam_clear(struct simulated_beam *beam)
{
    free(beam->room);
    beam->room = NULL;
}
