/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops of a contact that is driven to and fro: every one found once, and what they come to against closed forms and
 * against the scatter of many. */
#include "identify/loop/friction_model.h"
#include "identify/loop/latest_loop.h"
#include "identify/loop/loop.h"
#include "run_suite.h"
#include "thinning.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A driven contact: as many columns as it has traces, one behind the other. */
struct drive {
    size_t count, room;
    double *displacement, *force, *time_s, *normal;
    bool with_normal;
};

static struct drive drive_make(size_t room)
{
    double *all = calloc(4 * room, sizeof *all);
    ck_assert_ptr_nonnull(all);
    return (struct drive){0, room, all, all + room, all + 2 * room, all + 3 * room, false};
}

static struct loop_findings *analyse(const struct drive *drive)
{
    const struct identify_settings settings = {.physical = physical_default_settings()};
    double *const columns[] = {drive->displacement, drive->force, drive->time_s, drive->normal};
    struct record_trace traces[4];
    for (int i = 0; i < 4; i++)
        traces[i] = (struct record_trace){.values = columns[i], .count = drive->count, .stride = 1};
    const struct record record = {traces, drive->with_normal ? 4 : 3, NULL};
    struct loop_findings *findings = malloc(sizeof *findings);
    ck_assert_ptr_nonnull(findings);
    ck_assert_int_eq(analyse_loop(&record, VERDICT_OK, &settings, findings), findings->verdict);
    return findings;
}

/* Adds cycles of -amplitude cos, sampled so that no sample is a reversal. */
static void add_cycles(struct drive *drive, double cycles, size_t samples, double amplitude, double frequency)
{
    const double start_s = drive->count > 0 ? drive->time_s[drive->count - 1] : 0;
    for (size_t i = 1; i <= (size_t)(cycles * (double)samples); i++, drive->count++) {
        const double phase = 2 * M_PI * (double)i / (double)samples;
        ck_assert_uint_lt(drive->count, drive->room);
        drive->time_s[drive->count] = start_s + (double)i / (double)samples / frequency;
        drive->displacement[drive->count] = -amplitude * cos(phase + 0.003);
    }
}

static void add_rest(struct drive *drive, size_t samples, double step_s)
{
    for (size_t i = 0; i < samples; i++, drive->count++) {
        ck_assert_uint_lt(drive->count, drive->room);
        drive->time_s[drive->count] = drive->time_s[drive->count - 1] + step_s;
        drive->displacement[drive->count] = drive->displacement[drive->count - 1];
    }
}

/* Friction does not look at the speed here: the way from sample to sample tells all. */
static void rub(struct drive *drive, const struct friction_model *model)
{
    struct friction_state state = {.deflection = -1};
    struct contact_sample *motion = calloc(drive->count, sizeof *motion);
    ck_assert_ptr_nonnull(motion);
    for (size_t i = 0; i < drive->count; i++) {
        const size_t back = i > 0 ? i - 1 : i, on = i + 1 < drive->count ? i + 1 : i;
        motion[i] = (struct contact_sample){drive->time_s[i], drive->displacement[i],
                                            (drive->displacement[on] - drive->displacement[back]) /
                                                (drive->time_s[on] - drive->time_s[back])};
    }
    friction_force(model, motion, drive->count, 1, &state, drive->force);
    free(motion);
}

static void add_noise(struct drive *drive, unsigned seed, double of_displacement, double of_force)
{
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(generator, seed);
    for (size_t i = 0; i < drive->count; i++) {
        drive->displacement[i] += gsl_ran_gaussian(generator, of_displacement);
        drive->force[i] += gsl_ran_gaussian(generator, of_force);
    }
    gsl_rng_free(generator);
}

/* A way at constant speed, and a rest behind it. */
static void add_way(struct drive *drive, double to, size_t samples, double step_s)
{
    for (size_t i = 0; i < samples; i++, drive->count++) {
        ck_assert_uint_lt(drive->count, drive->room);
        drive->time_s[drive->count] = (double)drive->count * step_s;
        drive->displacement[drive->count] = to * (double)i / (double)(samples - 1);
    }
    add_rest(drive, samples / 2, step_s);
}

static const struct friction_model dahl = {.shape = FRICTION_DAHL, .f_c = 2, .x_d = 0.2};

static const struct {
    size_t samples, cycles;
    double noise;
} found_once[] = {
    {50, 200, 0},     {50, 200, 0.01}, {50, 200, 0.03},  {500, 200, 0},    {500, 200, 0.01},
    {500, 200, 0.03}, {5000, 60, 0},   {5000, 60, 0.01}, {5000, 60, 0.03},
};

START_TEST(every_loop_is_found_once)
{
    struct drive drive = drive_make(found_once[_i].samples * found_once[_i].cycles + 1);
    add_cycles(&drive, (double)found_once[_i].cycles, found_once[_i].samples, 1, 0.5);
    rub(&drive, &dahl);
    add_noise(&drive, 7 + (unsigned)_i, found_once[_i].noise, 2 * found_once[_i].noise);
    struct loop_findings *findings = analyse(&drive);
    /* It begins and ends within a thousandth of a cycle of a lower reversal, which nobody can see. */
    ck_assert_uint_eq(findings->loops, found_once[_i].cycles - 2);
    ck_assert_uint_eq(findings->runs, 1);
    ck_assert_int_eq(findings->verdict, VERDICT_OK);
    ck_assert_double_eq_tol(findings->figure[LOOP_STROKE].value, 2, 0.002 + found_once[_i].noise / 5);
    ck_assert_double_eq_tol(findings->figure[LOOP_PERIOD].value, 2, 0.002);
    for (size_t i = 0; i < findings->listed_loops; i++)
        ck_assert(findings->loop[i].figures.closes);
    free(findings);
    free(drive.displacement);
}
END_TEST

/* Noise that lasts for 2 to 30 samples hides between neighbours. */
static const struct {
    size_t samples, cycles;
    double lasts, noise;
} lasting[] = {
    {250, 40, 0.5, 0.03},  {250, 40, 0.9, 0.01},   {1000, 30, 0.5, 0.01}, {1000, 30, 0.9, 0.03},
    {4000, 12, 0.9, 0.03}, {4000, 12, 0.97, 0.03}, {4000, 12, 0.5, 0.03}, {4000, 12, 0.97, 0.003},
};

START_TEST(noise_that_lasts_is_no_loop)
{
    struct drive drive = drive_make(lasting[_i].samples * lasting[_i].cycles + 1);
    add_cycles(&drive, (double)lasting[_i].cycles, lasting[_i].samples, 1, 0.5);
    rub(&drive, &dahl);
    const double r = lasting[_i].lasts;
    double wander = 0;
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(generator, 11 + (unsigned)_i);
    for (size_t i = 0; i < drive.count; i++) {
        wander = r * wander + gsl_ran_gaussian(generator, lasting[_i].noise * sqrt(1 - r * r));
        drive.displacement[i] += wander;
    }
    gsl_rng_free(generator);
    add_noise(&drive, 7, 0, 0.02);
    struct loop_findings *findings = analyse(&drive);
    const struct estimate *stroke = &findings->figure[LOOP_STROKE];
    ck_assert_int_eq(findings->verdict, VERDICT_OK);
    ck_assert_uint_eq(findings->loops, lasting[_i].cycles - 2);
    ck_assert_uint_eq(findings->runs, 1);
    ck_assert_double_eq_tol(stroke->value, 2, 3.5 * stroke->combined.u);
    ck_assert_double_lt(stroke->combined.u, lasting[_i].noise / 4);
    ck_assert_double_eq_tol(findings->noise_displacement / lasting[_i].noise, 0.85, 0.25);
    free(findings);
    free(drive.displacement);
}
END_TEST

/* By 3 cycles each of many records, what a single loop says of itself is what its figures scatter by, also where the
 * noise lasts: r is what of a sample is left in the next. By white noise alone u was 0.06 to 0.4 of the scatter. */
static const struct {
    size_t samples;
    double force_r, force_noise, displacement_r, displacement_noise;
    double most_off; /* logarithm of u over the scatter */
} told_alone[] = {{200, 0, 0.02, 0, 0.005, 0.2},
                  {500, 0.5, 0.02, 0, 0.001, 0.35},
                  {2000, 0.9, 0.02, 0, 0.001, 0.35},
                  {500, 0, 0.005, 0.9, 0.02, 0.5}};

static void add_lasting(gsl_rng *generator, double r, double noise, size_t count, double *values)
{
    double wander = gsl_ran_gaussian(generator, noise);
    for (size_t i = 0; i < count; i++) {
        values[i] += wander;
        wander = r * wander + gsl_ran_gaussian(generator, noise * sqrt(1 - r * r));
    }
}

START_TEST(a_single_loop_is_as_uncertain_as_it_scatters_in_lasting_noise)
{
    enum { RECORDS = 100, LOOKED_AT = 3 };
    static const enum loop_figure figures[LOOKED_AT] = {LOOP_ENERGY, LOOP_FORWARD, LOOP_BACKWARD};
    double sum[LOOKED_AT] = {0}, squares[LOOKED_AT] = {0}, variance[LOOKED_AT] = {0};
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(generator, 71 + (unsigned)_i);
    for (int record = 0; record < RECORDS; record++) {
        struct drive drive = drive_make(3 * told_alone[_i].samples + 1);
        add_cycles(&drive, 3, told_alone[_i].samples, 1, 1);
        rub(&drive, &dahl);
        add_lasting(generator, told_alone[_i].force_r, told_alone[_i].force_noise, drive.count, drive.force);
        add_lasting(generator, told_alone[_i].displacement_r, told_alone[_i].displacement_noise, drive.count,
                    drive.displacement);
        struct loop_findings *findings = analyse(&drive);
        ck_assert_uint_ge(findings->listed_loops, 1);
        for (size_t k = 0; k < LOOKED_AT; k++) {
            const struct loop_figures *loop = &findings->loop[0].figures;
            sum[k] += loop->value[figures[k]] / RECORDS;
            squares[k] += pow(loop->value[figures[k]], 2) / RECORDS;
            variance[k] += pow(loop->se[figures[k]], 2) / RECORDS;
        }
        free(findings);
        free(drive.displacement);
    }
    for (size_t k = 0; k < LOOKED_AT; k++) {
        const double off = 0.5 * log(variance[k] / (squares[k] - sum[k] * sum[k]));
        ck_assert_msg(fabs(off) <= told_alone[_i].most_off, "u of %s is %g of its scatter",
                      loop_figure_name(figures[k]), exp(off));
    }
    gsl_rng_free(generator);
}
END_TEST

