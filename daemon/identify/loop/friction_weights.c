/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which samples of a motion count. */

#include "identify/loop/friction_weights.h"

#include "identify/loop/local_cubic.h"

#include <errno.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A contact rests that is slower than this share of its usual speed for longer than this share of a cycle, twice of
 * what a sine is as slow for. */
static const double rest_speed = 0.05, rest_cycle = 0.025;

/* Next to a rest it creeps up to so many times that speed: friction is not what the motion makes of it there. */
static const double creeping = 2;

/* So near, on either side. */
enum { NEAR = 12 };

double friction_swiftest_near(const struct loop_part *part, const struct contact_sample *samples, size_t i)
{
    const size_t first = i - part->begin > NEAR ? i - NEAR : part->begin;
    double swiftest = 0;
    for (size_t k = first; k < part->end && k <= i + NEAR; k++)
        swiftest = fmax(swiftest, fabs(samples[k].velocity));
    return swiftest;
}

/* A velocity that changes by more than this share of the largest nearby from one sample to the next, as no smooth
 * motion of a dozen samples a cycle does, jumps: the motion has a corner. */
static const double corner_turn = 0.5;

bool friction_has_corner(const struct contact_sample *from, const struct contact_sample *to, double swiftest)
{
    return fabs(to->velocity - from->velocity) > corner_turn * swiftest;
}

/* Root mean square of so many samples. */
static double usual_speed(const struct contact_sample *samples, size_t count)
{
    double squares = 0;
    for (size_t i = 0; i < count; i++)
        squares += samples[i].velocity * samples[i].velocity;
    return sqrt(squares / (double)count);
}

static double range_of(const double *values, size_t count)
{
    double lowest, highest;
    gsl_stats_minmax(&lowest, &highest, values, 1, count);
    return highest - lowest;
}

static double range_of_part(const struct loop_signal *signal, const struct loop_part *part)
{
    return range_of(signal->displacement + part->begin, part->end - part->begin);
}

/* Parts may lie at places far from each other. */
static double widest_range(const struct loop_signal *signal, const struct loop_parts *parts)
{
    double widest = 0;
    for (size_t p = 0; p < parts->count; p++)
        widest = fmax(widest, range_of_part(signal, &parts->part[p]));
    return widest;
}

/* Each part may have been driven at a speed of its own. One that stays at its place against the widest part was not
 * driven: the speed of the record tells that it rests. */
static double usual_speed_of_part(const struct loop_signal *signal, const struct loop_part *part, double widest,
                                  const struct contact_sample *samples)
{
    const size_t count = part->end - part->begin;
    const bool stays = !(range_of_part(signal, part) > LOOP_REST_SHARE * widest);
    return stays ? usual_speed(samples, signal->count) : usual_speed(samples + part->begin, count);
}

struct friction_slowness friction_slowness_of(const struct loop_signal *signal, const struct loop_part *part,
                                              double widest, const struct contact_sample *samples)
{
    double last = 0;
    size_t turning_points = 0;
    const double slow = rest_speed * usual_speed_of_part(signal, part, widest, samples);
    const double span_s = signal->time_s[part->end - 1] - signal->time_s[part->begin];
    for (size_t i = part->begin; i < part->end; i++) {
        const double velocity = samples[i].velocity;
        if (fabs(velocity) > slow) {
            turning_points += last * velocity < 0;
            last = velocity;
        }
    }
    return (struct friction_slowness){slow, 2 * rest_cycle * span_s / (double)(turning_points + 1)};
}

/* The samples of a part at rest, and those that creep before and behind it, get a weight of 0. */
static void leave_rests_out(const struct loop_signal *signal, const struct loop_part *part,
                            const struct contact_sample *samples, const struct friction_slowness *slowness,
                            double *weight)
{
    for (size_t i = part->begin; i < part->end; i++)
        weight[i] = 1;
    for (size_t i = part->begin, end; i < part->end; i = end + 1) {
        for (end = i; end < part->end && fabs(samples[end].velocity) < slowness->speed; end++)
            ;
        if (end == i || !(signal->time_s[end - 1] - signal->time_s[i] > slowness->longest_s))
            continue;
        size_t first = i, behind = end;
        while (first > part->begin && fabs(samples[first - 1].velocity) < creeping * slowness->speed)
            first--;
        while (behind < part->end && fabs(samples[behind].velocity) < creeping * slowness->speed)
            behind++;
        memset(weight + first, 0, (behind - first) * sizeof *weight);
    }
}

/* Next to a corner it is not known which of the two velocities is that of a sample: its weight is 0. So are those of a
 * smooth piece as short as the shortest window, as that from the last corner that was found to the end: nothing in it
 * shows another corner. */
