/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "friction_campaign.h"

#include "identify/loop/friction_climb.h"

#include <check.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Excess of a sum of squares that is neither rounding nor the last step of a fit. */
static const double SAME = 1e-6;

static const struct {
    const char *name;
    enum friction_shape shape;
    unsigned terms;
} kinds[FRICTION_KINDS] = {
    [KIND_DAHL] = {"Dahl", FRICTION_DAHL, 0},
    [KIND_LUGRE] = {"LuGre", FRICTION_DAHL,
                    FRICTION_BIT(FRICTION_VISCOUS) | FRICTION_BIT(FRICTION_STRIBECK) | FRICTION_BIT(FRICTION_BRISTLE)},
    [KIND_ELASTOPLASTIC] = {"elastoplastic", FRICTION_ELASTOPLASTIC,
                            FRICTION_BIT(FRICTION_VISCOUS) | FRICTION_BIT(FRICTION_STRIBECK) |
                                FRICTION_BIT(FRICTION_BRISTLE)},
    [KIND_BOUC_WEN] = {"Bouc-Wen", FRICTION_BOUC_WEN, 0},
};

const char *friction_kind_name(enum friction_kind kind)
{
    return kinds[kind].name;
}

static double between(gsl_rng *rng, double low, double high)
{
    return low + (high - low) * gsl_rng_uniform(rng);
}

static double over_decades(gsl_rng *rng, double low, double high)
{
    return low * pow(high / low, gsl_rng_uniform(rng));
}

/* A sine whose amplitude changes evenly. */
struct drive {
    double amplitude, frequency, shrink, duration_s;
};

static double position_at(const struct drive *drive, double t, double *velocity)
{
    const double omega = 2 * M_PI * drive->frequency, rate = (drive->shrink - 1) / drive->duration_s;
    const double a = drive->amplitude * (1 + rate * t);
    *velocity = -drive->amplitude * rate * cos(omega * t) + a * omega * sin(omega * t);
    return -a * cos(omega * t);
}

static double level_at(const struct friction_truth *truth, double velocity)
{
    return 1 + (truth->ratio > 0 ? truth->ratio * exp(-pow(fabs(velocity) / truth->v_s, truth->exponent)) : 0);
}

/* theory: dy/dway of each shape, written down once more. */
static double slope_at(const struct friction_truth *truth, double y, double level)
{
    const double b = truth->shape.z_ba, q = pow(fabs(y), truth->shape.n_bw);
    switch (friction_rows[truth->row].shape) {
    case FRICTION_ELASTOPLASTIC:
        if (y <= b)
            return 1;
        return 1 - (y >= level ? 1 : 0.5 + 0.5 * sin(M_PI * (y - (level + b) / 2) / (level - b))) * y / level;
    case FRICTION_BOUC_WEN:
        return y > 0 ? 1 - q : 1 - (1 - 2 * truth->shape.beta_bw) * q;
    default:
        return 1 - y / level;
    }
}

/* The deflection in the sense of the motion behind a way in units of x_d, by the rule of the mid-point. */
static double deflected(const struct friction_truth *truth, double y, double way, double level)
{
    const double middle = y + 0.5 * way * slope_at(truth, y, level);
    return y + way * slope_at(truth, middle, level);
}

/* Steps of an interval between samples: so many that each is a hundredth of x_d at most. */
static double walked(const struct friction_truth *truth, const struct drive *drive, double from, double to,
                     double deflection)
{
    double velocity;
    const double way = fabs(position_at(drive, to, &velocity) - position_at(drive, from, &velocity)) / truth->x_d;
    const int steps = (int)fmax(ceil(way / 0.01), 8);
    const double step = (to - from) / steps;
    double before = position_at(drive, from, &velocity);
    for (int k = 1; k <= steps; k++) {
        const double now = position_at(drive, from + k * step, &velocity), sense = now < before ? -1 : 1;
        position_at(drive, from + (k - 0.5) * step, &velocity);
        const double level = level_at(truth, velocity);
        deflection = sense * deflected(truth, sense * deflection, fabs(now - before) / truth->x_d, level);
        before = now;
    }
    return deflection;
}

enum { CYCLES = 5 };

