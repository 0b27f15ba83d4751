/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_stillness.h"

#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stddef.h>

/* Of the range of displacements, in either direction. */
static const double way_share = 0.5;

/* How far a displacement went up from where it was lowest, and down from where it was highest. */
struct ways {
    double lowest, highest, up, down;
};

static struct ways ways_from(double displacement)
{
    return (struct ways){displacement, displacement, 0, 0};
}

static void go_on(struct ways *ways, double displacement)
{
    ways->lowest = fmin(ways->lowest, displacement);
    ways->highest = fmax(ways->highest, displacement);
    ways->up = fmax(ways->up, displacement - ways->lowest);
    ways->down = fmax(ways->down, ways->highest - displacement);
}

bool loop_force_stands_still(const struct loop_signal *signal)
{
    const double *x = signal->displacement, *force = signal->force;
    double lowest, highest;
    gsl_stats_minmax(&lowest, &highest, x, 1, signal->count);
    const double far = way_share * (highest - lowest);
    struct ways ways = ways_from(x[0]);
    bool still = false;
    for (size_t i = 1; i < signal->count && !still; i++) {
        const double change = force[i] - force[i - 1];
        if (change < 0 || change > 0)
            ways = ways_from(x[i]);
        go_on(&ways, x[i]);
        still = ways.up > far && ways.down > far;
    }
    return still;
}

/* So many samples behind a turn, and so many turns; a sample between two may be the turn. */
enum { PAST_SAMPLES = 3, PAST_TURNS = 2 };

/* It came back by more than its noise, and than this share of its range, which no rounding is. */
static const double back_noise = 6, back_share = 1e-6;

/* The farthest sample so far of those on end whose force is the same, and how many behind it are on their way back. */
struct turn {
    bool upper;
    size_t farthest, past;
};

static void pass(const struct loop_signal *signal, double back, double late_s, size_t i, struct turn *turn)
{
    const double side = turn->upper ? 1 : -1, *x = signal->displacement;
    if (side * (x[i] - x[turn->farthest]) >= 0)
        *turn = (struct turn){turn->upper, i, 0};
    else if (side * (x[turn->farthest] - x[i]) > back && signal->time_s[i] - signal->time_s[turn->farthest] > late_s)
        turn->past++;
}

/* Those from `begin` to before `end`; how it came to the turn has to be among them, too. */
static bool turns_among(const struct loop_signal *signal, double back, double late_s, size_t begin, size_t end)
{
    struct turn turns[2] = {{true, begin, 0}, {false, begin, 0}};
    bool past = false;
    for (size_t i = begin + 1; i < end; i++)
        for (int k = 0; k < 2; k++) {
            pass(signal, back, late_s, i, &turns[k]);
            past = past || (turns[k].past >= PAST_SAMPLES && turns[k].farthest > begin);
        }
    return past;
}

bool loop_force_stands_past_turns(const struct loop_signal *signal, double late_s)
{
    const double *force = signal->force;
    double lowest, highest, least, most;
    gsl_stats_minmax(&lowest, &highest, force, 1, signal->count);
    gsl_stats_minmax(&least, &most, signal->displacement, 1, signal->count);
    const double back = fmax(back_noise * signal->noise_displacement, back_share * (most - least));
    size_t turns = 0;
    for (size_t begin = 0, end; begin < signal->count; begin = end) {
        end = begin + 1;
        while (end < signal->count && !(force[end] > force[begin]) && !(force[end] < force[begin]))
            end++;
        if (!(force[begin] < highest) || !(force[begin] > lowest))
            turns += turns_among(signal, back, late_s, begin, end);
    }
    return turns >= PAST_TURNS;
}