/* Trapezoids that stay at their ends for that part of a period each, mostly too short for their noise to be seen to
 * rest: the straight lines beside cross beyond where these were. */
static const struct {
    size_t samples;
    double stays, noise;
} staying[] = {
    {50, 0.1, 0.01},    {100, 0.1, 0.03},  {100, 0.15, 0.03},  {250, 0.06, 0.03},  {250, 0.15, 0.01},
    {1000, 0.03, 0.03}, {1000, 0.1, 0.03}, {1000, 0.15, 0.03}, {1000, 0.25, 0.03},
};

static double trapezoid(double phase, double stays)
{
    const double from_end = fabs(phase - floor(phase) - 0.5);
    return fmax(-1, fmin(1, (1 - 4 * from_end) / (1 - 2 * stays)));
}

START_TEST(a_stroke_ends_where_the_displacement_stays)
{
    enum { CYCLES = 40 };
    struct drive drive = drive_make(staying[_i].samples * CYCLES);
    for (; drive.count < drive.room; drive.count++) {
        drive.time_s[drive.count] = ((double)drive.count + 0.4) / (double)staying[_i].samples;
        drive.displacement[drive.count] = trapezoid(drive.time_s[drive.count] + 0.37, staying[_i].stays);
    }
    rub(&drive, &dahl);
    add_noise(&drive, 21 + (unsigned)_i, staying[_i].noise, 0.02);
    struct loop_findings *findings = analyse(&drive);
    const struct estimate *stroke = &findings->figure[LOOP_STROKE];
    ck_assert_int_eq(findings->verdict, VERDICT_OK);
    ck_assert_uint_eq(findings->loops, CYCLES - 1);
    ck_assert_double_eq_tol(stroke->value, 2, 3.5 * stroke->combined.u);
    ck_assert_double_lt(stroke->combined.u, 0.3 * staying[_i].noise);
    free(findings);
    free(drive.displacement);
}
END_TEST

/* Where the ways there and back are sampled at unlike rates, one changes for the other at the turn itself. */
START_TEST(another_pace_of_sampling_at_the_turn_moves_no_stroke)
{
    enum { CYCLES = 24 };
    static const double pace[] = {0.25, 1, 3};
    const double noise = 0.003;
    double phase = 0.17;
    struct drive drive = drive_make(CYCLES * 1000);
    for (; drive.count < drive.room; drive.count++) {
        drive.time_s[drive.count] = phase;
        drive.displacement[drive.count] = -cos(2 * M_PI * phase);
        phase += 0.001 * (phase - floor(phase) < 0.5 ? 2 : 2 * pace[_i]) / (1 + pace[_i]);
    }
    rub(&drive, &dahl);
    add_noise(&drive, 31 + (unsigned)_i, noise, noise);
    struct loop_findings *findings = analyse(&drive);
    const struct estimate *stroke = &findings->figure[LOOP_STROKE];
    ck_assert_int_eq(findings->verdict, VERDICT_OK);
    ck_assert_double_eq_tol(stroke->value, 2, 3.5 * stroke->combined.u);
    ck_assert_double_lt(stroke->combined.u, 0.1 * noise);
    free(findings);
    free(drive.displacement);
}
END_TEST

/* Trapezoids that stay at their ends for few samples, which the noise hides at each of them: what all corners together
 * lack tells it. Lines that cross were 1 to 2 % farther apart. */
static const struct {
    size_t samples;
    double stays, noise;
} cut_off[] = {{200, 2.5, 0.003}, {200, 5, 0.03}, {500, 3.5, 0.01}, {1000, 2.5, 0.003}};

START_TEST(corners_that_are_cut_off_are_seen)
{
    enum { CYCLES = 30 };
    const double a_cycle = (double)cut_off[_i].samples + 0.37;
    struct drive drive = drive_make(CYCLES * cut_off[_i].samples);
    for (; drive.count < drive.room; drive.count++) {
        drive.time_s[drive.count] = ((double)drive.count + 0.4) / a_cycle;
        drive.displacement[drive.count] = trapezoid(drive.time_s[drive.count] + 0.37, cut_off[_i].stays / a_cycle);
    }
    rub(&drive, &dahl);
    add_noise(&drive, 41 + (unsigned)_i, cut_off[_i].noise, 0.02);
    struct loop_findings *findings = analyse(&drive);
    const struct estimate *stroke = &findings->figure[LOOP_STROKE];
    ck_assert_int_eq(findings->verdict, VERDICT_OK);
    ck_assert_double_eq_tol(stroke->value, 2, 3 * stroke->combined.u);
    ck_assert_double_lt(stroke->combined.u, cut_off[_i].stays / (double)cut_off[_i].samples);
    free(findings);
    free(drive.displacement);
}
END_TEST

/* Constant speed, but for ramps at either end of each way that take so much of it. */
static double with_ramps(double phase, double ramp)
{
    const double way = 2 * (phase - floor(phase)), gone = way < 1 ? way : way - 1, left = fmin(gone, 1 - gone);
    const double slow = left < ramp ? 0.5 * left * left / ramp : left - 0.5 * ramp, share = slow / (1 - ramp);
    return (way < 1 ? 1 : -1) * (gone < 0.5 ? 2 * share - 1 : 1 - 2 * share);
}

/* A triangle whose corners are round. */
static double rounded(double phase, double sharp)
{
    return -asin(sharp * cos(2 * M_PI * phase)) / asin(sharp);
}

/* Half a sine each way, of which one takes so much of the time. */
static double quick_return(double phase, double way)
{
    const double at = phase - floor(phase);
    return -cos(M_PI * (at < way ? at / way : 1 + (at - way) / (1 - way)));
}

/* Neither a crest of four terms nor a corner nor a level: what these are off is in the uncertainty. */
static const struct {
    double (*at)(double phase, double share);
    double share;
    size_t samples;
    double noise;
} other_shapes[] = {{with_ramps, 0.2, 1000, 0.003}, {with_ramps, 0.3, 1000, 0.003}, {rounded, 0.97, 200, 0.003},
                    {rounded, 0.99, 200, 0.003},    {rounded, 0.97, 1000, 0.01},    {quick_return, 0.7, 1000, 0.03}};

START_TEST(turns_of_another_shape_are_in_the_uncertainty)
{
    enum { CYCLES = 30 };
    const double noise = other_shapes[_i].noise;
    struct drive drive = drive_make(CYCLES * other_shapes[_i].samples);
    for (; drive.count < drive.room; drive.count++) {
        drive.time_s[drive.count] = ((double)drive.count + 0.4) / ((double)other_shapes[_i].samples + 0.37);
        drive.displacement[drive.count] = other_shapes[_i].at(drive.time_s[drive.count] + 0.3, other_shapes[_i].share);
    }
    rub(&drive, &dahl);
    add_noise(&drive, 51 + (unsigned)_i, noise, 0.02);
    struct loop_findings *findings = analyse(&drive);
    const struct estimate *stroke = &findings->figure[LOOP_STROKE];
    ck_assert_int_eq(findings->verdict, VERDICT_OK);
    ck_assert_double_eq_tol(stroke->value, 2, 3 * stroke->combined.u);
    ck_assert_double_lt(stroke->combined.u, 0.01 + 0.5 * noise);
    free(findings);
    free(drive.displacement);
}
END_TEST

/* Half a sine each way, and a dwell behind it that takes so much of the cycle. */
static double with_dwells(double phase, double dwell)
{
    const double way = 2 * (phase - floor(phase)), gone = way < 1 ? way : way - 1;
    return (way < 1 ? -1 : 1) * cos(M_PI * fmin(1, gone / (1 - 2 * dwell)));
}

/* Noise hides such dwells, and has the vertex anywhere in them: few periods are other ones for that. */
START_TEST(soft_dwells_cut_few_runs)
{
    enum { RECORDS = 10, CYCLES = 25, SAMPLES = 200 };
    size_t runs = 0;
    for (unsigned r = 0; r < RECORDS; r++) {
        struct drive drive = drive_make(CYCLES * SAMPLES);
        for (; drive.count < drive.room; drive.count++) {
            drive.time_s[drive.count] = ((double)drive.count + 0.4) / (SAMPLES + 0.37);
            drive.displacement[drive.count] = with_dwells(drive.time_s[drive.count] + 0.3, 0.08);
        }
        rub(&drive, &dahl);
        add_noise(&drive, 71 + r, 0.03, 0.02);
        struct loop_findings *findings = analyse(&drive);
        runs += findings->runs;
        free(findings);
        free(drive.displacement);
    }
    ck_assert_uint_le(runs, RECORDS * 3 / 2);
}
END_TEST

/* However far a stage goes to where it then is driven to and fro. */
START_TEST(loops_behind_a_long_way_are_found)
{
    struct drive drive = drive_make(6000);
    add_way(&drive, -500, 1000, 0.01);
    const size_t begin = drive.count;
    add_cycles(&drive, 12, 200, 1, 0.5);
    for (size_t i = begin; i < drive.count; i++)
        drive.displacement[i] += -500 + 1;
    rub(&drive, &dahl);
    add_noise(&drive, 5, 0.01, 0.02);
    struct loop_findings *findings = analyse(&drive);
    ck_assert_int_eq(findings->verdict, VERDICT_OK);
    ck_assert_uint_ge(findings->figure[LOOP_ENERGY].value > 0 ? findings->main_count : 0, 10);
    ck_assert_double_eq_tol(findings->figure[LOOP_STROKE].value, 2, 0.01);
    free(findings);
    free(drive.displacement);
}
END_TEST

START_TEST(noise_alone_is_no_motion)
{
    struct drive drive = drive_make(200000);
    for (; drive.count < drive.room; drive.count++)
        drive.time_s[drive.count] = 1e-3 * (double)drive.count;
    add_noise(&drive, 3, 1, 1);
    struct loop_findings *findings = analyse(&drive);
    ck_assert_int_eq(findings->verdict, VERDICT_NO_MOTION);
    ck_assert_uint_eq(findings->loops, 0);
    free(findings);
    free(drive.displacement);
}
END_TEST