static void leave_corners_out(const struct loop_signal *signal, const struct loop_part *part,
                              const struct contact_sample *samples, double *weight)
{
    size_t begin = part->begin;
    for (size_t i = part->begin + 1; i <= part->end; i++) {
        const bool begins = i == part->end || (signal->begins && signal->begins[i]);
        if (i < part->end &&
            (begins || friction_has_corner(&samples[i - 1], &samples[i], friction_swiftest_near(part, samples, i))))
            weight[i - 1] = weight[i] = 0;
        if (begins && i - begin <= LOCAL_CUBIC_LEAST)
            memset(weight + begin, 0, (i - begin) * sizeof *weight);
        if (begins)
            begin = i;
    }
}

/* Which way a sample goes is known where its velocity is above so many of its standard deviations: noise gives more in
 * one sample of 700. */
static const double speed_noise = 3;

/* And above this share of the usual one: where a sample lies on the turn itself, its velocity is what rounding makes
 * of it, or at the end of a part what a cubic of one side leaves out: of a sine of 50 samples a cycle so much. Of a
 * sine one sample in 450 is as slow. */
static const double speed_least = 5e-3;

/* Friction changes its sign somewhere in a turn from where the motion is known to go one way to where it is known to go
 * the other: samples between have a weight of 0, and those from there to the end of a part. */
static void leave_reversals_out(const struct loop_part *part, const struct contact_sample *samples, double usual,
                                double *weight)
{
    const double least = fmax(speed_noise * part->noise_velocity, speed_least * usual);
    size_t known = part->begin; /* behind the last that is known */
    for (size_t i = part->begin; i <= part->end; i++) {
        if (i < part->end && !(fabs(samples[i].velocity) > least))
            continue;
        const bool inside = known > part->begin && i < part->end;
        if (i > known && !(inside && samples[known - 1].velocity * samples[i].velocity > 0))
            memset(weight + known, 0, (i - known) * sizeof *weight);
        known = i + 1;
    }
}

double friction_share_hidden(const struct loop_signal *signal, const struct loop_parts *parts,
                             const struct contact_sample *samples)
{
    double noise = 0;
    for (size_t p = 0; p < parts->count; p++)
        noise = fmax(noise, parts->part[p].noise_velocity);
    const double largest = M_SQRT2 * usual_speed(samples, signal->count);
    return largest > 0 ? 2 / M_PI * asin(fmin(1, speed_noise * noise / largest)) : 0;
}

/* Where the normal force is less than this share of its median the contact is not loaded as in the rest of the record.
 */
static const double loaded_share = 0.9;

/* The samples where it is unloaded get a weight of 0. 0 or -ENOMEM. */
static int leave_unloaded_out(const struct loop_signal *signal, double *weight)
{
    if (!signal->normal)
        return 0;
    double *sorted = calloc(signal->count, sizeof *sorted);
    if (!sorted)
        return -ENOMEM;
    for (size_t i = 0; i < signal->count; i++)
        sorted[i] = fabs(signal->normal[i]);
    gsl_sort(sorted, 1, signal->count);
    const double least = loaded_share * gsl_stats_median_from_sorted_data(sorted, 1, signal->count);
    for (size_t i = 0; i < signal->count; i++)
        if (fabs(signal->normal[i]) < least)
            weight[i] = 0;
    free(sorted);
    return 0;
}

double *friction_weights(const struct loop_signal *signal, const struct loop_parts *parts,
                         const struct contact_sample *samples)
{
    double *weight = calloc(signal->count, sizeof *weight);
    if (!weight)
        return NULL;
    const double widest = widest_range(signal, parts);
    for (size_t p = 0; p < parts->count; p++) {
        const struct loop_part *part = &parts->part[p];
        const struct friction_slowness slowness = friction_slowness_of(signal, part, widest, samples);
        leave_rests_out(signal, part, samples, &slowness, weight);
        leave_corners_out(signal, part, samples, weight);
        leave_reversals_out(part, samples, usual_speed_of_part(signal, part, widest, samples), weight);
    }
    if (leave_unloaded_out(signal, weight) == 0)
        return weight;
    free(weight);
    return NULL;
}

/* Whether any sample of a part counts. */
static bool counts(const struct loop_part *part, const double *weight)
{
    bool any = false;
    for (size_t i = part->begin; i < part->end && !any; i++)
        any = weight[i] > 0;
    return any;
}

int friction_leave_parts_out(const struct loop_signal *signal, const struct contact_sample *samples,
                             struct loop_parts *parts)
{
    double *weight = friction_weights(signal, parts, samples);
    if (!weight)
        return -ENOMEM;
    size_t kept = 0;
    for (size_t p = 0; p < parts->count; p++)
        if (counts(&parts->part[p], weight))
            parts->part[kept++] = parts->part[p];
    if (kept > 0)
        parts->count = kept;
    free(weight);
    return 0;
}
