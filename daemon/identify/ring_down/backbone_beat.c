/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/backbone_beat.h"

#include <math.h>

/* So many standard errors are chance in none of a thousand backbones. */
#define BEYOND_ERRORS 4.0
/* The damping changes by that share at the least: what is left of hum and of other modes bends it by less. */
#define LEAST_SHARE 0.1

static bool has_more_damping(const struct backbone_point *more, const struct backbone_point *less)
{
    return more->zeta > (1 + LEAST_SHARE) * less->zeta &&
           more->zeta - less->zeta > BEYOND_ERRORS * hypot(more->se_zeta, less->se_zeta);
}

/* Whether the frequency moves from the first point to the one at a smaller amplitude, and not up by as much as the
 * damping ratio, which is larger there. */
static bool frequency_says_no_joint(const struct backbone_point *first, const struct backbone_point *later)
{
    const double rise = later->omega - first->omega;
    return fabs(rise) > BEYOND_ERRORS * hypot(first->se_omega, later->se_omega) &&
           rise < (later->zeta - first->zeta) * first->omega;
}

/* Whether the damping has risen at this point otherwise than by a joint. falls: whether it had fallen there. */
static bool rises_without_joint(const struct backbone_point *points, size_t at, bool *fell)
{
    bool rose = false;
    for (size_t i = 0; i < at; i++) {
        fell[at] = fell[at] || has_more_damping(&points[i], &points[at]);
        rose = rose || (has_more_damping(&points[at], &points[i]) &&
                        (fell[i] || frequency_says_no_joint(&points[i], &points[at])));
    }
    return rose;
}

bool backbone_beats(const struct backbone_point *points, size_t count)
{
    bool fell[BACKBONE_POINTS] = {false}, beats = false;
    for (size_t at = 0; at < count; at++)
        beats = beats || rises_without_joint(points, at, fell);
    return beats;
}