/* E = 4 F_C (A - x_d tanh(A/x_d)), F(A) = F_C tanh(A/x_d), eta = E/(pi k A^2), c = E/(pi omega A^2) of a sine. */
START_TEST(figures_are_closed_forms)
{
    static const double amplitudes[] = {0.4, 1, 2};
    const double a = amplitudes[_i], energy = 8 * (a - 0.2 * tanh(a / 0.2)), k = 2 * tanh(a / 0.2) / a;
    struct drive drive = drive_make(2000);
    add_cycles(&drive, 12.3, 100, a, 0.5);
    rub(&drive, &dahl);
    struct loop_findings *findings = analyse(&drive);
    const struct estimate *figure = findings->figure;
    ck_assert_int_eq(findings->verdict, VERDICT_OK);
    ck_assert_double_eq_tol(figure[LOOP_ENERGY].value / energy, 1, 1e-5);
    ck_assert_double_lt(figure[LOOP_ENERGY].combined.u / energy, 1e-5);
    ck_assert_double_eq_tol(figure[LOOP_STROKE].value / (2 * a), 1, 1e-5);
    ck_assert_double_eq_tol(figure[LOOP_PERIOD].value, 2, 1e-6);
    ck_assert_double_eq_tol(figure[LOOP_K_SEC].value / k, 1, 1e-3);
    ck_assert_double_eq_tol(figure[LOOP_C_EQ].value / (energy / (M_PI * M_PI * a * a)), 1, 1e-4);
    ck_assert_double_eq_tol(figure[LOOP_LOSS_FACTOR].value / (energy / (M_PI * k * a * a)), 1, 1e-3);
    ck_assert(isnan(figure[LOOP_MU_FORWARD].value));
    ck_assert_double_eq_tol(figure[LOOP_FRICTION].value,
                            0.5 * (figure[LOOP_FORWARD].value - figure[LOOP_BACKWARD].value), 1e-12);
    free(findings);
    free(drive.displacement);
}
END_TEST

/* Cycles whose amplitude rises and falls again, between stops. */
static void swell_between_stops(struct drive *drive, double *friction)
{
    enum { CYCLES = 6, SAMPLES = 200 };
    const struct friction_model rubbing = {.shape = FRICTION_DAHL, .f_c = 0.05, .x_d = 0.01};
    for (; drive->count < (size_t)CYCLES * SAMPLES; drive->count++) {
        const double cycles = ((double)drive->count + 0.3) / SAMPLES;
        drive->time_s[drive->count] = 2 * cycles;
        drive->displacement[drive->count] =
            -fmin(1, 0.3 + 0.35 * fmin(cycles, CYCLES - cycles)) * cos(2 * M_PI * cycles);
    }
    rub(drive, &rubbing);
    for (size_t i = 0; i < drive->count; i++) {
        const double x = drive->displacement[i];
        friction[i] = drive->force[i];
        drive->force[i] += copysign(fmax(fabs(x) - 0.7, 0), x) * 6;
    }
}

/* A loop that ends on another stop than it began at has not got back yet what that one stores. */
START_TEST(what_a_loop_leaves_open_is_in_the_uncertainty)
{
    struct drive drive = drive_make(2000);
    double *friction = calloc(drive.room, sizeof *friction);
    size_t open = 0;
    ck_assert_ptr_nonnull(friction);
    swell_between_stops(&drive, friction);
    add_noise(&drive, 5, 1e-5, 1e-4);
    struct loop_findings *findings = analyse(&drive);
    ck_assert_uint_ge(findings->listed_loops, 4);
    for (size_t k = 0; k < findings->listed_loops; k++) {
        const struct loop_figures *figures = &findings->loop[k].figures;
        double dissipated = 0;
        for (size_t i = 1; i < drive.count; i++)
            if (drive.time_s[i] > figures->start_s && drive.time_s[i - 1] < figures->end_s)
                dissipated +=
                    0.5 * (friction[i] + friction[i - 1]) * (drive.displacement[i] - drive.displacement[i - 1]);
        const double off = figures->value[LOOP_ENERGY] - dissipated, u = figures->se[LOOP_ENERGY];
        /* A rectangular distribution ends at 1.73 of its standard deviations; what Dahl's friction stores is the rest.
         */
        ck_assert_msg(fabs(off) < 2 * u + 0.02 * dissipated, "loop %zu: %g, not %g, u %g", k,
                      figures->value[LOOP_ENERGY], dissipated, u);
        if (figures->closes)
            ck_assert_double_lt(u, 0.01 * dissipated);
        open += !figures->closes;
    }
    ck_assert_uint_ge(open, 2);
    free(findings);
    free(friction);
    free(drive.displacement);
}
END_TEST

/* Contacts whose force over the displacement has corners, or leaps: where a motion between -1 and 1 has come to on its
 * way up, by the point symmetry of the loop also on its way down. */
static double slides_behind_an_element(double x)
{
    return fmin(1, (x + 1) / 0.2 - 1);
}

static double closes_a_gap(double x)
{
    const double open = fmin(0.25, x + 1 - 0.25);
    return open > 0 ? fmax(0, open - 0.15) / 0.1 : fmin(0, open + 0.15) / 0.1;
}

static double gives_way_nowhere(double x)
{
    return x > -2 ? 1 : 0;
}

static const struct {
    double (*upwards)(double x);
    double energy; /* 4 F_C (A - D - b/2) */
} cornered[] = {{slides_behind_an_element, 3.2}, {closes_a_gap, 3}, {gives_way_nowhere, 4}};

enum { CORNERED = sizeof cornered / sizeof cornered[0] };

static struct drive drive_with_corners(size_t samples, double begin, double (*upwards)(double x))
{
    struct drive drive = drive_make(6 * samples);
    for (size_t i = 0; i < drive.room; i++, drive.count++) {
        const double phase = fmod(((double)i + begin) / (double)samples + 0.8, 1), x = -cos(2 * M_PI * phase);
        drive.time_s[i] = (double)i / (double)samples;
        drive.displacement[i] = x;
        drive.force[i] = phase < 0.5 ? upwards(x) : -upwards(-x);
    }
    return drive;
}

/* Without noise nothing else tells of what happens between two samples: wherever these are, the uncertainty of the
 * energy does, and those of the figures that follow from it. A steady drive has them at the same places in every loop,
 * so that it is no smaller for many of them. */
START_TEST(corners_between_samples_are_in_the_uncertainty)
{
    static const size_t samples[] = {60, 100, 331};
    enum { BEGINS = 8, SAMPLES = sizeof samples / sizeof samples[0] };
    const double truth = cornered[_i].energy;
    for (size_t k = 0; k < BEGINS * SAMPLES; k++) {
        struct drive drive =
            drive_with_corners(samples[k / BEGINS], (double)(k % BEGINS) / BEGINS, cornered[_i].upwards);
        struct loop_findings *findings = analyse(&drive);
        const struct estimate *energy = &findings->figure[LOOP_ENERGY], *damping = &findings->figure[LOOP_C_EQ];
        const struct loop_figures *one = &findings->loop[0].figures;
        ck_assert_double_le(fabs(energy->value - truth), 2 * energy->combined.u);
        ck_assert_double_le(fabs(one->value[LOOP_ENERGY] - truth), 2 * one->se[LOOP_ENERGY]);
        ck_assert_double_lt(energy->combined.u / truth, 20 / pow((double)samples[k / BEGINS], 2));
        ck_assert_double_ge(damping->combined.u / damping->value, 0.99 * energy->combined.u / energy->value);
        free(findings);
        free(drive.displacement);
    }
}
END_TEST

/* Where every loop is a run of its own, the figures are of the one that says most, not of how the drive started. */
START_TEST(of_single_loops_the_largest_counts)
{
    struct drive drive = drive_make(2000);
    for (; drive.count < 1500; drive.count++) {
        const double cycles = ((double)drive.count + 0.3) / 200;
        drive.time_s[drive.count] = 2 * cycles;
        drive.displacement[drive.count] = -0.2 * exp(0.25 * cycles) * cos(2 * M_PI * cycles);
    }
    rub(&drive, &dahl);
    struct loop_findings *findings = analyse(&drive);
    ck_assert_uint_ge(findings->runs, 5);
    ck_assert_uint_eq(findings->main_run, findings->runs);
    const struct loop_figures *last = &findings->loop[findings->listed_loops - 1].figures;
    ck_assert_double_eq_tol(findings->figure[LOOP_STROKE].value, last->value[LOOP_STROKE], 1e-9);
    free(findings);
    free(drive.displacement);
}
END_TEST

START_TEST(a_normal_force_gives_friction_coefficients)
{
    const struct friction_model rigid = {.shape = FRICTION_RIGID, .f_c = 3, .f_0 = 0.5};
    struct drive drive = drive_make(2000);
    add_cycles(&drive, 8, 200, 1, 1);
    rub(&drive, &rigid);
    for (size_t i = 0; i < drive.count; i++)
        drive.normal[i] = 10;
    drive.with_normal = true;
    struct loop_findings *findings = analyse(&drive);
    ck_assert_double_eq_tol(findings->figure[LOOP_FRICTION].value, 3, 1e-9);
    ck_assert_double_eq_tol(findings->figure[LOOP_MU_FORWARD].value, 0.35, 1e-9);
    ck_assert_double_eq_tol(findings->figure[LOOP_MU_BACKWARD].value, -0.25, 1e-9);
    free(findings);
    free(drive.displacement);
}
END_TEST

/* What the noise of a single loop says is what many loops scatter by. */
START_TEST(uncertainties_are_the_scatter)
{
    static const double noises[][2] = {{0, 0.02}, {0.01, 0}, {0.01, 0.02}};
    struct drive drive = drive_make(60000);
    add_cycles(&drive, 502, 100, 1, 1);
    rub(&drive, &dahl);
    add_noise(&drive, 11, noises[_i][0], noises[_i][1]);
    struct loop_findings *findings = analyse(&drive);
    ck_assert_uint_ge(findings->loops, 500);
    static const struct {
        enum loop_figure figure;
        double within;
    } told[] = {{LOOP_ENERGY, 0.1}, {LOOP_FORWARD, 0.15}, {LOOP_BACKWARD, 0.15}, {LOOP_K_SEC, 0.3}, {LOOP_C_EQ, 0.35}};
    for (size_t k = 0; k < sizeof told / sizeof told[0]; k++) {
        double squares = 0;
        for (size_t i = 0; i < findings->listed_loops; i++)
            squares += pow(findings->loop[i].figures.se[told[k].figure], 2) / (double)findings->listed_loops;
        if (k == 0 || noises[_i][1] > 0)
            ck_assert_double_eq_tol(sqrt(squares) / findings->run[0].scatter[told[k].figure], 1, told[k].within);
    }
    const double energy = 8 * (1 - 0.2 * tanh(5));
    ck_assert_double_lt(fabs(findings->figure[LOOP_ENERGY].value - energy), 4 * findings->figure[LOOP_ENERGY].se);
    for (int k = LOOP_ENERGY; k < LOOP_MU_FORWARD; k++)
        if (k != LOOP_LOSS_FACTOR)
            ck_assert_double_lt(findings->drift[k].significance, 4);
    free(findings);
    free(drive.displacement);
}
END_TEST

