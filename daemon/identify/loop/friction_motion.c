/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_motion.h"

#include "identify/loop/friction_shape.h"
#include "identify/loop/friction_weights.h"
#include "identify/loop/loop_reversal.h"

#include <errno.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>

enum { ARRAYS = 8 };

/* A first look takes so many cycles with about so many samples each. */
enum { CYCLES_LOOKED_AT = 10, SAMPLES_A_CYCLE = 100 };

/* Speeds are those of so much of the way in whole cycles, without the slowest and the fastest: turns have these. Where
 * they are within such a share of each other, a level at rest would be an extrapolation over ten times their range.
 * What stands before and behind whole cycles may be of another drive, of which a run that was cut out of a stream has a
 * part: two speeds are no more able to tell a dip and a viscous force than one. */
static const double most_of_way = 0.9, same_speed = 0.1;

/* What noise alone makes of that range, in its standard deviations: 5 to 95 % of a normal distribution. */
static const double normal_range = 2 * 1.644853627;

static int make_room(struct friction_motion *motion, size_t most)
{
    const size_t stride = most + (LOOP_PARTS + 1) * FRICTION_PADDING;
    *motion = (struct friction_motion){.room = calloc(ARRAYS * stride, sizeof(double))};
    if (!motion->room)
        return -ENOMEM;
    double **const arrays[ARRAYS] = {&motion->way,          &motion->sense, &motion->speed,        &motion->velocity,
                                     &motion->displacement, &motion->force, &motion->acceleration, &motion->weight};
    for (size_t k = 0; k < ARRAYS; k++)
        *arrays[k] = motion->room + k * stride;
    return 0;
}

void friction_motion_clear(struct friction_motion *motion)
{
    free(motion->room);
    motion->room = NULL;
}

bool friction_motion_has_one_speed(const struct friction_motion *motion)
{
    return motion->high_speed - motion->low_speed <=
           hypot(same_speed * motion->middle_speed, normal_range * motion->noise_velocity);
}

static void take_units(const struct loop_signal *signal, const struct contact_sample *samples,
                       struct friction_motion *motion)
{
    double least = INFINITY, most = -INFINITY, weakest = INFINITY, strongest = -INFINITY, fastest = 0;
    for (size_t i = 0; i < signal->count; i++) {
        least = fmin(least, signal->displacement[i]);
        most = fmax(most, signal->displacement[i]);
        weakest = fmin(weakest, signal->force[i]);
        strongest = fmax(strongest, signal->force[i]);
        fastest = fmax(fastest, fabs(samples[i].velocity));
    }
    motion->unit_displacement = (most - least) / 2;
    motion->unit_force = (strongest - weakest) / 2;
    motion->unit_velocity = fastest;
    motion->unit_acceleration = fastest * fastest / motion->unit_displacement;
    motion->middle = (most + least) / 2;
}

/* What stands at a sample. */
struct place {
    const struct contact_sample *at;
    double acceleration, force, weight;
    double swiftest; /* speed near it */
};

static struct place place_of(const struct loop_signal *signal, const struct loop_part *part,
                             const struct contact_sample *samples, size_t i, double weight)
{
    const double acceleration = contact_acceleration(samples + part->begin, part->end - part->begin, i - part->begin);
    return (struct place){&samples[i], acceleration, signal->force[i], weight,
                          friction_swiftest_near(part, samples, i)};
}

/* Two straight pieces that meet at the corner; one, where noise has both lines cross elsewhere. */
static size_t corner_path(const struct contact_sample *from, const struct contact_sample *to, struct path_piece path[2])
{
    const double time = to->time_s - from->time_s, way = to->displacement - from->displacement;
    const double turn = to->velocity - from->velocity;
    const double before = (to->velocity * time - way) / turn, behind = time - before;
    if (before < 0 || behind < 0) {
        path[0] = (struct path_piece){fabs(way), way < 0 ? -1 : 1, time, fabs(to->velocity)};
        return 1;
    }
    const double speed = fabs(from->velocity), speed_behind = fabs(to->velocity);
    path[0] = (struct path_piece){speed * before, from->velocity < 0 ? -1 : 1, before, speed};
    path[1] = (struct path_piece){speed_behind * behind, to->velocity < 0 ? -1 : 1, behind, speed_behind};
    return 2;
}

