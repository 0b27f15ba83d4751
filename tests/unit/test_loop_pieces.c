/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A drive over a rigid contact, triangular or a sine: on either side of a corner the motion is as smooth as elsewhere,
 * and samples at a turn, whose force is that of the one way or of the other, tell nothing. */
#include "driven_contact.h"
#include "identify/loop/friction_ladder.h"
#include "identify/loop/friction_motion.h"
#include "identify/loop/loop.h"
#include "identify/loop/loop_pieces.h"
#include "run_suite.h"
#include "thinning.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* One drive after the other over one contact; a gap lies between two. */
enum { DRIVES = 2 };

struct drives {
    double amplitude, f_c, sigma_2, noise_displacement, noise_force;
    double frequency[DRIVES], rate[DRIVES]; /* of no frequency there is no drive */
    double phase; /* in samples; 0: there is one at each turn, whose force is the next way's */
    double cycles;
    unsigned seed;
    bool sine;
};

struct drive_record {
    double *room;           /* owned */
    unsigned char *forward; /* owned: the way of each sample */
    struct loop_signal signal;
};

static size_t samples_of(const struct drives *of, size_t drive)
{
    return of->frequency[drive] > 0 ? (size_t)(of->cycles * of->rate[drive] / of->frequency[drive]) : 0;
}

/* Displacement and velocity of a drive of amplitude and frequency 1. */
static double drive_at(const struct drives *of, double cycles, double *velocity)
{
    const double phase = cycles - floor(cycles);
    *velocity = of->sine ? 2 * M_PI * cos(2 * M_PI * phase) : phase < 0.5 ? -4 : 4;
    return of->sine ? sin(2 * M_PI * phase) : 4 * fabs(phase - 0.5) - 1;
}

static void drive_along(const struct drives *of, size_t drive, size_t first, double begin_s,
                        struct drive_record *record, unsigned *seed)
{
    double *t = record->room, *x = t + record->signal.count, *f = x + record->signal.count;
    const double unit = of->amplitude * of->frequency[drive];
    for (size_t i = 0; i < samples_of(of, drive); i++) {
        const double time_s = (double)i / of->rate[drive];
        const double cycles = ((double)i + of->phase) / of->rate[drive] * of->frequency[drive] + 1e-9;
        double velocity;
        t[first + i] = begin_s + time_s;
        x[first + i] = of->amplitude * drive_at(of, cycles, &velocity) + of->noise_displacement * driven_noise(seed);
        f[first + i] =
            (velocity < 0 ? -of->f_c : of->f_c) + of->sigma_2 * unit * velocity + of->noise_force * driven_noise(seed);
        record->forward[first + i] = velocity > 0;
    }
}

static struct drive_record record_of(const struct drives *of)
{
    unsigned seed = of->seed;
    size_t count = 0, first = 0;
    double begin_s = 0;
    for (size_t drive = 0; drive < DRIVES; drive++)
        count += samples_of(of, drive);
    struct drive_record record = {.room = calloc(3 * count, sizeof(double)), .forward = calloc(count, 1)};
    ck_assert(record.room && record.forward);
    record.signal = (struct loop_signal){
        .time_s = record.room, .displacement = record.room + count, .force = record.room + 2 * count, .count = count};
    for (size_t drive = 0; drive < DRIVES && samples_of(of, drive) > 0; drive++) {
        drive_along(of, drive, first, begin_s, &record, &seed);
        first += samples_of(of, drive);
        begin_s += 2 * of->cycles / of->frequency[drive];
    }
    ck_assert_int_eq(loop_signal_look(&record.signal), 0);
    return record;
}

static void clear(struct drive_record *record)
{
    free(record->room);
    free(record->forward);
}

static const struct drives drives[] = {
    {5e-3, 2, 30, 1e-6, 0.02, {0.5, 2}, {1000, 1000}, 0, 3, 3, false},
    {5e-3, 2, 30, 1e-6, 0.02, {0.5, 2}, {1500, 1500}, 0.3, 3, 4, false},
    {1e-3, 0.7, 50, 1e-7, 0.01, {1, 3}, {500, 500}, 0, 8, 5, false},
    {2e-2, 11, 12, 3e-5, 0.2, {0.25, 1}, {300, 400}, 0.7, 6, 6, false},
    {3e-4, 1, 400, 0, 0.005, {2, 5}, {2000, 2000}, 0, 5, 7, false},
};
enum { CASES = sizeof drives / sizeof drives[0] };