/* So is it where the force is that of a spring, where it leaps, where there are so many samples that noise of one
 * channel meets that of the other, and of a normal force. Rounds of samples shift where these lie in each loop. */
START_TEST(uncertainties_are_the_scatter_on_springs_leaps_and_dense_samples)
{
    static const struct {
        struct friction_model model;
        size_t samples;
        double displacement, force;
        bool plateaus; /* are as told; they are beside a leap, too, within a fifth */
    } rows[] = {
        {{.shape = FRICTION_DAHL, .f_c = 2, .x_d = 0.2, .k_x = 3}, 150, 0.01, 0.02, true},
        {{.shape = FRICTION_RIGID, .f_c = 2}, 150, 0.01, 0.02, false},
        {{.shape = FRICTION_DAHL, .f_c = 2, .x_d = 0.2}, 1000, 0.02, 0.06, true},
    };
    struct drive drive = drive_make(210000);
    for (int k = 0; k < 200; k++)
        add_cycles(&drive, 1, rows[_i].samples + (size_t)(k % 3), 1, 1);
    rub(&drive, &rows[_i].model);
    add_noise(&drive, 12, rows[_i].displacement, rows[_i].force);
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < drive.count; i++)
        drive.normal[i] = 10 + gsl_ran_gaussian(generator, 0.3);
    gsl_rng_free(generator);
    drive.with_normal = true;
    struct loop_findings *findings = analyse(&drive);
    ck_assert_uint_ge(findings->loops, 198);
    static const enum loop_figure told[] = {LOOP_ENERGY, LOOP_FORWARD, LOOP_BACKWARD, LOOP_MU_FORWARD,
                                            LOOP_MU_BACKWARD};
    for (size_t k = 0; k < sizeof told / sizeof told[0]; k++) {
        double squares = 0;
        for (size_t i = 0; i < findings->listed_loops; i++)
            squares += pow(findings->loop[i].figures.se[told[k]], 2) / (double)findings->listed_loops;
        const double within = told[k] == LOOP_ENERGY ? 0.1 : rows[_i].plateaus ? 0.18 : 0.25;
        ck_assert_double_eq_tol(sqrt(squares) / fabs(findings->run[0].scatter[told[k]]), 1, within);
    }
    free(findings);
    free(drive.displacement);
}
END_TEST

/* On a spring the plateau is the force in the middle of that part of the stroke, wherever samples lie. */
START_TEST(a_plateau_on_a_spring_has_its_place)
{
    const struct friction_model model = {.shape = FRICTION_RIGID, .f_c = 2, .k_x = 4};
    struct drive drive = drive_make(2000);
    add_cycles(&drive, 8, 40 + (size_t)_i, 1, 1);
    rub(&drive, &model);
    struct loop_findings *findings = analyse(&drive);
    ck_assert_double_eq_tol(findings->figure[LOOP_FORWARD].value, 2 + 4 * 0.55, 2e-3);
    ck_assert_double_eq_tol(findings->figure[LOOP_BACKWARD].value, -2 - 4 * 0.55, 2e-3);
    free(findings);
    free(drive.displacement);
}
END_TEST

START_TEST(runs_end_where_the_drive_changes)
{
    struct drive drive = drive_make(20000);
    add_cycles(&drive, 6, 200, 1, 1);
    add_rest(&drive, 1500, 0.005);
    add_cycles(&drive, 5, 200, 1, 1);
    add_cycles(&drive, 7, 200, 2, 1);
    add_cycles(&drive, 4, 200, 2, 0.5);
    rub(&drive, &dahl);
    struct loop_findings *findings = analyse(&drive);
    ck_assert_int_eq(findings->verdict, VERDICT_OK);
    /* Behind the jump of the stroke one loop is neither small nor large. */
    ck_assert_uint_ge(findings->runs, 4);
    ck_assert_uint_eq(findings->run[0].count, 5);
    ck_assert_int_eq(findings->run[0].ended_by, LOOP_RUN_REST);
    ck_assert_double_le(findings->run[0].end_s, 6.02);
    ck_assert_double_ge(findings->run[1].start_s, 13.4);
    ck_assert_int_eq(findings->run[1].ended_by, LOOP_RUN_STROKE);
    ck_assert_int_eq(findings->run[findings->listed_runs - 1].ended_by, LOOP_RUN_RECORD_ENDS);
    ck_assert_int_eq(findings->run[findings->listed_runs - 2].ended_by, LOOP_RUN_PERIOD);
    free(findings);
    free(drive.displacement);
}
END_TEST

START_TEST(a_drift_is_told_from_scatter)
{
    struct drive drive = drive_make(20000);
    add_cycles(&drive, 62, 100, 1, 1);
    rub(&drive, &dahl);
    for (size_t i = 0; i < drive.count; i++)
        drive.force[i] *= 1 + 0.1 * drive.time_s[i] / 60;
    add_noise(&drive, 5, 0.002, 0.02);
    struct loop_findings *findings = analyse(&drive);
    const struct loop_drift *energy = &findings->drift[LOOP_ENERGY], *stroke = &findings->drift[LOOP_STROKE];
    ck_assert_double_eq_tol(energy->change, 0.1 / 1.05, 0.01);
    ck_assert_double_gt(energy->significance, 10);
    ck_assert_double_lt(stroke->significance, 4);
    free(findings);
    free(drive.displacement);
}
END_TEST

/* A twentieth of the stroke over 60 cycles, about a mean that is no zero. */
START_TEST(a_middle_that_wanders_is_told)
{
    const double wander = 0.1 * _i;
    struct drive drive = drive_make(20000);
    add_cycles(&drive, 62, 100, 1, 1);
    for (size_t i = 0; i < drive.count; i++)
        drive.displacement[i] += 0.3 + wander * (drive.time_s[i] / 62 - 0.5);
    rub(&drive, &dahl);
    add_noise(&drive, 6, 0.002, 0.02);
    struct loop_findings *findings = analyse(&drive);
    const struct loop_drift *middle = &findings->drift[LOOP_MIDDLE];
    const struct estimate *mean = &findings->figure[LOOP_MIDDLE];
    ck_assert_uint_eq(findings->runs, 1);
    ck_assert_double_eq_tol(mean->value, 0.3, 1e-3);
    ck_assert_double_eq_tol(middle->change, 60.0 / 62 * wander / 2, 5e-4);
    ck_assert(_i > 0 ? middle->significance > 50 : middle->significance < 4);
    free(findings);
    free(drive.displacement);
}
END_TEST

/* Adds cycles between -1 and 1 at constant speed, sampled so that no sample is a reversal. */
static void add_triangles(struct drive *drive, double cycles, size_t samples)
{
    const double start_s = drive->count > 0 ? drive->time_s[drive->count - 1] : 0;
    for (size_t i = 1; i <= (size_t)(cycles * (double)samples); i++, drive->count++) {
        const double phase = fmod(((double)i + 0.3) / (double)samples, 1);
        ck_assert_uint_lt(drive->count, drive->room);
        drive->time_s[drive->count] = start_s + (double)i / (double)samples;
        drive->displacement[drive->count] = phase < 0.5 ? 4 * phase - 1 : 3 - 4 * phase;
    }
}

/* As a file of so many digits tells it, the ways there and back of an even motion are half a sample apart: no converter
 * cut it into steps. */
START_TEST(an_even_motion_that_dwells_has_its_stroke)
{
    enum { A_PERIOD = 150, PERIODS = 6 };
    const double dwell = 0.05, ramp = 0.5 - dwell;
    struct drive drive = drive_make(PERIODS * A_PERIOD);
    for (size_t i = 0; i < drive.room; i++, drive.count++) {
        const double t = (double)i / A_PERIOD, phase = fmod(t, 0.5), sense = fmod(t, 1) < 0.5 ? 1 : -1;
        drive.time_s[i] = t;
        drive.displacement[i] = sense * 1e-9 * rint(1e9 * (fmin(2 * phase / ramp, 2) - 1));
    }
    rub(&drive, &dahl);
    struct loop_findings *findings = analyse(&drive);
    ck_assert_double_eq_tol(findings->figure[LOOP_STROKE].value, 2, 1e-6);
    free(findings);
    free(drive.displacement);
}
END_TEST

static const struct {
    size_t samples;
    double noise;
} triangles[] = {{100, 0},    {100, 0.001}, {100, 0.01}, {100, 0.03},   {100, 0.0003}, {500, 0},    {500, 0.001},
                 {500, 0.01}, {500, 0.03},  {5000, 0},   {5000, 0.001}, {5000, 0.01},  {5000, 0.03}};

START_TEST(a_triangle_has_its_corners)
{
    struct drive drive = drive_make(41 * triangles[_i].samples);
    add_triangles(&drive, 40, triangles[_i].samples);
    rub(&drive, &dahl);
    add_noise(&drive, 17 + (unsigned)_i, triangles[_i].noise, 2 * triangles[_i].noise);
    struct loop_findings *findings = analyse(&drive);
    const struct estimate *stroke = &findings->figure[LOOP_STROKE], *damping = &findings->figure[LOOP_C_EQ];
    const double energy = findings->figure[LOOP_ENERGY].value;
    ck_assert_uint_eq(findings->runs, 1);
    /* Which samples are near the corner depends on their noise, which costs a share of it. */
    ck_assert_double_lt(fabs(stroke->value - 2), 3 * stroke->se + 0.4 * triangles[_i].noise + 1e-9);
    ck_assert_double_lt(stroke->se, 1e-6 + 0.3 * triangles[_i].noise);
    /* The speed is 4. */
    ck_assert_double_lt(fabs(damping->value / (energy / 16) - 1), 3 * damping->se / damping->value + 1e-6);
    free(findings);
    free(drive.displacement);
}
END_TEST

