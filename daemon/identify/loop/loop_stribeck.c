/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_stribeck.h"

#include "identify/loop/local_cubic.h"

#include <math.h>
#include <stdlib.h>

/* Where no presliding length is known, friction is taken to be built up behind that share of the way from reversal to
 * reversal, and the motion not to be at its end before that one. */
static const double built_up_share = 0.6, end_share = 0.95;

/* The speeds that slide are parted into ranges, at most so many each way, as wide as each other on a logarithmic scale.
 * They are narrow because speeds may be: half of a sine's stroke is gone at 0.87 to 1 of the largest one. A half cycle
 * has at least so many samples for each range, for neighbours in time have noise in common; a few ranges are there in
 * any case. */
enum { RANGES = 24, RANGES_LEAST = 4, SAMPLES_OF_RANGE = 4, WAYS = 2 };

/* Speeds below that share of the largest one say nothing. */
static const double slowest_share = 0.01;

/* Speeds below so many standard deviations of their noise are none. */
static const double speed_noise = 4;

/* The slope of a curve comes out too small by the share that noise has in the variance of the speeds: more than a
 * tenth, or less than rounding leaves of a speed, and these are one. */
static const double noise_share = 0.1, speed_rounding = 1e-6;

/* A range with fewer samples says nothing; of long records not more than so many samples are looked at. */
enum { SAMPLES_LEAST = 3, LOOKED_AT = 100000, NEIGHBOURS_MOST = 512 };

/* What slides in a range: sums over the samples, and over the half cycles' means. */
struct range {
    double speed, force, squares; /* of samples */
    size_t samples;
    double part, part_means, part_squares; /* of the half cycle that runs; of means of half cycles */
    size_t part_samples, parts;
};

struct survey {
    const struct sliding *sliding;
    struct cubic_series series;
    size_t half, stride;
    double level;          /* the mean force: sums are about it, so that no sum of squares loses its digits */
    double fastest, least; /* speeds */
    double slowest;        /* of what slides */
    size_t sliding_samples, ranges;
    size_t hidden;                 /* samples of what slides whose speeds may be noise */
    double count, speeds, squares; /* of what slides: sums of speeds, and of their squares, over the largest speed */
    struct range range[WAYS][RANGES];
};

static double speed_at(const struct survey *survey, size_t i)
{
    const struct local_cubic cubic = local_cubic_at(&survey->series, i, survey->half);
    return survey->sliding->signal->velocity ? cubic.value : cubic.slope;
}

static double noise_of_speed(const struct survey *survey)
{
    return survey->sliding->signal->velocity ? survey->series.noise : local_slope_noise(&survey->series, survey->half);
}

static void begin(const struct sliding *sliding, struct survey *survey)
{
    const struct loop_signal *signal = sliding->signal;
    *survey = (struct survey){
        .sliding = sliding,
        .series = {signal->time_s, signal->displacement, signal->count, signal->noise_displacement, signal->begins},
        .stride = signal->count / LOOKED_AT + 1};
    if (signal->velocity) {
        survey->series.values = signal->velocity;
        survey->series.noise = loop_noise(signal->time_s, signal->velocity, signal->count, -INFINITY, INFINITY);
    }
    survey->half = local_cubic_window(&survey->series, NEIGHBOURS_MOST);
    for (size_t i = 0; i < signal->count; i += survey->stride)
        if (signal->time_s[i] >= sliding->from_s && signal->time_s[i] <= sliding->to_s)
            survey->fastest = fmax(survey->fastest, fabs(speed_at(survey, i)));
    survey->least = fmax(slowest_share * survey->fastest, speed_noise * noise_of_speed(survey));
    survey->slowest = survey->fastest;
    for (size_t i = 0; i < signal->count; i++)
        survey->level += signal->force[i] / (double)signal->count;
}

static void end_part(struct range *range)
{
    if (range->part_samples == 0)
        return;
    const double mean = range->part / (double)range->part_samples;
    range->part_means += mean;
    range->part_squares += mean * mean;
    range->parts++;
    range->part = 0;
    range->part_samples = 0;
}

/* What of a force is no friction over speed: of a spring, of a mass, and of where along the path it is. */
static double beside_at(const struct survey *survey, size_t i, double sense)
{
    const struct sliding *sliding = survey->sliding;
    const double x = sliding->signal->displacement[i], way = x - sliding->path_middle;
    const double path = sense * way * (sliding->path_slope + way * sliding->path_curvature);
    const bool of_velocity = sliding->signal->velocity;
    const double inertia =
        sliding->mass != 0 ? sliding->mass * local_acceleration_at(&survey->series, i, survey->half, of_velocity) : 0;
    return sliding->spring * x + path + inertia;
}

/* Which speeds there are. */
static void look_at_sample(struct survey *survey, size_t i, double sense)
{
    const double speed = sense * speed_at(survey, i);
    survey->hidden += !(speed >= survey->least);
    if (!(speed >= survey->least))
        return;
    survey->slowest = fmin(survey->slowest, speed);
    survey->sliding_samples++;
}

static void take_sample(struct survey *survey, size_t i, double sense)
{
    const struct sliding *sliding = survey->sliding;
    const double speed = sense * speed_at(survey, i);
    if (!(speed >= survey->least))
        return;
    const double span = log(survey->slowest / survey->fastest), ranges = (double)survey->ranges;
    const double place = span < 0 ? log(speed / survey->fastest) / span : 0;
    struct range *range = &survey->range[sense > 0 ? 0 : 1][(size_t)fmin(fmax(place, 0) * ranges, ranges - 1)];
    const double force = sliding->signal->force[i] - survey->level - beside_at(survey, i, sense);
    survey->count++;
    survey->speeds += speed / survey->fastest;
    survey->squares += speed * speed / (survey->fastest * survey->fastest);
    range->speed += sense * speed;
    range->force += force;
    range->squares += force * force;
    range->samples++;
    range->part += force;
    range->part_samples++;
}