/* Driven over so many presliding lengths; 0: over 5 to 60 of them. */
static void draw(gsl_rng *rng, enum friction_kind kind, double amplitude, struct friction_truth *truth,
                 struct drive *drive)
{
    truth->row = (int)friction_row_of(kinds[kind].shape, kinds[kind].terms);
    truth->f_c = over_decades(rng, 1e-2, 1e3);
    truth->x_d = over_decades(rng, 1e-7, 1e-2);
    drive->amplitude = truth->x_d * (amplitude > 0 ? amplitude : over_decades(rng, 5, 60));
    drive->frequency = over_decades(rng, 0.1, 10);
    drive->duration_s = CYCLES / drive->frequency;
    drive->shrink = between(rng, 0.3, 1);
    truth->f_0 = truth->f_c * between(rng, -0.5, 0.5);
    truth->exponent = gsl_rng_uniform(rng) < 0.5 ? 1 : 2;
    truth->shape = (struct shape_parameters){
        .z_ba = between(rng, 0.2, 0.8), .n_bw = between(rng, 1.5, 4), .beta_bw = between(rng, 0.4, 1)};
    if (!(kinds[kind].terms & FRICTION_BIT(FRICTION_STRIBECK)))
        return;
    const double fastest = 2 * M_PI * drive->frequency * drive->amplitude;
    truth->ratio = between(rng, 0.2, 1);
    truth->v_s = fastest * over_decades(rng, 0.08, 0.5);
    truth->sigma_1 = truth->f_c / fastest * between(rng, 0.1, 1);
    truth->sigma_2 = truth->f_c / fastest * between(rng, 0.05, 0.3);
}

/* Of a force: rms in units of F_C, and so much of it left from sample to sample. Of a displacement, in units of x_d:
 * noise and the steps of an encoder. */
struct flaws {
    double noise, correlation, displacement_noise, displacement_step;
};

static void measure_displacement(gsl_rng *rng, const struct flaws *flaws, double x_d, double *x, size_t count)
{
    const double step = flaws->displacement_step * x_d, away = gsl_rng_uniform(rng);
    for (size_t i = 0; i < count; i++) {
        x[i] += gsl_ran_gaussian(rng, flaws->displacement_noise * x_d);
        if (step > 0)
            x[i] = step * rint(x[i] / step + away);
    }
}

static void measure(gsl_rng *rng, const struct drive *drive, const struct flaws *flaws, size_t count,
                    struct friction_record *record)
{
    const struct friction_truth *truth = &record->truth;
    const double period_s = drive->duration_s / (double)(count - 1), noise = truth->f_c * flaws->noise;
    record->room = calloc(3 * count, sizeof *record->room);
    ck_assert_ptr_nonnull(record->room);
    double *time = record->room, *x = time + count, *force = x + count, y = 0, error = gsl_ran_gaussian(rng, noise);
    for (size_t i = 0; i < count; i++) {
        double v;
        time[i] = (double)i * period_s;
        if (i > 0)
            y = walked(truth, drive, time[i - 1], time[i], y);
        x[i] = position_at(drive, time[i], &v);
        const double sense = v < 0 ? -1 : 1;
        force[i] = truth->f_c * y + truth->sigma_1 * v * slope_at(truth, sense * y, level_at(truth, v)) +
                   truth->sigma_2 * v + truth->f_0 + error;
        error = flaws->correlation * error +
                sqrt(1 - flaws->correlation * flaws->correlation) * gsl_ran_gaussian(rng, noise);
    }
    if (flaws->displacement_noise > 0 || flaws->displacement_step > 0)
        measure_displacement(rng, flaws, truth->x_d, x, count);
    record->signal = (struct loop_signal){.time_s = time, .displacement = x, .force = force, .count = count};
    ck_assert_int_eq(loop_signal_look(&record->signal), 0);
}

struct friction_record friction_record_make(enum friction_kind kind, double correlation, unsigned seed)
{
    struct friction_record record = {.truth.seed = seed};
    struct drive drive;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, seed + 1000);
    draw(rng, kind, 0, &record.truth, &drive);
    const size_t count = CYCLES * (size_t)between(rng, 150, 600) + 1;
    const struct flaws flaws = {.noise = over_decades(rng, 3e-3, 0.05), .correlation = correlation};
    measure(rng, &drive, &flaws, count, &record);
    gsl_rng_free(rng);
    return record;
}