/* The noise has no say in which samples tell of a corner: by those that it kept near strokes were 0.4 % too small. */
START_TEST(noise_shortens_no_triangle)
{
    enum { RECORDS = 6 };
    double off = 0;
    for (unsigned r = 0; r < RECORDS; r++) {
        struct drive drive = drive_make(41 * 200);
        add_triangles(&drive, 40, 200);
        rub(&drive, &dahl);
        add_noise(&drive, 101 + r, 0.03, 0.02);
        struct loop_findings *findings = analyse(&drive);
        off += (findings->figure[LOOP_STROKE].value / 2 - 1) / RECORDS;
        free(findings);
        free(drive.displacement);
    }
    ck_assert_double_lt(fabs(off), 0.0025);
}
END_TEST

/* Nor does it cut any of its corners off, however many triangles are looked at. */
START_TEST(noise_cuts_no_corner_off)
{
    enum { RECORDS = 120 };
    for (unsigned r = 0; r < RECORDS; r++) {
        struct drive drive = drive_make(7 * 120);
        add_triangles(&drive, 6, 120);
        rub(&drive, &dahl);
        add_noise(&drive, 301 + r, 0.003, 0.02);
        struct loop_findings *findings = analyse(&drive);
        ck_assert_double_lt(fabs(findings->figure[LOOP_STROKE].value / 2 - 1), 0.004);
        free(findings);
        free(drive.displacement);
    }
}
END_TEST

/* Where the force leaps at the corner splines would lose 0.28 of the leap times the way of a sample. A spring beside it
 * does no work, but hides a part of the leap. */
START_TEST(a_leap_at_a_corner_is_not_lost)
{
    static const struct {
        size_t samples;
        double spring, noise, within;
    } leaps[] = {{60, 0, 0, 1e-5},     {100, 0, 0, 1e-5}, {500, 0, 0, 1e-5},
                 {100, 0, 0.01, 2e-3}, {40, 10, 0, 0.03}, {100, 40, 0, 0.02}};
    struct drive drive = drive_make(41 * leaps[_i].samples);
    add_triangles(&drive, 40, leaps[_i].samples);
    for (size_t i = 0; i < drive.count; i++)
        drive.force[i] = (fmod(((double)i + 1.3) / (double)leaps[_i].samples, 1) < 0.5 ? 2 : -2) +
                         leaps[_i].spring * drive.displacement[i];
    add_noise(&drive, 29, leaps[_i].noise, 2 * leaps[_i].noise);
    struct loop_findings *findings = analyse(&drive);
    const struct estimate *energy = &findings->figure[LOOP_ENERGY];
    ck_assert_double_eq_tol(energy->value / 8, 1, leaps[_i].within);
    ck_assert_double_le(fabs(energy->value - 8), 2 * energy->combined.u);
    free(findings);
    free(drive.displacement);
}
END_TEST

/* Takes what an encoder of such steps tells of a displacement; it begins somewhere in a step. */
static void cut_into_steps(struct drive *drive, double step, double begin)
{
    for (size_t i = 0; i < drive->count; i++)
        drive->displacement[i] = step * rint(drive->displacement[i] / step + begin) - step * begin;
}

static struct loop_findings *analyse_steps(double steps_a_stroke, double begin, size_t samples)
{
    enum { CYCLES = 8 };
    struct drive drive = drive_make(CYCLES * samples + 1);
    add_cycles(&drive, CYCLES, samples, 1, 1);
    rub(&drive, &dahl);
    cut_into_steps(&drive, 2 / steps_a_stroke, begin);
    add_noise(&drive, 5, 0, 0.002);
    struct loop_findings *findings = analyse(&drive);
    free(drive.displacement);
    return findings;
}

/* Steps of an encoder lie alike in every loop, so that these do not scatter: wherever its first step begins, energy,
 * stroke and viscous coefficient are off by what their uncertainties say. */
START_TEST(steps_of_an_encoder_are_in_the_uncertainties)
{
    enum { BEGINS = 16 };
    static const double steps[] = {8, 11, 24, 60};
    static const enum loop_figure figure[] = {LOOP_ENERGY, LOOP_STROKE, LOOP_C_EQ};
    const double energy = 4 * dahl.f_c * (1 - dahl.x_d * tanh(1 / dahl.x_d));
    const double truth[] = {energy, 2, energy / (2 * M_PI * M_PI)};
    double off[3] = {0}, told[3] = {0};
    for (int b = 0; b < BEGINS; b++) {
        struct loop_findings *findings = analyse_steps(steps[_i], (double)b / BEGINS, 331);
        ck_assert_int_eq(findings->verdict, VERDICT_OK);
        for (int k = 0; k < 3; k++) {
            off[k] += pow(findings->figure[figure[k]].value - truth[k], 2);
            told[k] += pow(findings->figure[figure[k]].combined.u, 2);
        }
        free(findings);
    }
    for (int k = 0; k < 3; k++)
        ck_assert_double_lt(off[k], 2 * told[k]);
    ck_assert_double_gt(off[0], 0.2 * told[0]);
}
END_TEST

/* Also where a cycle has so many samples that it rests equally long before each step, as a stepper motor does. */
START_TEST(a_stroke_of_four_steps_draws_no_loop)
{
    static const size_t samples[] = {331, 100};
    for (int b = 0; b < 4; b++) {
        struct loop_findings *findings = analyse_steps(4, 0.25 * b, samples[_i]);
        ck_assert_int_eq(findings->verdict, VERDICT_DISPLACEMENT_COARSE);
        free(findings);
    }
}
END_TEST

/* Rests at both ends of each stroke. */
static void add_dwells(struct drive *drive, size_t samples)
{
    for (size_t i = 1; i < drive->count; i++)
        if (i % 31 < samples)
            drive->displacement[i] = drive->displacement[i - 1];
}

/* Loops are found, and the ladder says this. Ends the drive. */
static void expect_of_ladder(struct drive *drive, enum verdict verdict)
{
    const struct identify_settings settings = {.physical = physical_default_settings(), .ladder = true};
    const struct record_trace traces[] = {{.values = drive->displacement, .count = drive->count, .stride = 1},
                                          {.values = drive->force, .count = drive->count, .stride = 1},
                                          {.values = drive->time_s, .count = drive->count, .stride = 1}};
    struct loop_findings *findings = malloc(sizeof *findings);
    ck_assert_ptr_nonnull(findings);
    ck_assert_int_eq(analyse_loop(&(struct record){traces, 3, NULL}, VERDICT_OK, &settings, findings), VERDICT_OK);
    ck_assert_int_eq(findings->ladder.verdict, verdict);
    free(findings);
    free(drive->displacement);
}

/* There are samples enough for a ladder, but for those between two steps, which seem to rest: it is the steps that are
 * told, and not that samples lack. Where the drive itself rests no finer encoder helps. */
START_TEST(steps_that_leave_too_few_samples_are_told)
{
    static const struct {
        size_t cycles, dwell;
        double steps_a_stroke;
        enum verdict verdict;
    } records[] = {{4, 0, 7, VERDICT_DISPLACEMENT_COARSE},
                   {3, 0, 7, VERDICT_TOO_FEW_SAMPLES},
                   {4, 10, 200, VERDICT_TOO_FEW_SAMPLES}};
    struct drive drive = drive_make(400);
    add_cycles(&drive, (double)records[_i].cycles, 62, 1, 1);
    add_dwells(&drive, records[_i].dwell);
    rub(&drive, &dahl);
    cut_into_steps(&drive, 2 / records[_i].steps_a_stroke, 0.2);
    add_noise(&drive, 5, 0, 0.002);
    expect_of_ladder(&drive, records[_i].verdict);
}
END_TEST

/* Samples enough, and noise that hides which way most of them go: it is told, and not that samples lack. */
START_TEST(noise_that_hides_the_motion_is_told)
{
    static const double noise[] = {0.01, 0.14};
    struct drive drive = drive_make(400);
    add_cycles(&drive, 20, 16, 1, 1);
    rub(&drive, &dahl);
    add_noise(&drive, 5, noise[_i], 0.02);
    expect_of_ladder(&drive, _i == 0 ? VERDICT_OK : VERDICT_DISPLACEMENT_NOISY);
}
END_TEST

/* One loop of forty without a figure leaves it to the run; five of forty do not. */
START_TEST(a_few_loops_may_lack_a_figure)
{
    enum { COUNT = 40 };
    static const size_t lacking[] = {0, 1, 4, 5};
    struct loop_figures loops[COUNT] = {{.gap = false}};
    struct loop_run run;
    for (size_t i = 0; i < COUNT; i++)
        for (int k = 0; k < LOOP_FIGURES; k++)
            loops[i].value[k] = 1 + (i % 2 ? 0.01 : -0.01);
    for (size_t i = 0; i < lacking[_i]; i++)
        loops[7 * i].value[LOOP_MU_FORWARD] = NAN;
    loop_run_summarise(loops, COUNT, &run);
    ck_assert_double_eq_tol(run.figure[LOOP_ENERGY].value, 1, 1e-9);
    if (lacking[_i] > 4) {
        ck_assert_double_nan(run.figure[LOOP_MU_FORWARD].value);
        return;
    }
    ck_assert_double_eq_tol(run.figure[LOOP_MU_FORWARD].value, 1, 0.002);
    ck_assert_double_eq_tol(run.scatter[LOOP_MU_FORWARD], 0.01, 0.002);
    ck_assert_double_ge(run.figure[LOOP_MU_FORWARD].se, run.figure[LOOP_ENERGY].se);
}
END_TEST

/* Of a figure of normal scatter the largest are those that lack, as of a plateau near the end of a sensor's range: the
 * mean of the others is off by no more than what is told. */