/* The pieces from one sample to the next, the last of which ends at a sample. */
static void append(const struct contact_sample *from, const struct place *place, size_t pieces,
                   struct friction_motion *motion)
{
    const struct contact_sample *to = place->at;
    struct path_piece path[PATH_PIECES_MOST] = {{0, 1, 0, 0}};
    const size_t steps = !from                                            ? 1
                         : friction_has_corner(from, to, place->swiftest) ? corner_path(from, to, path)
                                                                          : contact_path(from, to, pieces, path);
    for (size_t k = 0; k < steps; k++) {
        const size_t i = motion->count++;
        motion->way[i] = path[k].length / motion->unit_displacement;
        motion->sense[i] = path[k].forward;
        motion->speed[i] = path[k].time_s > 0 ? path[k].length / path[k].time_s / motion->unit_velocity : 0;
        motion->velocity[i] = copysign(path[k].end_speed / motion->unit_velocity, path[k].forward);
    }
    const size_t last = motion->count - 1;
    motion->velocity[last] = to->velocity / motion->unit_velocity;
    motion->displacement[last] = (to->displacement - motion->middle) / motion->unit_displacement;
    motion->acceleration[last] = place->acceleration / motion->unit_acceleration;
    motion->force[last] = place->force / motion->unit_force;
    motion->weight[last] = place->weight;
    motion->samples += place->weight > 0;
}

static void begin_part(struct friction_motion *motion)
{
    motion->count = (motion->count + FRICTION_PADDING - 1) / FRICTION_PADDING * FRICTION_PADDING;
    motion->part[motion->parts++] = motion->count;
}

/* Below which speed a share of the way is made; speeds in order, each with its way. */
static double speed_of_share(const double *speeds, const double *ways, size_t count, double share)
{
    double all = 0, made = 0;
    size_t k = 0;
    for (size_t i = 0; i < count; i++)
        all += ways[i];
    while (k + 1 < count && (made += ways[k]) < share * all)
        k++;
    return count > 0 ? speeds[k] : 0;
}

static bool is_of_whole_cycle(const struct friction_motion *motion, size_t piece)
{
    return piece >= motion->whole_begin && piece < motion->whole_end;
}

/* Speeds and steps of the samples that count. */
static int survey(struct friction_motion *motion)
{
    const size_t most = motion->samples + 1;
    double *speeds = calloc(3 * most, sizeof *speeds);
    if (!speeds)
        return -ENOMEM;
    double *steps = speeds + most, *ways = steps + most;
    size_t found = 0, moved = 0;
    double way = 0, step = 0;
    for (size_t i = 0; i < motion->count; i++) {
        way += motion->way[i];
        step += motion->way[i];
        if (!(motion->weight[i] > 0))
            continue;
        ways[found] = is_of_whole_cycle(motion, i) ? step : 0;
        speeds[found++] = fabs(motion->velocity[i]);
        if (step > 0)
            steps[moved++] = step;
        step = 0;
    }
    gsl_sort2(speeds, 1, ways, 1, found);
    gsl_sort(steps, 1, moved);
    motion->slowest = found > 0 ? gsl_stats_quantile_from_sorted_data(speeds, 1, found, 0.01) : 0;
    motion->fastest = found > 0 ? speeds[found - 1] : 0;
    motion->low_speed = speed_of_share(speeds, ways, found, (1 - most_of_way) / 2);
    motion->middle_speed = speed_of_share(speeds, ways, found, 0.5);
    motion->high_speed = speed_of_share(speeds, ways, found, (1 + most_of_way) / 2);
    motion->usual_step = motion->samples > 0 ? way / (double)motion->samples : 0;
    motion->smallest_step = moved > 0 ? gsl_stats_quantile_from_sorted_data(steps, 1, moved, 0.05) : 0;
    free(speeds);
    return 0;
}