struct friction_record friction_record_measure(enum friction_kind kind, double noise, double step, unsigned seed)
{
    struct friction_record record = {.truth.seed = seed};
    const struct flaws flaws = {.noise = 0.005, .displacement_noise = noise, .displacement_step = step};
    struct drive drive;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, seed + 1000);
    draw(rng, kind, 10, &record.truth, &drive);
    measure(rng, &drive, &flaws, CYCLES * 500 + 1, &record);
    gsl_rng_free(rng);
    return record;
}

void friction_record_clear(struct friction_record *record)
{
    free(record->room);
}

/* The truth in units of a motion; all linear unknowns are the fit's to find. */
static struct friction_point point_of(const struct friction_truth *truth, const struct friction_motion *motion)
{
    const struct friction_row *row = &friction_rows[truth->row];
    struct friction_point point = {.row = *row,
                                   .value = {[COLUMN_EXPONENT] = truth->exponent,
                                             [COLUMN_X_D] = truth->x_d / motion->unit_displacement,
                                             [COLUMN_RATIO] = truth->ratio,
                                             [COLUMN_V_S] = truth->v_s / motion->unit_velocity,
                                             [COLUMN_LEVELS] = 1}};
    if (row->shape == FRICTION_ELASTOPLASTIC)
        point.value[COLUMN_SHAPE] = truth->shape.z_ba;
    if (row->shape == FRICTION_BOUC_WEN) {
        point.value[COLUMN_SHAPE] = truth->shape.n_bw;
        point.value[COLUMN_SHAPE_2] = truth->shape.beta_bw;
    }
    return point;
}

/* What the generating model leaves at the optimum beside the truth, rms, along the steps of the ladder: shorter ones,
 * within what the scheme may be off, have an optimum of their own. */
static double left_from_truth(const struct friction_record *record)
{
    struct friction_climb climb;
    struct friction_fit fit;
    ck_assert_int_eq(friction_climb_make(&record->signal, NULL, &climb), 0);
    ck_assert_int_eq(friction_climb_base(&record->signal, &climb), 0);
    ck_assert_int_eq(friction_climb_refine(&record->signal, &climb), 0);
    const struct friction_motion *all = &climb.motions.all;
    const struct friction_point start = point_of(&record->truth, all);
    friction_fit_from(all, &start, &fit);
    const double left = sqrt(fit.squares / (double)all->samples) * all->unit_force;
    friction_climb_clear(&climb);
    return left;
}

static void add_estimate(const struct friction_figure *figure, double truth, struct friction_tally_line *line)
{
    const double error = (figure->value - truth) / figure->se;
    line->estimates++;
    line->covered += figure->low <= truth && truth <= figure->high;
    line->squared_errors += error * error;
}

/* The true values of what the generating model has of its own. */
static double true_value(const struct friction_truth *truth, enum friction_parameter parameter)
{
    switch (parameter) {
    case FRICTION_F_C:
        return truth->f_c;
    case FRICTION_X_D:
        return truth->x_d;
    case FRICTION_F_S:
        return truth->f_c * (1 + truth->ratio);
    case FRICTION_V_S:
        return truth->v_s;
    case FRICTION_SIGMA_1:
        return truth->sigma_1;
    case FRICTION_SIGMA_2:
        return truth->sigma_2;
    case FRICTION_Z_BA:
        return truth->shape.z_ba * truth->x_d;
    case FRICTION_N_BW:
        return truth->shape.n_bw;
    case FRICTION_BETA_BW:
        return truth->shape.beta_bw;
    default:
        return NAN;
    }
}

/* Whether all terms of the generating model are seen; of a dip that is not, the ladder says nothing. */
static bool is_seen(const struct friction_truth *truth, const struct friction_figure figure[FRICTION_PARAMETERS])
{
    const bool damped =
        figure[FRICTION_SIGMA_1].se < truth->sigma_1 / 4 && figure[FRICTION_SIGMA_2].se < truth->sigma_2 / 4;
    return !(truth->ratio > 0) || (damped && isfinite(figure[FRICTION_F_S].se) && isfinite(figure[FRICTION_V_S].se));
}