START_TEST(loops_that_lack_a_figure_may_be_the_largest)
{
    enum { COUNT = 400 };
    static const size_t lacking[] = {1, 4, 10, 39};
    struct loop_figures loops[COUNT] = {{.gap = false}};
    struct loop_run run;
    for (size_t i = 0; i < COUNT; i++) {
        /* Neighbours are not alike: 147 and 400 have no common factor. */
        const size_t place = i * 147 % COUNT;
        const bool lacks = place >= COUNT - lacking[_i];
        for (int k = 0; k < LOOP_FIGURES; k++)
            loops[i].value[k] = lacks ? (double)NAN : gsl_cdf_ugaussian_Pinv(((double)place + 0.5) / COUNT);
    }
    loop_run_summarise(loops, COUNT, &run);
    const struct estimate *energy = &run.figure[LOOP_ENERGY];
    const double by_chance = run.scatter[LOOP_ENERGY] / sqrt(COUNT - (double)lacking[_i]);
    const double by_lacking = sqrt(energy->se * energy->se - by_chance * by_chance);
    ck_assert_double_le(fabs(energy->value), by_lacking * 1.1);
    ck_assert_double_ge(fabs(energy->value), by_lacking * 0.9);
}
END_TEST

/* What the force drifts by in a loop times half the stroke is missing from the integral over each, or is too much. Not
 * where the friction grows, which moves the plateaus apart. */
START_TEST(a_force_that_drifts_is_in_the_uncertainty_of_the_energy)
{
    enum { COUNT = 20 };
    static const struct {
        double forward, backward; /* change from loop to loop */
        double told;              /* of the energy */
    } rows[] = {{0.01, 0.01, 0.01}, {-0.004, -0.004, 0.004}, {0.01, -0.01, 0}, {0, 0, 0}};
    struct loop_figures loops[COUNT] = {{.gap = false}};
    struct loop_run run;
    for (size_t i = 0; i < COUNT; i++) {
        const double noise = i % 2 ? 1e-4 : -1e-4;
        for (int k = 0; k < LOOP_FIGURES; k++)
            loops[i].value[k] = 4 + noise;
        loops[i].value[LOOP_STROKE] = 2 + noise;
        loops[i].value[LOOP_FORWARD] = 1 + rows[_i].forward * (double)i + noise;
        loops[i].value[LOOP_BACKWARD] = -1 + rows[_i].backward * (double)i - noise;
    }
    loop_run_summarise(loops, COUNT, &run);
    ck_assert_double_eq_tol(run.figure[LOOP_ENERGY].se, rows[_i].told, 2e-4);
    ck_assert_double_eq_tol(run.figure[LOOP_C_EQ].se, rows[_i].told, 2e-4);
    ck_assert_double_le(run.figure[LOOP_STROKE].se, 2e-4);
}
END_TEST

/* Takes out the samples from one phase to another, in cycles of a second. */
static void cut(struct drive *drive, double from_s, double to_s)
{
    size_t kept = 0;
    for (size_t i = 0; i < drive->count; i++) {
        if (drive->time_s[i] > from_s && drive->time_s[i] < to_s)
            continue;
        drive->time_s[kept] = drive->time_s[i];
        drive->displacement[kept] = drive->displacement[i];
        drive->force[kept++] = drive->force[i];
    }
    drive->count = kept;
}

START_TEST(a_gap_beside_a_reversal_spoils_no_stroke)
{
    static const double off_s[] = {-0.31, -0.2, -0.13, -0.115, -0.104, -0.06, 0.003, 0.01, 0.02, 0.04};
    static const double at_s[] = {4, 4.5};
    for (size_t k = 0; k < 2; k++) {
        struct drive drive = drive_make(2000);
        add_cycles(&drive, 8, 200, 1, 1);
        rub(&drive, &dahl);
        add_noise(&drive, 21, 0.002, 0.004);
        cut(&drive, at_s[k] + off_s[_i], at_s[k] + off_s[_i] + (_i % 2 ? 0.11 : 0.3));
        struct loop_findings *findings = analyse(&drive);
        ck_assert_uint_ge(findings->loops, 4);
        for (size_t i = 0; i < findings->listed_loops; i++)
            ck_assert_double_eq_tol(findings->loop[i].figures.value[LOOP_STROKE], 2, 0.02);
        free(findings);
        free(drive.displacement);
    }
}
END_TEST

/* A contact that was at ease when the second of two runs began, each of which begins and ends at its lower end: what
 * lies between is no rest, and neither the loop that the first run does not end nor that in which friction is still
 * built up, whose energy is another one, is of a run. */
START_TEST(a_run_behind_a_gap_begins_like_a_record)
{
    enum { CYCLES = 6, SAMPLES = 200, RUN = CYCLES * SAMPLES };
    const double truth = 4 * dahl.f_c * (1 - dahl.x_d * tanh(1 / dahl.x_d));
    struct drive drive = drive_make(2 * RUN), first = drive;
    add_cycles(&drive, CYCLES, SAMPLES, 1, 1);
    first.count = RUN;
    rub(&first, &dahl);
    add_cycles(&drive, CYCLES, SAMPLES, 1, 1);
    for (size_t i = RUN; i < drive.count; i++)
        drive.time_s[i] += _i == 0 ? 30 : 0.5;
    struct drive second = {.displacement = drive.displacement + RUN,
                           .force = drive.force + RUN,
                           .time_s = drive.time_s + RUN,
                           .count = RUN};
    rub(&second, &dahl);
    for (size_t i = 0; i < SAMPLES; i++)
        second.force[i] += dahl.f_c * exp(-(second.displacement[i] + 1) / dahl.x_d);
    add_noise(&drive, 4, 1e-4, 1e-3);
    struct loop_findings *findings = analyse(&drive);
    ck_assert_uint_eq(findings->runs, 2);
    ck_assert_str_eq(loop_run_end_name(findings->run[0].ended_by), "gap");
    for (size_t r = 0; r < 2; r++) {
        ck_assert_uint_eq(findings->run[r].count, CYCLES - 2);
        ck_assert_double_eq_tol(findings->run[r].figure[LOOP_ENERGY].value / truth, 1, 2e-3);
        ck_assert_double_eq_tol(findings->run[r].figure[LOOP_STROKE].value, 2, 1e-3);
    }
    free(findings);
    free(drive.displacement);
}
END_TEST

/* Half a period of motion, then a rest of a fifth of it, with the noise of the sensor. */
START_TEST(a_dwell_has_its_middle)
{
    struct drive drive = drive_make(30000);
    for (int i = 0; i < 40; i++) {
        for (size_t k = 0; k < 200; k++, drive.count++)
            drive.displacement[drive.count] = (i % 2 ? 1 : -1) * cos(M_PI * (double)k / 200);
        for (size_t k = 0; k < 80; k++, drive.count++)
            drive.displacement[drive.count] = i % 2 ? -1 : 1;
    }
    for (size_t i = 0; i < drive.count; i++)
        drive.time_s[i] = (double)i / 560;
    rub(&drive, &dahl);
    add_noise(&drive, 13, 0.01, 0.02);
    struct loop_findings *findings = analyse(&drive);
    ck_assert_int_eq(findings->verdict, VERDICT_OK);
    ck_assert_uint_ge(findings->run[0].count, 18);
    ck_assert_double_eq_tol(findings->figure[LOOP_PERIOD].value, 1, 0.002);
    ck_assert_double_lt(findings->run[0].scatter[LOOP_PERIOD], 0.012);
    ck_assert_double_eq_tol(findings->figure[LOOP_STROKE].value, 2, 0.005);
    ck_assert_double_eq_tol(findings->figure[LOOP_ENERGY].value, 8 * (1 - 0.2 * tanh(5)), 0.02);
    free(findings);
    free(drive.displacement);
}
END_TEST

/* A trapezoid of period 1 that rests at either end for less than a sine stays near its own: one run, however the noise
 * has its reversals wander in the rests. The noise of 1 % hides a rest of a fiftieth. */
START_TEST(short_rests_cut_no_run)
{
    enum { A_CYCLE = 500, CYCLES = 12 };
    static const struct {
        double rest, noise, within;
    } rows[] = {{0.02, 0, 0.01},    {0.05, 0, 0.001},    {0.1, 0, 0.001},    {0.02, 0.01, 0.03},
                {0.05, 0.01, 0.03}, {0.1, 0.002, 0.005}, {0.11, 0.01, 0.02}, {0.2, 0.01, 0.012}};
    struct drive drive = drive_make(A_CYCLE * CYCLES);
    for (; drive.count < A_CYCLE * CYCLES; drive.count++) {
        const double phase = (double)drive.count / A_CYCLE + 0.3, half = fmod(phase, 0.5);
        const double gone = fmax(0, half - rows[_i].rest) / (0.5 - rows[_i].rest);
        drive.time_s[drive.count] = (double)drive.count / A_CYCLE;
        drive.displacement[drive.count] = (phase - floor(phase) < 0.5 ? 1 : -1) * (2 * gone - 1);
    }
    rub(&drive, &dahl);
    add_noise(&drive, 17, rows[_i].noise, 0.02);
    struct loop_findings *findings = analyse(&drive);
    ck_assert_int_eq(findings->verdict, VERDICT_OK);
    ck_assert_uint_eq(findings->loops, CYCLES - 1);
    ck_assert_uint_eq(findings->runs, 1);
    for (size_t i = 0; i < findings->listed_loops; i++)
        ck_assert_double_eq_tol(findings->loop[i].figures.value[LOOP_PERIOD], 1, rows[_i].within);
    free(findings);
    free(drive.displacement);
}
END_TEST

/* Where a trapezoid of that rest at either end is in its cycle, of period 1 from -1 to 1. */
static double trapezoid_at(double phase, double rest)
{
    const double gone = fmax(0, fmod(phase, 0.5) - rest) / (0.5 - rest);
    return (phase - floor(phase) < 0.5 ? 1 : -1) * (2 * gone - 1);
}

static const struct {
    size_t a_cycle;
    double rest, noise;
} trapezoids[] = {{100, 0.1, 0}, {50, 0.1, 0}, {100, 0.05, 0}, {60, 0.1, 0}, {100, 0.2, 0}, {100, 0.15, 0.001}};

/* No difference over the end of a rest is a speed, and where it rests the stroke is that of the rest, however few
 * samples this takes. */