/* From the first lower reversal to the last; all samples where no cycle is whole. */
struct whole_cycles {
    size_t begin, end;
};

static int whole_cycles_of(const struct loop_signal *signal, struct whole_cycles *whole)
{
    struct loop_reversals reversals;
    const int error = loop_reversals_of(signal, &reversals);
    *whole = (struct whole_cycles){0, signal->count};
    for (size_t k = 0, lower = 0; error == 0 && k < reversals.count; k++)
        if (!reversals.reversal[k].upper) {
            const size_t sample = reversals.reversal[k].sample;
            *whole = lower++ == 0 ? (struct whole_cycles){sample, signal->count}
                                  : (struct whole_cycles){whole->begin, sample};
        }
    if (whole->end == signal->count)
        whole->begin = 0;
    loop_reversals_clear(&reversals);
    return error;
}

static void append_part(const struct loop_signal *signal, const struct loop_part *part,
                        const struct contact_sample *samples, const unsigned char *pieces, const double *weight,
                        const struct whole_cycles *whole, struct friction_motion *motion)
{
    begin_part(motion);
    for (size_t i = part->begin; i < part->end; i++) {
        const struct place place = place_of(signal, part, samples, i, weight[i]);
        if (i <= whole->begin)
            motion->whole_begin = motion->count;
        append(i > part->begin ? &samples[i - 1] : NULL, &place, pieces[i], motion);
        if (i <= whole->end)
            motion->whole_end = motion->count;
    }
}

/* An interval in which the motion turns back has two pieces more; most have none. */
static int make_room_for(const struct loop_signal *signal, const unsigned char *pieces, struct friction_motion *motion)
{
    size_t most = 0;
    for (size_t i = 0; i < signal->count; i++)
        most += pieces[i] + 2u;
    return make_room(motion, most);
}

static void copy_units(const struct friction_motion *from, struct friction_motion *to)
{
    to->unit_displacement = from->unit_displacement;
    to->unit_velocity = from->unit_velocity;
    to->unit_acceleration = from->unit_acceleration;
    to->unit_force = from->unit_force;
    to->middle = from->middle;
}

static void copy_survey(const struct friction_motion *from, struct friction_motion *to)
{
    to->slowest = from->slowest;
    to->fastest = from->fastest;
    to->low_speed = from->low_speed;
    to->middle_speed = from->middle_speed;
    to->high_speed = from->high_speed;
    to->usual_step = from->usual_step;
    to->smallest_step = from->smallest_step;
    to->cancel = from->cancel;
}

int friction_motion_again(const struct loop_signal *signal, const struct loop_parts *parts,
                          const struct contact_sample *first, const struct contact_sample *samples,
                          const unsigned char *pieces, const struct friction_motion *units,
                          struct friction_motion *motion)
{
    double *weight = friction_weights(signal, parts, first);
    struct whole_cycles whole = {0, signal->count};
    int error = make_room_for(signal, pieces, motion);
    if (!weight)
        error = -ENOMEM;
    if (error == 0 && !units)
        error = whole_cycles_of(signal, &whole);
    if (error == 0) {
        motion->bent_step = FRICTION_FIT_STEP;
        if (units)
            copy_units(units, motion);
        else
            take_units(signal, samples, motion);
        for (size_t p = 0; p < parts->count; p++)
            append_part(signal, &parts->part[p], samples, pieces, weight, &whole, motion);
        motion->part[motion->parts] = motion->count;
        motion->noise_displacement = signal->noise_displacement / motion->unit_displacement;
        if (units)
            copy_survey(units, motion);
        else
            error = survey(motion);
    }
    free(weight);
    return error;
}

