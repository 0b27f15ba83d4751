/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How a person pulls the mass aside: smoothly, trembling, not twice alike, and with a little velocity left when
 * letting go. All of it is what the segmenter must see through. */

#include "acquire/simulated_hand.h"

#include <math.h>

/* Physiological tremor of an outstretched arm, Hz. */
static const double lowest_tremor_hz = 8, highest_tremor_hz = 12;

/* People are not clocks: relative scatter of how long they pull and hold. */
static const double time_scatter = 0.2;

/* Pulls further from the mean than this many standard deviations are not made. */
static const double pull_limit = 2;

/* All of the pull's chance is drawn at once, so that asking for its displacement changes nothing. */
struct simulated_pull simulated_pull_plan(const struct simulated_hand *hand, struct simulated_random *random,
                                          double start_s, double from_m)
{
    double distance = hand->pull_m * (1 + simulated_random_normal_within(random, hand->pull_spread, pull_limit));
    struct simulated_pull pull = {.start_s = start_s, .from_m = from_m, .tremor_m = hand->tremor_m};
    pull.to_m = simulated_random_sign(random) * distance;
    pull.pull_s = hand->pull_s * simulated_random_between(random, 1 - time_scatter, 1 + time_scatter);
    pull.hold_s = hand->hold_s * simulated_random_between(random, 1 - time_scatter, 1 + time_scatter);
    pull.tremor_rad_per_s = 2 * M_PI * simulated_random_between(random, lowest_tremor_hz, highest_tremor_hz);
    pull.tremor_phase = simulated_random_between(random, 0, 2 * M_PI);
    pull.release_velocity_m_per_s = simulated_random_normal_within(random, hand->release_velocity_m_per_s, pull_limit);
    return pull;
}

double simulated_pull_release_s(const struct simulated_pull *pull)
{
    return pull->start_s + pull->pull_s + pull->hold_s;
}

/* How far the pull has come, 0 to 1: the reach of minimum jerk (Flash, Hogan 1985). */
static double progress(double share)
{
    if (share >= 1)
        return 1;
    return share * share * share * (10 + share * (-15 + share * 6));
}

/* The derivative of progress(), for the velocity at release. */
static double progress_rate(double share)
{
    if (share >= 1)
        return 0;
    double left = share * (1 - share);
    return 30 * left * left;
}

double simulated_pull_displacement(const struct simulated_pull *pull, double time_s)
{
    double elapsed = time_s - pull->start_s;
    double grip = progress(elapsed / pull->pull_s);
    /* The tremor grows with the grip, so that the motion begins without a jump. */
    double tremor = pull->tremor_m * sin(pull->tremor_rad_per_s * elapsed + pull->tremor_phase);
    return pull->from_m + (pull->to_m - pull->from_m + tremor) * grip;
}

double simulated_pull_velocity(const struct simulated_pull *pull, double time_s)
{
    double elapsed = time_s - pull->start_s;
    double share = elapsed / pull->pull_s;
    double angle = pull->tremor_rad_per_s * elapsed + pull->tremor_phase;
    double reach = pull->to_m - pull->from_m + pull->tremor_m * sin(angle);
    return reach * progress_rate(share) / pull->pull_s +
           pull->tremor_m * pull->tremor_rad_per_s * cos(angle) * progress(share);
}
