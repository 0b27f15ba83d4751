/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/deferred_correction.h"

#include "identify/ring_down/joint_motion.h"

#include <errno.h>
#include <math.h>

/* A turning point that seems to lie so little after time 0, in radians, lies there: of a record that begins as the mode
 * is let go, the fit sees it on either side, and a joint that was loaded half a cycle earlier is not quite as strained.
 */
#define PHASE_OF_RELEASE 1e-3

/* The natural logarithm of an amplitude over the first, below which the correction, a share of it, is not told from the
 * integrator's errors: a billionth. */
#define NOTHING_LEFT -20.7

/* After so many samples, which take less than a second, somebody may have asked to stop. */
enum { LOOK_UP = 256 };

/* The exact motion begins where the slow flow had its last turning point before time 0. */
struct beginning {
    double time_s, displacement;
};

static struct beginning last_turn(const struct law_rates *rates, double complex amplitude)
{
    /* q = A cos theta is at rest where tan theta = -alpha/omega. */
    const double lead = atan(rates->alpha / rates->omega), phase = carg(amplitude) + lead;
    const double gone = phase - M_PI * floor((phase + PHASE_OF_RELEASE) / M_PI), time_s = -gone / rates->omega;
    const double size = cabs(amplitude) * exp(-rates->alpha * time_s);
    return (struct beginning){time_s, size * cos(carg(amplitude) - gone)};
}

static double seen(const struct joint_state *at, enum sensed sensed)
{
    return sensed == SENSED_DISPLACEMENT ? at->displacement
           : sensed == SENSED_VELOCITY   ? at->velocity
                                         : at->acceleration;
}

/* What came to rest has no motion left, but a displacement at which it rests. */
static void stay_at_rest(enum sensed sensed, size_t from, size_t count, double *correction)
{
    const double rest = sensed == SENSED_DISPLACEMENT && from > 0 ? correction[from - 1] : 0;
    for (size_t i = from; i < count; i++)
        correction[i] = rest;
}

static int exact_less_slow(const struct slow_flow *flow, struct joint_motion *motion, double begin_s,
                           double complex amplitude, enum sensed sensed, double first_s, double period_s, size_t count,
                           const atomic_bool *cancel, double *correction)
{
    size_t hint = 0, i = 0;
    for (; i < count; i++) {
        if (i % LOOK_UP == 0 && cancel && atomic_load(cancel))
            return -ECANCELED;
        const double time_s = first_s + period_s * (double)i;
        if (slow_flow_amplitude(flow, time_s, &hint) < NOTHING_LEFT)
            break;
        struct joint_state at;
        const int error = joint_motion_to(motion, time_s - begin_s, &at);
        if (error)
            return error;
        correction[i] = seen(&at, sensed) - creal(amplitude * cexp(slow_flow_at(flow, time_s, &hint, NULL)));
    }
    stay_at_rest(sensed, i, count, correction);
    return 0;
}

int deferred_correction(const struct amplitude_law *law, double complex amplitude, enum sensed sensed, double first_s,
                        double period_s, size_t count, const atomic_bool *cancel, double *correction)
{
    struct law_rates rates;
    if (!law->rates(law, 0, &rates) || !(cabs(amplitude) > 0))
        return -ERANGE;
    const struct beginning begin = last_turn(&rates, amplitude);
    const struct modal_iwan mode = law->joint(law, cabs(amplitude));
    struct joint_motion *motion = joint_motion_create(&mode, begin.displacement, 0);
    struct slow_flow *flow = slow_flow_create();
    int error = motion && flow ? 0 : -ENOMEM;
    if (!error && !slow_flow_follow(flow, law, sensed, first_s + period_s * (double)count))
        error = -ERANGE;
    if (!error)
        error = exact_less_slow(flow, motion, begin.time_s, amplitude, sensed, first_s, period_s, count, cancel,
                                correction);
    joint_motion_free(motion);
    slow_flow_free(flow);
    return error;
}
