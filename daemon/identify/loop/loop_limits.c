/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_limits.h"

#include "identify/loop/loop_repeat.h"
#include "identify/loop/loop_stillness.h"

#include <gsl/gsl_statistics.h>
#include <math.h>

/* A force that stands at its largest or smallest value for so many samples on end, and so often, is cut off there, if
 * it has noise of this share of its range between them and of a step of its converter: such noise gives its extreme
 * value once in a hundred samples of a plateau at most, and so many on end in none of any record. */
enum { CLIPPED_SAMPLES = 6, CLIPPED_STRETCHES = 2 };
static const double noise_share = 1e-6, noise_steps = 1;

/* Rounded values of two cycles differ by whole steps, and so does the median of what they differ by: a force that is
 * near the edge between two steps differs by one for however little noise, which loop_repeat_noise() takes for noise of
 * 1.05 steps. Two steps are no rounding, and are taken for 2.1. */
static const double repeat_steps = 2;

struct loop_extent loop_extent_of(const double *values, size_t count)
{
    struct loop_extent extent = {values[0], values[0], 0};
    size_t low = 0, high = 0;
    for (size_t i = 1; i < count; i++) {
        extent.lowest = fmin(extent.lowest, values[i]);
        extent.highest = fmax(extent.highest, values[i]);
    }
    for (size_t i = 0; i < count; i++) {
        low = values[i] > extent.lowest ? 0 : low + 1;
        high = values[i] < extent.highest ? 0 : high + 1;
        extent.stretches += low == CLIPPED_SAMPLES || high == CLIPPED_SAMPLES;
    }
    return extent;
}

/* What is noisy between its limits does not stand still there. A force that is made without noise does where a gap is
 * crossed: once between any two stretches at its limits, while the displacement goes on. A pause of the drive is none
 * of these, and a sensor that is off for a while is so often none. */
static bool stands_between(const struct loop_signal *signal, const struct loop_extent *extent)
{
    const double *force = signal->force, *x = signal->displacement;
    size_t stretches = 0;
    for (size_t begin = 0, end; begin < signal->count; begin = end) {
        end = begin + 1;
        while (end < signal->count && !(force[end] > force[begin]) && !(force[end] < force[begin]))
            end++;
        const bool between = force[begin] > extent->lowest && force[begin] < extent->highest;
        stretches += between && end - begin >= CLIPPED_SAMPLES && fabs(x[end - 1] - x[begin]) > signal->least_swing;
    }
    return stretches >= CLIPPED_STRETCHES && stretches + 1 >= extent->stretches;
}

/* What comes so near to a limit before it stands there approached it, as friction that is built up without noise does,
 * whose few samples between the limits are no straight line either; what is cut off comes from anywhere. */
static bool approaches_limits(const struct loop_signal *signal, const struct loop_extent *extent, double near)
{
    const double *force = signal->force;
    size_t approached = 0;
    for (size_t begin = 0, end; begin < signal->count; begin = end) {
        end = begin + 1;
        while (end < signal->count && !(force[end] > force[begin]) && !(force[end] < force[begin]))
            end++;
        const bool at_limit = !(force[begin] > extent->lowest) || !(force[begin] < extent->highest);
        approached +=
            at_limit && end - begin >= CLIPPED_SAMPLES && begin > 0 && fabs(force[begin] - force[begin - 1]) < near;
    }
    return 2 * approached >= extent->stretches;
}

/* Elements that slip one after the other, without noise, draw straight lines over the displacement between the limits.
 * What is left of a line through the neighbours is so small for one in four of samples with corners between them, up to
 * half a step of a converter for most; noise of one and a half of its steps leaves no more than that for one in five,
 * and of a fine converter for none. */
static const double straight_share = 0.25, rounding_steps = 0.5;

static bool is_straight_between(const struct loop_signal *signal, const struct loop_extent *extent, double near)
{
    const double *x = signal->displacement, *force = signal->force;
    size_t seen = 0, straight = 0;
    for (size_t i = 1; i + 1 < signal->count; i++) {
        const double highest = fmax(fmax(force[i - 1], force[i]), force[i + 1]);
        const double lowest = fmin(fmin(force[i - 1], force[i]), force[i + 1]);
        const double before = x[i] - x[i - 1], behind = x[i + 1] - x[i];
        if (!(highest < extent->highest) || !(lowest > extent->lowest) || !(before * behind > 0))
            continue;
        const double along = before / (before + behind) * (force[i + 1] - force[i - 1]);
        seen++;
        straight += fabs(force[i] - force[i - 1] - along) < near;
    }
    return (double)straight > straight_share * (double)seen;
}