START_TEST(a_trapezoid_has_its_speed)
{
    enum { CYCLES = 30 };
    const size_t a_cycle = trapezoids[_i].a_cycle;
    const double moves = 1 - 2 * trapezoids[_i].rest, noise = trapezoids[_i].noise;
    struct drive drive = drive_make(CYCLES * a_cycle);
    for (; drive.count < drive.room; drive.count++) {
        drive.time_s[drive.count] = (double)drive.count / (double)a_cycle;
        drive.displacement[drive.count] = trapezoid_at(drive.time_s[drive.count] + 0.3037, trapezoids[_i].rest);
    }
    rub(&drive, &dahl);
    add_noise(&drive, 19, noise, noise);
    struct loop_findings *findings = analyse(&drive);
    const struct estimate *stroke = &findings->figure[LOOP_STROKE], *damping = &findings->figure[LOOP_C_EQ];
    const double truth = findings->figure[LOOP_ENERGY].value * moves / 16;
    ck_assert_uint_eq(findings->loops, CYCLES - 1);
    ck_assert_double_lt(fabs(stroke->value - 2), 3 * stroke->se + 1e-9);
    ck_assert_double_lt(fabs(damping->value / truth - 1), 1e-6 + 0.5 * noise);
    ck_assert_double_gt(findings->loop[1].figures.rest_s, 2 * trapezoids[_i].rest - 2.1 / (double)a_cycle);
    free(findings);
    free(drive.displacement);
}
END_TEST

/* A rest that the noise hides is in the uncertainty of what follows from the speed. */
START_TEST(a_hidden_rest_is_in_the_uncertainty)
{
    enum { CYCLES = 80, A_CYCLE = 100 };
    const double rest = 0.15;
    struct drive drive = drive_make(CYCLES * A_CYCLE);
    for (; drive.count < drive.room; drive.count++) {
        drive.time_s[drive.count] = (double)drive.count / A_CYCLE;
        drive.displacement[drive.count] = trapezoid_at(drive.time_s[drive.count] + 0.3037, rest);
    }
    rub(&drive, &dahl);
    add_noise(&drive, 19, 0.01, 0.02);
    struct loop_findings *findings = analyse(&drive);
    const struct estimate *damping = &findings->figure[LOOP_C_EQ];
    const double truth = findings->figure[LOOP_ENERGY].value * (1 - 2 * rest) / 16;
    ck_assert_double_lt(fabs(damping->value - truth), 2 * damping->combined.u);
    ck_assert_double_lt(damping->combined.u, 0.03 * truth);
    free(findings);
    free(drive.displacement);
}
END_TEST

/* A loop that is told of while it still rests at its end has the rest, and the speed, of whole ones. */
START_TEST(a_loop_that_rests_at_its_end_is_whole)
{
    enum { A_CYCLE = 500, SO_FAR = 580 };
    static const size_t extreme[3] = {100, 350, 570};
    const double rest = 0.2;
    struct drive drive = drive_make(SO_FAR);
    for (; drive.count < SO_FAR; drive.count++) {
        drive.time_s[drive.count] = (double)drive.count / A_CYCLE;
        drive.displacement[drive.count] = trapezoid_at(drive.time_s[drive.count] + 0.9, rest);
    }
    rub(&drive, &dahl);
    struct loop_signal signal = {
        .time_s = drive.time_s, .displacement = drive.displacement, .force = drive.force, .count = drive.count};
    const struct physical_settings physical = physical_default_settings();
    struct loop_figures figures;
    ck_assert_int_eq(latest_loop_figures(&signal, &physical.contact, extreme, &figures), 0);
    ck_assert_double_eq_tol(figures.rest_s, 2 * rest, 0.01);
    ck_assert_double_eq_tol(figures.value[LOOP_PERIOD], 1, 0.01);
    ck_assert_double_eq_tol(figures.value[LOOP_C_EQ] / (figures.value[LOOP_ENERGY] * (1 - 2 * rest) / 16), 1, 1e-3);
    free(drive.displacement);
}
END_TEST

START_TEST(an_upper_pause_is_a_rest)
{
    struct drive drive = drive_make(20000);
    add_cycles(&drive, 3.5, 200, 1, 1);
    add_rest(&drive, 300, 0.005);
    for (size_t i = 0; i < 500; i++, drive.count++) {
        drive.time_s[drive.count] = drive.time_s[drive.count - 1] + 0.005;
        drive.displacement[drive.count] = cos(2 * M_PI * (double)(i + 1) / 200);
    }
    rub(&drive, &dahl);
    struct loop_findings *findings = analyse(&drive);
    double longest = 0;
    for (size_t i = 0; i < findings->listed_loops; i++)
        longest = fmax(longest, findings->loop[i].figures.rest_s);
    ck_assert_double_eq_tol(longest, 1.5, 0.2);
    free(findings);
    free(drive.displacement);
}
END_TEST

/* Friction that is another one in each loop scatters in both directions alike; no run ends for it. */
START_TEST(friction_has_its_own_scatter)
{
    struct drive drive = drive_make(20000);
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    double level = 1;
    add_cycles(&drive, 40, 200, 1, 1);
    rub(&drive, &dahl);
    for (size_t i = 0; i < drive.count; i++) {
        level = i % 200 == 0 ? 1 + gsl_ran_gaussian(generator, 0.05) : level;
        drive.force[i] *= level;
    }
    gsl_rng_free(generator);
    add_noise(&drive, 5, 1e-4, 1e-3);
    struct loop_findings *findings = analyse(&drive);
    ck_assert_uint_eq(findings->runs, 1);
    ck_assert_double_eq_tol(findings->figure[LOOP_FRICTION].se / findings->figure[LOOP_FORWARD].se, 1, 0.05);
    /* What is not configured of the instruments counts as exact. */
    ck_assert(findings->figure[LOOP_FRICTION].combined.known);
    ck_assert_double_eq(findings->figure[LOOP_FRICTION].combined.u, findings->figure[LOOP_FRICTION].se);
    free(findings);
    free(drive.displacement);
}
END_TEST

START_TEST(a_single_loop_has_its_period)
{
    struct drive drive = drive_make(2000);
    add_cycles(&drive, 2.3, 200, 1, 1);
    rub(&drive, &dahl);
    struct loop_findings *findings = analyse(&drive);
    ck_assert_uint_eq(findings->loops, 1);
    ck_assert_double_eq_tol(findings->figure[LOOP_PERIOD].value, 1, 1e-3);
    ck_assert(isnan(findings->figure[LOOP_PERIOD].se));
    free(findings);
    free(drive.displacement);
}
END_TEST

/* A record, and what is wrong with it. */
static void swap(struct drive *drive)
{
    double *displacement = drive->displacement;
    drive->displacement = drive->force;
    drive->force = displacement;
}

static void turn_force(struct drive *drive)
{
    for (size_t i = 0; i < drive->count; i++)
        drive->force[i] = -drive->force[i];
}

static void only_spring(struct drive *drive)
{
    for (size_t i = 0; i < drive->count; i++)
        drive->force[i] = 5 * drive->displacement[i];
    add_noise(drive, 2, 0, 0.05);
}

static void half_a_loop(struct drive *drive)
{
    drive->count = 140;
}

static void clip_force(struct drive *drive)
{
    add_noise(drive, 2, 0, 0.05);
    for (size_t i = 0; i < drive->count; i++)
        drive->force[i] = fmin(drive->force[i], 1.2);
}

/* The sensor gives 0 for a while in every cycle, where the drive rests, or in three of four where it goes on. */
static void clip_and_rest(struct drive *drive)
{
    clip_force(drive);
    for (size_t cycle = 0; cycle + 1 < drive->count / 200; cycle++)
        for (size_t i = 200 * cycle + 95; i < 200 * cycle + 105; i++) {
            drive->force[i] = 0;
            drive->displacement[i] = drive->displacement[200 * cycle + 95];
        }
}

static void clip_and_miss(struct drive *drive)
{
    clip_force(drive);
    for (size_t i = 0; i < drive->count; i++)
        if (i / 200 % 4 > 0 && i % 200 >= 145 && i % 200 < 155)
            drive->force[i] = 0;
}

/* Of a simulation: what leaves its limit late behind a turn is no contact. */
static void clip_without_noise(struct drive *drive)
{
    for (size_t i = 0; i < drive->count; i++)
        drive->force[i] = fmin(drive->force[i], 1.8);
}

/* Several elements without noise are at their limit, too, but leave it with the turn. */
static void slide_by_elements(struct drive *drive)
{
    double element[] = {0, 0, 0};
    for (size_t i = 1; i < drive->count; i++) {
        drive->force[i] = 0;
        for (int k = 0; k < 3; k++) {
            element[k] += (drive->displacement[i] - drive->displacement[i - 1]) / (0.1 * (k + 1));
            element[k] = fmax(-1, fmin(element[k], 1));
            drive->force[i] += element[k];
        }
    }
}

/* Nor is what slides so soon that no curve goes through the few samples between the limits. */
static void sample_few(struct drive *drive)
{
    drive->count = 0;
    add_cycles(drive, 20.3, 73, 1, 1);
}

static void slide_soon(struct drive *drive)
{
    const struct friction_model soon = {.shape = FRICTION_DAHL, .f_c = 2, .x_d = 0.02};
    sample_few(drive);
    rub(drive, &soon);
}

static void slide_soon_by_elements(struct drive *drive)
{
    sample_few(drive);
    slide_by_elements(drive);
}

/* Through a gap, without noise: the force stands at its limits, and at 0 between them. */
static void slide_behind_a_gap(struct drive *drive)
{
    const double gap = 0.1, x_d = 0.05;
    double stretched = 0;
    for (size_t i = 1; i < drive->count; i++) {
        stretched += drive->displacement[i] - drive->displacement[i - 1];
        stretched = fmax(-x_d - gap / 2, fmin(stretched, x_d + gap / 2));
        drive->force[i] = copysign(2 / x_d * fmax(fabs(stretched) - gap / 2, 0), stretched);
    }
}

/* As of a cable that comes off: where friction is, or where it turns. */
static void hold_force(struct drive *drive)
{
    add_noise(drive, 2, 0, 0.05);
    for (size_t i = 1100; i < drive->count; i++)
        drive->force[i] = drive->force[1099];
}

static void hold_force_for_a_while(struct drive *drive)
{
    for (size_t i = 701; i < 900; i++)
        drive->force[i] = drive->force[700];
}

/* So much that neighbours between both limits are far from each other. */
static void clip_both_ends(struct drive *drive)
{
    add_noise(drive, 2, 0, 0.004);
    for (size_t i = 0; i < drive->count; i++)
        drive->force[i] = fmax(fmin(drive->force[i], 1.2), -1.2);
}