/* Of a sample that slides in that sense. */
typedef void sample_taker(struct survey *survey, size_t i, double sense);

/* From one reversal to the next. Bristles that are bent anew with each change of the speed lag behind it: near both
 * ends that changes within a presliding length. Where both ways together are longer than the stroke nothing slides. */
static void take_half_cycle(struct survey *survey, const struct loop_reversal *from, const struct loop_reversal *to,
                            sample_taker *take)
{
    const struct sliding *sliding = survey->sliding;
    const double stroke = fabs(to->displacement - from->displacement), length = SLIDING_LENGTHS * sliding->presliding;
    const bool known = isfinite(length);
    const double begins = known ? length : built_up_share * stroke, ends = known ? stroke - length : end_share * stroke;
    const double sense = from->upper ? -1 : 1;
    for (size_t i = from->left; i <= to->arrived; i++) {
        const double way = sense * (sliding->signal->displacement[i] - from->displacement);
        if (i % survey->stride == 0 && way >= begins && way <= ends)
            take(survey, i, sense);
    }
    for (int way = 0; way < WAYS; way++)
        for (int r = 0; r < RANGES; r++)
            end_part(&survey->range[way][r]);
}

/* Of the run, all of them; how many they are. */
static size_t take_half_cycles(struct survey *survey, sample_taker *take)
{
    const struct sliding *sliding = survey->sliding;
    const struct loop_reversals *all = sliding->reversals;
    size_t count = 0;
    for (size_t k = 0; k + 1 < all->count; k++)
        if (all->reversal[k].time_s >= sliding->from_s && all->reversal[k + 1].time_s <= sliding->to_s) {
            take_half_cycle(survey, &all->reversal[k], &all->reversal[k + 1], take);
            count++;
        }
    return count;
}

/* The standard deviation of a range's mean: by the scatter of half cycles, where there are some, but never less than by
 * that of its samples. */
static double deviation_of(const struct range *range)
{
    const double n = (double)range->samples, m = (double)range->parts;
    const double inside = fmax(0, range->squares / n - pow(range->force / n, 2)) / (n - 1);
    const double between =
        range->parts > 2 ? fmax(0, range->part_squares / m - pow(range->part_means / m, 2)) / (m - 1) : 0;
    return sqrt(fmax(inside, between));
}

/* A point of each range that says something; how many they are. A range without any scatter is as good as the best one
 * that has some. */
static size_t take_points(const struct survey *survey, double *speed, double *force, double *deviation)
{
    size_t count = 0;
    double least = INFINITY;
    for (int way = 0; way < WAYS; way++)
        for (int r = 0; r < RANGES; r++) {
            const struct range *range = &survey->range[way][r];
            if (range->samples < SAMPLES_LEAST)
                continue;
            speed[count] = range->speed / (double)range->samples;
            force[count] = survey->level + range->force / (double)range->samples;
            deviation[count] = deviation_of(range);
            least = deviation[count] > 0 ? fmin(least, deviation[count]) : least;
            count++;
        }
    for (size_t i = 0; i < count; i++)
        deviation[i] = deviation[i] > 0 ? deviation[i] : isfinite(least) ? least : 1;
    return count;
}

static bool has_one_speed(const struct survey *survey)
{
    const double mean = survey->speeds / survey->count, noise = noise_of_speed(survey) / survey->fastest;
    const double variance = survey->squares / survey->count - mean * mean;
    return noise_share * variance < noise * noise || variance < pow(speed_rounding * mean, 2);
}

/* No range has samples enough. */
static enum verdict why_nothing_slides(const struct survey *survey)
{
    if (survey->hidden > 0 && survey->least > slowest_share * survey->fastest)
        return VERDICT_DISPLACEMENT_NOISY;
    return VERDICT_TOO_FEW_SLIDING;
}

static void fit(const struct survey *survey, struct speed_curve *curve)
{
    static const struct identify_settings settings = {.ladder = false};
    double speed[WAYS * RANGES], force[WAYS * RANGES], deviation[WAYS * RANGES];
    const size_t count = take_points(survey, speed, force, deviation);
    const struct record_trace traces[] = {{.values = speed, .count = count, .stride = 1},
                                          {.values = force, .count = count, .stride = 1},
                                          {.values = deviation, .count = count, .stride = 1}};
    const struct record record = {traces, sizeof traces / sizeof traces[0], NULL};
    const enum verdict verdict = count == 0              ? why_nothing_slides(survey)
                                 : has_one_speed(survey) ? VERDICT_TOO_FEW_SPEEDS
                                                         : VERDICT_OK;
    analyse_curve(&record, verdict, &settings, curve);
}

void loop_stribeck(const struct sliding *sliding, struct speed_curve *curve)
{
    struct survey *survey = malloc(sizeof *survey);
    if (!survey) {
        static const struct identify_settings settings = {.ladder = false};
        analyse_curve(NULL, VERDICT_NO_MEMORY, &settings, curve);
        return;
    }
    begin(sliding, survey);
    const size_t half_cycles = take_half_cycles(survey, look_at_sample);
    const size_t most = survey->sliding_samples / (SAMPLES_OF_RANGE * (half_cycles > 0 ? half_cycles : 1));
    survey->ranges = most > RANGES ? RANGES : most > RANGES_LEAST ? most : RANGES_LEAST;
    take_half_cycles(survey, take_sample);
    fit(survey, curve);
    free(survey);
}