/* The figures of the generating model, where it is the chosen one. */
static void look_at_figures(const struct friction_truth *truth,
                            const struct friction_figure figures[FRICTION_PARAMETERS], struct friction_tally *tally)
{
    for (enum friction_parameter p = 0; p < FRICTION_PARAMETERS; p++) {
        const struct friction_figure *figure = &figures[p];
        const double value = true_value(truth, p);
        if (!friction_row_has(&friction_rows[truth->row], p) || !(figure->se < 0.1 * fabs(value)))
            continue;
        if (!(fabs(figure->value - value) < 5 * figure->se))
            printf("seed %u, %s: %s %.6g +- %.2g, in truth %.6g\n", truth->seed, friction_row_name((size_t)truth->row),
                   friction_parameters[p].name, figure->value, figure->se, value);
        add_estimate(figure, value, &tally->all);
        add_estimate(figure, value, &tally->parameter[p]);
    }
}

/* Nothing that the contact lacks may be chosen, whether its own terms are seen or not. */
static void look_for_false_terms(const struct friction_ladder *ladder, unsigned terms, struct friction_tally *tally)
{
    const unsigned false_terms = friction_rows[ladder->model].terms & ~terms;
    tally->false_bristle += (false_terms & FRICTION_BIT(FRICTION_BRISTLE)) != 0;
    tally->false_dip += (false_terms & FRICTION_BIT(FRICTION_STRIBECK)) != 0;
}

void friction_record_judge(const struct friction_record *record, struct friction_tally *tally)
{
    static struct friction_ladder ladder;
    const struct friction_truth *truth = &record->truth;
    size_t own = 0;
    tally->records++;
    if (friction_ladder_identify(&record->signal, NULL, &ladder) != VERDICT_OK) {
        printf("seed %u, %s: no answer\n", truth->seed, friction_row_name((size_t)truth->row));
        tally->unanswered++;
        return;
    }
    while (own < ladder.count && ladder.rung[own].row != truth->row)
        own++;
    const double left = left_from_truth(record), found = own < ladder.count ? ladder.rung[own].rms : (double)NAN;
    if (!(found <= left * (1 + SAME / 2))) {
        printf("seed %u, %s: leaves %.9g, from the truth %.9g\n", truth->seed, friction_row_name((size_t)truth->row),
               found, left);
        tally->missed++;
    }
    look_for_false_terms(&ladder, friction_rows[truth->row].terms, tally);
    if (ladder.model == truth->row)
        look_at_figures(truth, ladder.figure, tally);
    if (own == ladder.count || !is_seen(truth, ladder.rung[own].figure))
        return;
    tally->judged++;
    tally->right += ladder.model == truth->row;
    tally->tied += ladder.tie;
    if (ladder.model != truth->row)
        printf("seed %u: %s chosen for %s%s\n", truth->seed, friction_row_name((size_t)ladder.model),
               friction_row_name((size_t)truth->row), ladder.tie ? ", a tie" : "");
}

void friction_record_compare(const struct friction_record *record, struct friction_offset offset[FRICTION_PARAMETERS])
{
    static struct friction_ladder ladder;
    const struct friction_truth *truth = &record->truth;
    ck_assert_int_eq(friction_ladder_identify(&record->signal, NULL, &ladder), VERDICT_OK);
    size_t own = 0;
    while (own < ladder.count && ladder.rung[own].row != truth->row)
        own++;
    ck_assert_uint_lt(own, ladder.count);
    for (enum friction_parameter p = 0; p < FRICTION_PARAMETERS; p++) {
        const struct friction_figure *figure = &ladder.rung[own].figure[p];
        const double value = true_value(truth, p);
        if (!friction_row_has(&friction_rows[truth->row], p) || !isfinite(value) || !isfinite(figure->se))
            continue;
        offset[p].records++;
        offset[p].relative += figure->value / value - 1;
        offset[p].errors += (figure->value - value) / figure->se;
    }
}

static void print_line(const char *name, const struct friction_tally_line *line)
{
    if (line->estimates > 0)
        printf("  %s: %zu of %zu covered, error over standard error %.3f\n", name, line->covered, line->estimates,
               sqrt(line->squared_errors / (double)line->estimates));
}

void friction_tally_print(const char *name, const struct friction_tally *tally)
{
    printf("%s: %zu records, %zu without answer, %zu away from the truth's optimum; %zu choices: %zu right, %zu tied; "
           "false: %zu of bristle damping, %zu of a dip\n",
           name, tally->records, tally->unanswered, tally->missed, tally->judged, tally->right, tally->tied,
           tally->false_bristle, tally->false_dip);
    for (enum friction_parameter p = 0; p < FRICTION_PARAMETERS; p++)
        print_line(friction_parameters[p].name, &tally->parameter[p]);
    print_line("all", &tally->all);
}