/* A velocity is off by its window's noise alone: at the end of a piece the slope of a cubic through n samples has 16
 * times the variance of that in the middle, 75/n^3 of that of one sample, over a step; of most no more than 5
 * standard deviations. */
START_TEST(velocities_beside_a_corner_are_those_of_its_sides)
{
    struct drives of = drives[_i];
    of.frequency[1] = 0;
    struct drive_record record = record_of(&of);
    struct loop_signal *signal = &record.signal;
    unsigned char *begins = calloc(signal->count, 1);
    struct contact_sample *samples = calloc(signal->count, sizeof *samples);
    ck_assert(begins && samples && loop_pieces_of(signal, begins) == 0);
    signal->begins = begins;
    const struct friction_window window = friction_window_of(signal);
    friction_smooth(signal, &window, samples);
    const double n = 2 * (double)window.half + 1, speed = 4 * of.amplitude * of.frequency[0];
    const double noise = of.noise_displacement * sqrt(16 * 75 / (n * n * n)) * of.rate[0];
    size_t corners = 0, wrong = 0;
    for (size_t i = 0; i + 1 < signal->count; i++) {
        corners += begins[i];
        if (begins[i] || begins[i + 1])
            continue;
        wrong += fabs(samples[i].velocity - (record.forward[i] ? speed : -speed)) > 5 * noise + 1e-6 * speed;
    }
    ck_assert_uint_ge(corners, (size_t)(2 * of.cycles) - 2);
    ck_assert_uint_le(corners, (size_t)(2 * of.cycles));
    ck_assert_uint_eq(wrong, 0);
    free(begins);
    free(samples);
    clear(&record);
}
END_TEST

/* A sine has no corners. */
START_TEST(a_smooth_motion_is_one_piece)
{
    struct driven_contact contact = {.f_c = 3,
                                     .x_d = 2e-5,
                                     .amplitude = 2e-4,
                                     .frequency = 1,
                                     .shrink = 0.5,
                                     .cycles = 6,
                                     .samples_a_cycle = 150,
                                     .displacement_noise = 0.1 * (double)_i,
                                     .seed = 5};
    struct driven_record record = driven_contact_record(&contact);
    unsigned char *begins = calloc(record.signal.count, 1);
    ck_assert(begins && loop_pieces_of(&record.signal, begins) == 0);
    for (size_t i = 0; i < record.signal.count; i++)
        ck_assert(!begins[i]);
    free(begins);
    free(record.room);
}
END_TEST

static void assert_known(const struct friction_ladder *ladder, enum friction_parameter p, double truth)
{
    const struct friction_figure *figure = &ladder->figure[p];
    ck_assert_msg(fabs(figure->value - truth) < 4 * figure->se && figure->se < 0.02 * truth, "%s: %g(%g), not %g",
                  friction_parameters[p].name, figure->value, figure->se, truth);
}

/* Two speeds tell the level from the viscous force. A dip that takes away what the velocities' noise makes of the
 * viscous force is better by chance in one of some ten records; the record then says nothing of the level. */
START_TEST(two_speeds_of_a_rigid_contact_are_told)
{
    size_t right = 0;
    for (size_t k = 0; k < CASES; k++) {
        struct drive_record record = record_of(&drives[k]);
        struct friction_ladder ladder;
        ck_assert_int_eq(friction_ladder_identify(&record.signal, NULL, &ladder), VERDICT_OK);
        ck_assert(!ladder.lacks_fit);
        ck_assert_double_eq_tol(ladder.rms, drives[k].noise_force, 0.05 * drives[k].noise_force);
        if (strcmp(friction_row_name((size_t)ladder.model), "rigid+viscous") == 0) {
            right++;
            assert_known(&ladder, FRICTION_F_C, drives[k].f_c);
            assert_known(&ladder, FRICTION_SIGMA_2, drives[k].sigma_2);
        } else {
            ck_assert(isnan(ladder.figure[FRICTION_F_C].value) && ladder.figure[FRICTION_F_C].reason);
        }
        clear(&record);
    }
    ck_assert_uint_ge(right, CASES - 1);
}
END_TEST