int friction_motion_make(const struct loop_signal *signal, const struct loop_parts *parts,
                         const struct contact_sample *samples, const unsigned char *pieces,
                         struct friction_motion *motion)
{
    return friction_motion_again(signal, parts, samples, samples, pieces, NULL, motion);
}

/* The cycles between lower reversals of which a first look takes some; the whole signal where there are none. */
struct cycles {
    size_t *at; /* owned: samples; count + 1 of them */
    size_t count;
};

static int cycles_of(const struct loop_signal *signal, struct cycles *cycles)
{
    struct loop_reversals reversals;
    *cycles = (struct cycles){NULL, 0};
    int error = loop_reversals_of(signal, &reversals);
    cycles->at = error == 0 ? calloc(reversals.count + 2, sizeof *cycles->at) : NULL;
    if (error == 0 && !cycles->at)
        error = -ENOMEM;
    if (error == 0) {
        size_t found = 1;
        for (size_t k = 0; k < reversals.count; k++)
            if (!reversals.reversal[k].upper && reversals.reversal[k].sample > cycles->at[found - 1])
                cycles->at[found++] = reversals.reversal[k].sample;
        if (cycles->at[found - 1] < signal->count - 1)
            cycles->at[found++] = signal->count - 1;
        cycles->count = found - 1;
    }
    loop_reversals_clear(&reversals);
    return error;
}

/* A first look's way along a record. */
struct thinning {
    const struct loop_signal *signal;
    const struct loop_parts *parts;
    const struct contact_sample *samples, *before; /* NULL: what was before the next one is not known */
    size_t next_part;                              /* behind that in which it is */
    struct friction_motion *motion;
};

static void thin_sample(struct thinning *thinning, size_t i, bool counts)
{
    const struct loop_parts *parts = thinning->parts;
    while (thinning->next_part < parts->count && i >= parts->part[thinning->next_part].begin) {
        begin_part(thinning->motion);
        thinning->next_part++;
        thinning->before = NULL;
    }
    if (thinning->next_part == 0 || i >= parts->part[thinning->next_part - 1].end)
        return;
    const struct place place =
        place_of(thinning->signal, &parts->part[thinning->next_part - 1], thinning->samples, i, counts);
    append(thinning->before, &place, 1, thinning->motion);
    thinning->before = &thinning->samples[i];
}

static void thin_cycles(const struct cycles *cycles, struct thinning *thinning)
{
    const size_t every = (cycles->count + CYCLES_LOOKED_AT - 1) / CYCLES_LOOKED_AT;
    const size_t stride = thinning->signal->count / cycles->count / SAMPLES_A_CYCLE + 1;
    for (size_t c = 0; c < cycles->count; c += every) {
        /* What happened before the cycle is not known where it does not follow the one before. */
        const size_t known = every > 1 ? (2 * cycles->at[c] + cycles->at[c + 1]) / 3 : cycles->at[c];
        if (every > 1)
            thinning->before = NULL;
        for (size_t i = cycles->at[c]; i < cycles->at[c + 1]; i += stride)
            thin_sample(thinning, i, i >= known);
    }
    while (thinning->next_part++ < thinning->parts->count)
        begin_part(thinning->motion);
}

int friction_motion_thin(const struct loop_signal *signal, const struct loop_parts *parts,
                         const struct contact_sample *samples, const struct friction_motion *units,
                         struct friction_motion *motion)
{
    struct cycles cycles;
    int error = cycles_of(signal, &cycles);
    *motion = (struct friction_motion){.room = NULL};
    if (error == 0)
        error = make_room(motion, 3 * signal->count);
    if (error == 0) {
        copy_units(units, motion);
        motion->bent_step = FRICTION_COARSE_STEP;
        thin_cycles(&cycles,
                    &(struct thinning){.signal = signal, .parts = parts, .samples = samples, .motion = motion});
        motion->part[motion->parts] = motion->whole_end = motion->count;
        error = survey(motion);
    }
    free(cycles.at);
    return error;
}