/* White noise of the force between its limits, and what of it may be a step of its converter: neighbours tell it, or,
 * where a cycle has too few, what differs from cycle to cycle, by whole steps. */
static bool is_noisy_between(const struct loop_signal *signal, const struct loop_extent *force, double little,
                             double step, bool *memory)
{
    const double beside = loop_noise(signal->time_s, signal->force, signal->count, force->lowest, force->highest);
    const double again = beside > 0 ? 0 : loop_repeat_noise(signal, force->lowest, force->highest, force->stretches);
    *memory = !isnan(beside) && !isnan(again);
    return beside > fmax(little, noise_steps * step) || again > fmax(little, repeat_steps * step);
}

static enum verdict look_at_limits(const struct loop_signal *signal, const struct loop_extent *force, double late_s)
{
    const double step = loop_smallest_distance(signal->force, signal->count);
    const double little = noise_share * (force->highest - force->lowest);
    bool memory;
    const bool noisy = is_noisy_between(signal, force, little, step, &memory);
    if (!memory || isnan(step))
        return VERDICT_NO_MEMORY;
    const bool steps = step > little && loop_comes_in_steps(signal->force, signal->count, step);
    const bool made = stands_between(signal, force) || approaches_limits(signal, force, little) ||
                      is_straight_between(signal, force, fmax(little, rounding_steps * step));
    return (noisy && !made) || (!steps && loop_force_stands_past_turns(signal, late_s)) ? VERDICT_FORCE_CLIPPED
                                                                                        : VERDICT_OK;
}

/* A dwell stops the motion, and a drive that rests keeps its force. Where the sensor stops, the motion goes on and
 * turns behind its limit, and the force goes over more than half of its range meanwhile. An encoder that is coarse
 * stands still at a turn, too, but comes there step by step. */
static const double abrupt_steps = 3, turning_share = 0.5;

static double mean_of(const double *values, size_t count)
{
    return gsl_stats_mean(values, 1, count);
}

/* Whether the motion turned while the displacement stood at its limit from sample `begin` to before `end`. */
static bool turns_unseen(const struct loop_signal *signal, double force_range, double step, size_t begin, size_t end)
{
    const double *x = signal->displacement, *force = signal->force;
    if (end - begin < CLIPPED_SAMPLES || begin < 2 || end + 1 >= signal->count)
        return false;
    const size_t sixth = (end - begin) / CLIPPED_SAMPLES;
    const bool stops = fabs(x[begin] - x[begin - 2]) > abrupt_steps * step,
               starts = fabs(x[end + 1] - x[end - 1]) > abrupt_steps * step;
    const double turned = fabs(mean_of(force + begin, sixth) - mean_of(force + end - sixth, sixth));
    return stops && starts && turned > turning_share * force_range;
}

static enum verdict look_at_turns(const struct loop_signal *signal, const struct loop_extent *way, double force_range)
{
    const double step = loop_smallest_distance(signal->displacement, signal->count);
    const double *x = signal->displacement;
    size_t turns = 0;
    for (size_t begin = 0, end; begin < signal->count; begin = end) {
        end = begin + 1;
        while (end < signal->count && x[end] == x[begin])
            end++;
        if (x[begin] == way->highest || x[begin] == way->lowest)
            turns += turns_unseen(signal, force_range, step, begin, end);
    }
    return isnan(step) ? VERDICT_NO_MEMORY : turns >= CLIPPED_STRETCHES ? VERDICT_DISPLACEMENT_CLIPPED : VERDICT_OK;
}

enum verdict loop_look_at_limits(const struct loop_signal *signal, const struct loop_extent *way,
                                 const struct loop_extent *force, double late_s)
{
    const enum verdict verdict =
        way->stretches >= CLIPPED_STRETCHES ? look_at_turns(signal, way, force->highest - force->lowest) : VERDICT_OK;
    return verdict == VERDICT_OK && force->stretches >= CLIPPED_STRETCHES ? look_at_limits(signal, force, late_s)
                                                                          : verdict;
}