/* At a smooth turn, too, there are samples whose force is that of the one way or of the other. */
static const struct drives sines[] = {
    {5e-3, 2, 30, 1e-6, 0.02, {0.5}, {1000}, 0, 4, 8, true},
    {5e-3, 2, 30, 5e-6, 0.02, {0.5, 2}, {1000, 1000}, 0.4, 3, 9, true},
    {1e-3, 0.7, 50, 1e-6, 0.01, {3}, {500}, 0.2, 12, 10, true},
    {2e-2, 11, 12, 1e-4, 0.2, {0.25, 1}, {300, 400}, 0, 6, 11, true},
    {3e-4, 1, 400, 1e-7, 0.005, {2}, {2000}, 0, 8, 12, true},
    {1e-2, 5, 0, 1e-5, 0.1, {1}, {1000}, 0, 6, 13, true},
};
enum { SINES = sizeof sines / sizeof sines[0] };

START_TEST(a_sine_over_a_rigid_contact_is_told)
{
    const struct drives *of = &sines[_i];
    struct drive_record record = record_of(of);
    struct friction_ladder ladder;
    ck_assert_int_eq(friction_ladder_identify(&record.signal, NULL, &ladder), VERDICT_OK);
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), of->sigma_2 > 0 ? "rigid+viscous" : "rigid");
    ck_assert(!ladder.lacks_fit);
    ck_assert_double_eq_tol(ladder.rms, of->noise_force, 0.05 * of->noise_force);
    assert_known(&ladder, FRICTION_F_C, of->f_c);
    if (of->sigma_2 > 0)
        assert_known(&ladder, FRICTION_SIGMA_2, of->sigma_2);
    clear(&record);
}
END_TEST

/* One speed tells neither the level nor the viscous force, nor is there a curve over the speeds. */
START_TEST(one_speed_is_no_level)
{
    static struct loop_findings findings;
    const struct identify_settings settings = {.ladder = true};
    struct drives of = drives[_i];
    of.frequency[1] = 0;
    struct drive_record record = record_of(&of);
    const struct loop_signal *signal = &record.signal;
    const struct record_trace traces[] = {{.values = signal->displacement, .count = signal->count, .stride = 1},
                                          {.values = signal->force, .count = signal->count, .stride = 1},
                                          {.values = signal->time_s, .count = signal->count, .stride = 1}};
    const struct record whole = {traces, 3, NULL};
    ck_assert_int_eq(analyse_loop(&whole, VERDICT_OK, &settings, &findings), VERDICT_OK);
    ck_assert_str_eq(friction_row_name((size_t)findings.ladder.model), "rigid");
    ck_assert_double_eq_tol(findings.ladder.rms, of.noise_force, 0.05 * of.noise_force);
    for (size_t r = 0; r < findings.ladder.count; r++) {
        const struct friction_rung *rung = &findings.ladder.rung[r];
        if (rung->reduced || rung->verdict != VERDICT_OK || friction_rows[rung->row].shape != FRICTION_RIGID)
            continue;
        ck_assert(isnan(rung->figure[FRICTION_F_C].value) && rung->figure[FRICTION_F_C].reason);
        ck_assert(isnan(rung->figure[FRICTION_SIGMA_2].value) && rung->figure[FRICTION_SIGMA_2].reason);
    }
    ck_assert_int_eq(findings.stribeck.verdict, VERDICT_TOO_FEW_SPEEDS);
    const double friction = of.f_c + of.sigma_2 * 4 * of.amplitude * of.frequency[0];
    const struct estimate *told = &findings.figure[LOOP_FRICTION];
    ck_assert_double_lt(fabs(told->value - friction), 4 * told->se + 1e-3 * friction);
    clear(&record);
}
END_TEST

/* Where the fit stands; at one speed the level is that of any dip, and not told as one. */
static void assert_fitted(const struct friction_ladder *ladder, enum friction_parameter p, double truth, bool noisy)
{
    const struct friction_rung *rung = &ladder->rung[ladder->chosen];
    ck_assert(isnan(ladder->figure[p].value) && ladder->figure[p].reason);
    for (size_t k = 0; k < rung->fitted_count; k++) {
        if (rung->fitted[k].parameter != (int)p)
            continue;
        const double se = sqrt(rung->fitted[k].covariance[k]), off = fabs(rung->fitted[k].value - truth);
        ck_assert_msg(noisy ? off < 4 * se && se < 0.02 * truth : off < 1e-4 * truth, "%s: %g(%g), not %g",
                      friction_parameters[p].name, rung->fitted[k].value, se, truth);
        return;
    }
    ck_abort_msg("no fit of %s", friction_parameters[p].name);
}

/* A drive that stops at once at each end and rests there: corners from and to a velocity of 0. While it rests, noise of
 * its displacement is no motion, which would wear the force off. */
