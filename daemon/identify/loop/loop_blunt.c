/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_blunt.h"

#include "identify/loop/loop_corner.h"
#include "identify/loop/loop_window.h"

#include <math.h>
#include <stdbool.h>

/* Ten means are looked at of each record. Of as few corners as these noise alone brings one in 1300 beyond so many of
 * its standard errors, of many hardly any. */
static const double certain = 5;
enum { CORNERS_LEAST = 8 };

/* A smaller area, in swings times cycles, is rounding. */
static const double rounding = 1e-12;

/* A cut that is level takes as long as the lines are apart there: half of that is within this share of the time that is
 * left out of the lines. */
static const double within = 0.75;

/* Of a parabola that goes over into the lines, 0.87 times as much is cut off as of a level with the same area. */
static const double of_shape = 0.1;

/* What corners together tell; displacements in swings, times in cycles. */
struct tally {
    double corners, area, squares; /* area: mean; squares: sum of those of what single ones differ from it */
    double width, apart;           /* means */
};

static void add(const struct loop_signal *signal, const struct loop_reversal *reversal, double apart,
                struct tally *tally)
{
    const struct loop_half_cycle *half = &reversal->half;
    const double apart_s = apart * reversal->reach_s;
    struct loop_window window;
    struct loop_cut cut;
    if (!reversal->corner || !loop_window_about(signal, half, reversal->sample, reversal->reach_s, &window) ||
        !loop_cut_fit(signal, &window, apart_s, &cut))
        return;
    const double area = cut.area / (half->swing * half->cycle_s), away = area - tally->area;
    tally->area += away / ++tally->corners;
    tally->squares += away * (area - tally->area);
    tally->width += (cut.width_s * half->swing / half->cycle_s - tally->width) / tally->corners;
    tally->apart += (apart_s / half->cycle_s - tally->apart) / tally->corners;
}

/* In standard errors of the mean. 0: it is none that a cut has. */
static double certainty_of(const struct tally *tally)
{
    if (tally->corners < CORNERS_LEAST || !(tally->area > rounding))
        return 0;
    const double lasts = sqrt(2 * tally->area * tally->width);
    return 0.5 * lasts <= within * tally->apart
               ? tally->area / sqrt(tally->squares / (tally->corners - 1) / tally->corners)
               : 0;
}

/* A triangle of that area between the lines has this height: a level is so far below where these cross. */
static double height_of(const struct tally *tally)
{
    return sqrt(2 * tally->area / tally->width);
}

/* By lines through samples that may be nearer and nearer to the corner: what is cut off is told best where hardly more
 * than it is left out of them. */
void loop_blunt_find(const struct loop_signal *signal, struct loop_reversals *reversals)
{
    static const double aparts[] = {0.6, 0.4, 0.27, 0.18, 0.12, 0.08, 0.05, 0.03, 0.02, 0.012};
    double surest = certain, height = 0, apart = 0;
    for (size_t a = 0; a < sizeof aparts / sizeof *aparts; a++) {
        struct tally tally = {.corners = 0};
        for (size_t k = 0; k < reversals->count; k++)
            add(signal, &reversals->reversal[k], aparts[a], &tally);
        const double certainty = certainty_of(&tally);
        if (certainty > surest) {
            surest = certainty;
            height = height_of(&tally);
            apart = aparts[a];
        }
    }
    for (size_t k = 0; k < reversals->count; k++) {
        struct loop_reversal *reversal = &reversals->reversal[k];
        reversal->cut = reversal->corner ? height * reversal->half.swing : 0;
        reversal->cut_u = reversal->cut * hypot(of_shape, 0.5 / surest);
        reversal->apart_s = reversal->corner ? apart * reversal->reach_s : 0;
    }
}