/* With 50 samples a cycle few are between the limits. */
static void clip_few_samples(struct drive *drive)
{
    drive->count = 0;
    add_cycles(drive, 20, 50, 1, 1);
    rub(drive, &dahl);
    add_noise(drive, 3, 0, 0.02);
    for (size_t i = 0; i < drive->count; i++)
        drive->force[i] = fmax(fmin(drive->force[i], 1.5), -1.5);
}

/* By a converter of that many steps over the range. */
static void quantise_force(struct drive *drive, double steps, double noise)
{
    const double step = 4 / steps;
    add_noise(drive, 4, 0, noise * step);
    for (size_t i = 0; i < drive->count; i++)
        drive->force[i] = step * round(drive->force[i] / step);
}

static void quantise_coarsely(struct drive *drive)
{
    quantise_force(drive, 4000, 0);
}

static void quantise_finely(struct drive *drive)
{
    quantise_force(drive, 8000, 0);
}

static void quantise_with_noise(struct drive *drive)
{
    quantise_force(drive, 8000, 0.2);
}

/* What a coarse converter leaves of straight lines. */
static void slide_by_elements_in_steps(struct drive *drive)
{
    drive->count = 0;
    add_cycles(drive, 19, 100, 1, 1);
    slide_by_elements(drive);
    quantise_force(drive, 256, 0);
}

static void clip_quantised(struct drive *drive)
{
    quantise_force(drive, 8000, 4);
    for (size_t i = 0; i < drive->count; i++)
        drive->force[i] = fmin(drive->force[i], 1.5);
}

static void constant_force(struct drive *drive)
{
    for (size_t i = 0; i < drive->count; i++)
        drive->force[i] = 1;
}

static void clip_displacement(struct drive *drive)
{
    for (size_t i = 0; i < drive->count; i++)
        drive->displacement[i] = fmax(-0.6, fmin(0.6, drive->displacement[i]));
}

/* A coarse encoder stands still at the turns, where the force of a rigid contact changes its sign. */
static void step_over_a_rigid_contact(struct drive *drive)
{
    for (size_t i = 0; i < drive->count; i++) {
        drive->force[i] = copysign(2, sin(2 * M_PI * (double)(i + 1) / 200 + 0.003)) + 1e-3 * sin((double)(i * i));
        drive->displacement[i] = 0.05 * rint(drive->displacement[i] / 0.05);
    }
}

/* Of a sixth of the amplitude and more: turns are missed, and the energy of several loops would be told of one. */
static void drown_in_noise(struct drive *drive)
{
    add_noise(drive, 3, 0.2, 0.4);
}

static void not_finite(struct drive *drive)
{
    drive->force[300] = NAN;
}

static void backward_time(struct drive *drive)
{
    drive->time_s[300] = drive->time_s[200];
}

static void few_samples(struct drive *drive)
{
    drive->count = 12;
}

/* More of them would be as wrong. */
static void few_samples_and_backward_time(struct drive *drive)
{
    drive->count = 3;
    drive->time_s[2] = drive->time_s[0];
}

static void tiny(struct drive *drive)
{
    for (size_t i = 0; i < drive->count; i++) {
        drive->displacement[i] *= 1e-12;
        drive->force[i] *= 1e12;
    }
}

static const struct {
    void (*spoil)(struct drive *drive);
    enum verdict verdict;
} spoilt[] = {
    {swap, VERDICT_NEGATIVE_ENERGY},
    {turn_force, VERDICT_NEGATIVE_ENERGY},
    {only_spring, VERDICT_NO_SLIP},
    {half_a_loop, VERDICT_NO_LOOP},
    {clip_force, VERDICT_FORCE_CLIPPED},
    {clip_and_rest, VERDICT_FORCE_CLIPPED},
    {clip_and_miss, VERDICT_FORCE_CLIPPED},
    {clip_without_noise, VERDICT_FORCE_CLIPPED},
    {slide_by_elements, VERDICT_OK},
    {slide_behind_a_gap, VERDICT_OK},
    {slide_soon, VERDICT_OK},
    {slide_soon_by_elements, VERDICT_OK},
    {clip_few_samples, VERDICT_FORCE_CLIPPED},
    {constant_force, VERDICT_FORCE_CONSTANT},
    {quantise_coarsely, VERDICT_OK},
    {quantise_finely, VERDICT_OK},
    {quantise_with_noise, VERDICT_OK},
    {slide_by_elements_in_steps, VERDICT_OK},
    {clip_quantised, VERDICT_FORCE_CLIPPED},
    {drown_in_noise, VERDICT_NO_MOTION},
    {not_finite, VERDICT_NOT_FINITE},
    {backward_time, VERDICT_TIME_NOT_INCREASING},
    {few_samples, VERDICT_TOO_FEW_SAMPLES},
    {few_samples_and_backward_time, VERDICT_TIME_NOT_INCREASING},
    {tiny, VERDICT_OK},
    {clip_both_ends, VERDICT_FORCE_CLIPPED},
    {clip_displacement, VERDICT_DISPLACEMENT_CLIPPED},
    {step_over_a_rigid_contact, VERDICT_OK},
    {hold_force, VERDICT_FORCE_STANDS_STILL},
    {hold_force_for_a_while, VERDICT_FORCE_STANDS_STILL},
};

START_TEST(what_is_no_loop_has_a_name)
{
    struct drive drive = drive_make(2000);
    double *const owned = drive.displacement;
    add_cycles(&drive, 8, 200, 1, 1);
    rub(&drive, &dahl);
    spoilt[_i].spoil(&drive);
    struct loop_findings *findings = analyse(&drive);
    ck_assert_str_eq(verdict_name(findings->verdict), verdict_name(spoilt[_i].verdict));
    free(findings);
    free(owned);
}
END_TEST

enum { FOUND_ONCE = sizeof found_once / sizeof found_once[0], SPOILT = sizeof spoilt / sizeof spoilt[0] };

int main(void)
{
    Suite *suite = suite_create("loop");
    TCase *tests = tcase_create("loop");
    suite_add_tcase(suite, tests);
    seed_of_run();
    add_thinned_loop_test(tests, every_loop_is_found_once, FOUND_ONCE);
    tcase_add_loop_test(tests, a_stroke_ends_where_the_displacement_stays, 0, (int)(sizeof staying / sizeof *staying));
    tcase_add_loop_test(tests, corners_that_are_cut_off_are_seen, 0, (int)(sizeof cut_off / sizeof *cut_off));
    tcase_add_loop_test(tests, turns_of_another_shape_are_in_the_uncertainty, 0,
                        (int)(sizeof other_shapes / sizeof *other_shapes));
    tcase_add_loop_test(tests, a_single_loop_is_as_uncertain_as_it_scatters_in_lasting_noise, 0,
                        (int)(sizeof told_alone / sizeof *told_alone));
    tcase_add_loop_test(tests, noise_that_lasts_is_no_loop, 0, (int)(sizeof lasting / sizeof *lasting));
    tcase_add_loop_test(tests, another_pace_of_sampling_at_the_turn_moves_no_stroke, 0, 3);
    tcase_add_test(tests, noise_shortens_no_triangle);
    tcase_add_test(tests, noise_cuts_no_corner_off);
    tcase_add_test(tests, soft_dwells_cut_few_runs);
    tcase_add_test(tests, loops_behind_a_long_way_are_found);
    tcase_add_test(tests, noise_alone_is_no_motion);
    tcase_add_loop_test(tests, a_leap_at_a_corner_is_not_lost, 0, 6);
    tcase_add_loop_test(tests, corners_between_samples_are_in_the_uncertainty, 0, CORNERED);
    tcase_add_loop_test(tests, figures_are_closed_forms, 0, 3);
    tcase_add_test(tests, what_a_loop_leaves_open_is_in_the_uncertainty);
    tcase_add_test(tests, of_single_loops_the_largest_counts);
    tcase_add_test(tests, a_normal_force_gives_friction_coefficients);
    add_thinned_loop_test(tests, uncertainties_are_the_scatter, 3);
    add_thinned_loop_test(tests, uncertainties_are_the_scatter_on_springs_leaps_and_dense_samples, 3);
    tcase_add_loop_test(tests, a_plateau_on_a_spring_has_its_place, 0, 6);
    tcase_add_test(tests, runs_end_where_the_drive_changes);
    tcase_add_test(tests, a_drift_is_told_from_scatter);
    tcase_add_loop_test(tests, a_force_that_drifts_is_in_the_uncertainty_of_the_energy, 0, 4);
    tcase_add_loop_test(tests, a_middle_that_wanders_is_told, 0, 2);
    tcase_add_test(tests, an_even_motion_that_dwells_has_its_stroke);
    add_thinned_loop_test(tests, a_triangle_has_its_corners, sizeof triangles / sizeof triangles[0]);
    tcase_add_loop_test(tests, steps_of_an_encoder_are_in_the_uncertainties, 0, 4);
    tcase_add_loop_test(tests, a_stroke_of_four_steps_draws_no_loop, 0, 2);
    tcase_add_loop_test(tests, a_few_loops_may_lack_a_figure, 0, 4);
    tcase_add_loop_test(tests, loops_that_lack_a_figure_may_be_the_largest, 0, 4);
    tcase_add_loop_test(tests, noise_that_hides_the_motion_is_told, 0, 2);
    tcase_add_loop_test(tests, steps_that_leave_too_few_samples_are_told, 0, 3);
    tcase_add_loop_test(tests, a_gap_beside_a_reversal_spoils_no_stroke, 0, 10);
    tcase_add_loop_test(tests, a_run_behind_a_gap_begins_like_a_record, 0, 2);
    tcase_add_test(tests, friction_has_its_own_scatter);
    tcase_add_test(tests, a_single_loop_has_its_period);
    tcase_add_test(tests, a_dwell_has_its_middle);
    tcase_add_loop_test(tests, short_rests_cut_no_run, 0, 8);
    tcase_add_loop_test(tests, a_trapezoid_has_its_speed, 0, sizeof trapezoids / sizeof trapezoids[0]);
    tcase_add_test(tests, a_hidden_rest_is_in_the_uncertainty);
    tcase_add_test(tests, a_loop_that_rests_at_its_end_is_whole);
    tcase_add_test(tests, an_upper_pause_is_a_rest);
    tcase_add_loop_test(tests, what_is_no_loop_has_a_name, 0, SPOILT);
    return run_suite(suite);
}