static const struct {
    double dwell, phase, noise, displacement_noise;
    size_t samples_a_cycle;
} rests[] = {
    {0.2, 0, 0, 0, 300},           {0.2, 0.00113, 0, 0, 300},      {0.1, 0.00041, 0.005, 0, 250},
    {0.05, 0.00007, 0.02, 0, 400}, {0.2, 0.0012, 0.01, 0.01, 400}, {0.15, 0.00033, 0.02, 0.03, 500},
    {0.2, 0, 0.01, 0.004, 500},    {0.2, 0.0003, 0.01, 0.02, 500},
};
enum { RESTS = sizeof rests / sizeof rests[0] };

START_TEST(a_rest_between_corners_is_told)
{
    const struct driven_contact contact = {.f_c = 3,
                                           .x_d = 2e-5,
                                           .triangle = true,
                                           .amplitude = 2e-4,
                                           .frequency = 2,
                                           .shrink = 1,
                                           .cycles = 8,
                                           .dwell = rests[_i].dwell,
                                           .phase = rests[_i].phase,
                                           .samples_a_cycle = rests[_i].samples_a_cycle,
                                           .noise = rests[_i].noise,
                                           .displacement_noise = rests[_i].displacement_noise,
                                           .seed = 17};
    struct driven_record record = driven_contact_record(&contact);
    struct friction_ladder ladder;
    ck_assert_int_eq(friction_ladder_identify(&record.signal, NULL, &ladder), VERDICT_OK);
    /* What noise makes of each way's speed a dip may explain: the stiffness is the same. */
    if (contact.displacement_noise > 0.02) {
        assert_known(&ladder, FRICTION_SIGMA_0, contact.f_c / contact.x_d);
        free(record.room);
        return;
    }
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), "dahl");
    assert_fitted(&ladder, FRICTION_F_C, contact.f_c, contact.noise > 0);
    assert_fitted(&ladder, FRICTION_X_D, contact.x_d, contact.noise > 0);
    ck_assert_double_eq_tol(ladder.figure[FRICTION_SIGMA_0].value, contact.f_c / contact.x_d,
                            (contact.noise > 0 ? 0.02 : 2e-4) * contact.f_c / contact.x_d);
    free(record.room);
}
END_TEST

/* An hour with dropouts has more gaps than a ladder has parts: no cubic goes across any of them. */
START_TEST(no_piece_goes_across_a_gap_of_many)
{
    enum { CYCLES = 60, A_CYCLE = 100, GAPS = 40, LOST = 17, COUNT = CYCLES * A_CYCLE };
    static double t[COUNT], x[COUNT], f[COUNT];
    static unsigned char begins[COUNT];
    size_t count = 0, gaps = 0;
    for (size_t i = 0; i < COUNT; i++) {
        const size_t every = COUNT / GAPS;
        if (i % every < LOST && i >= every)
            continue;
        const double phase = 2 * M_PI * ((double)i + 0.3) / A_CYCLE;
        t[count] = (double)i / A_CYCLE;
        x[count] = -cos(phase);
        f[count++] = tanh(20 * sin(phase));
    }
    struct loop_signal signal = {.time_s = t, .displacement = x, .force = f, .count = count};
    ck_assert_int_eq(loop_signal_look(&signal), 0);
    ck_assert_int_eq(loop_pieces_of(&signal, begins), 0);
    for (size_t i = 1; i < count; i++)
        if (t[i] - t[i - 1] > 1.5 / A_CYCLE) {
            ck_assert_uint_eq(begins[i], 1);
            gaps++;
        }
    ck_assert_uint_eq(gaps, GAPS - 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("loop_pieces");
    TCase *tests = tcase_create("loop_pieces");
    tcase_set_timeout(tests, 120);
    seed_of_run();
    add_thinned_loop_test(tests, velocities_beside_a_corner_are_those_of_its_sides, CASES);
    tcase_add_loop_test(tests, a_smooth_motion_is_one_piece, 0, 3);
    tcase_add_test(tests, two_speeds_of_a_rigid_contact_are_told);
    add_thinned_loop_test(tests, a_sine_over_a_rigid_contact_is_told, SINES);
    add_thinned_loop_test(tests, one_speed_is_no_level, 3);
    add_thinned_loop_test(tests, a_rest_between_corners_is_told, RESTS);
    tcase_add_test(tests, no_piece_goes_across_a_gap_of_many);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
