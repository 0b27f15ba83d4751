/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Two modes of one band, from what several sensors see of them: y(t) = shapes q(t). The step from y(t) to y(t + lag)
 * turns each mode by a factor of its own and has the shapes for eigenvectors, also where these factors change with the
 * amplitude (matrix pencil over the sensors). What they separate starts a fit of both modes at once. */

#include "identify/ring_down/mode_group.h"

#include "identify/ring_down/law_fitting.h"
#include "identify/ring_down/law_start.h"
#include "identify/ring_down/microslip_law.h"
#include "identify/ring_down/mode_fit.h"

#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_eigen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A further mode is there where its part of what the sensors see is so much more than noise makes, in power, and more
 * than the shape of one mode drifts with its amplitude: measured ones by 0.5 %. */
#define RANK_OVER_NOISE 3.0
#define SHAPE_DRIFTS 0.02
/* Modes nearer to each other than this, of their frequency, or than half a turn in the whole record, are not told from
 * one mode whose shape drifts. */
#define LEAST_APART 0.003
/* Twice the logarithm of how much likelier the record is with a joint than without, as for one mode. */
#define JOINT_SHOWS 6.0
/* One law of a pair that beats leaves several times as much as two. */
#define ONE_LEAVES 2.0

/* A sensor's samples over their noise. */
struct seen {
    const struct mode_samples *band;
    double noise[PASS_SENSORS];
};

static double complex seen_at(const struct seen *seen, size_t sensor, size_t i)
{
    return seen->band->values[sensor * seen->band->count + i] / seen->noise[sensor];
}

/* What the sensors see in common: the eigenvectors of the sums of products, by falling eigenvalues. */
struct common {
    double value[PASS_SENSORS];
    double complex vector[GROUP_MODES][PASS_SENSORS];
};

static bool find_common(const struct seen *seen, struct common *common)
{
    const size_t n = seen->band->sensors;
    gsl_matrix_complex *products = gsl_matrix_complex_calloc(n, n), *vectors = gsl_matrix_complex_alloc(n, n);
    gsl_vector *values = gsl_vector_alloc(n);
    gsl_eigen_hermv_workspace *room = gsl_eigen_hermv_alloc(n);
    const bool good = products && vectors && values && room;
    for (size_t j = 0; good && j < n; j++)
        for (size_t k = 0; k <= j; k++) {
            double complex sum = 0;
            for (size_t i = 0; i < seen->band->count; i++)
                sum += seen_at(seen, j, i) * conj(seen_at(seen, k, i));
            gsl_matrix_complex_set(products, j, k, gsl_complex_rect(creal(sum), cimag(sum)));
            gsl_matrix_complex_set(products, k, j, gsl_complex_rect(creal(sum), -cimag(sum)));
        }
    if (good) {
        gsl_eigen_hermv(products, values, vectors, room);
        gsl_eigen_hermv_sort(values, vectors, GSL_EIGEN_SORT_VAL_DESC);
    }
    for (size_t r = 0; good && r < n; r++) {
        common->value[r] = gsl_vector_get(values, r);
        for (size_t m = 0; r < GROUP_MODES && m < n; m++) {
            const gsl_complex part = gsl_matrix_complex_get(vectors, m, r);
            common->vector[r][m] = CMPLX(GSL_REAL(part), GSL_IMAG(part));
        }
    }
    gsl_matrix_complex_free(products);
    gsl_matrix_complex_free(vectors);
    gsl_vector_free(values);
    gsl_eigen_hermv_free(room);
    return good;
}

static size_t rank_of(const struct common *common, const struct mode_samples *band)
{
    size_t rank = 1;
    while (rank < band->sensors && common->value[rank] > RANK_OVER_NOISE * 2 * (double)band->count &&
           common->value[rank] > SHAPE_DRIFTS * SHAPE_DRIFTS * common->value[0])
        rank++;
    return rank;
}

/* --- separation --- */

/* In the plane of the two strongest common motions. */
static void project(const struct seen *seen, const struct common *common, double complex *plane[GROUP_MODES])
{
    for (size_t r = 0; r < GROUP_MODES; r++)
        for (size_t i = 0; i < seen->band->count; i++) {
            plane[r][i] = 0;
            for (size_t m = 0; m < seen->band->sensors; m++)
                plane[r][i] += conj(common->vector[r][m]) * seen_at(seen, m, i);
        }
}

/* The least-squares step from one sample to that a lag later. */
static void step_over(double complex *const plane[GROUP_MODES], size_t count, size_t lag,
                      double complex step[GROUP_MODES][GROUP_MODES])
{
    double complex later[2][2] = {{0}}, now[2][2] = {{0}};
    for (size_t i = 0; i + lag < count; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++) {
                later[j][k] += plane[j][i + lag] * conj(plane[k][i]);
                now[j][k] += plane[j][i] * conj(plane[k][i]);
            }
    const double complex determinant = now[0][0] * now[1][1] - now[0][1] * now[1][0];
    for (int j = 0; j < 2; j++) {
        step[j][0] = (later[j][0] * now[1][1] - later[j][1] * now[1][0]) / determinant;
        step[j][1] = (later[j][1] * now[0][0] - later[j][0] * now[0][1]) / determinant;
    }
}

/* Each mode alone: the plane in the coordinates of the eigenvectors of the step. False: these are one. */
static bool separate(double complex *const plane[GROUP_MODES], size_t count, size_t lag,
                     double complex *mode[GROUP_MODES])
{
    double complex a[2][2], vector[2][2];
    step_over(plane, count, lag, a);
    const double complex half = 0.5 * (a[0][0] - a[1][1]), root = csqrt(half * half + a[0][1] * a[1][0]);
    /* Of the two ways to write an eigenvector that with the larger difference. */
    const double complex far = cabs(half + root) > cabs(half - root) ? half + root : half - root;
    vector[0][0] = far;
    vector[1][0] = a[1][0];
    vector[0][1] = -a[0][1];
    vector[1][1] = far;
    const double complex determinant = vector[0][0] * vector[1][1] - vector[0][1] * vector[1][0];
    if (!(cabs(determinant) > 0))
        return false;
    for (size_t i = 0; i < count; i++) {
        const double complex x = plane[0][i], y = plane[1][i];
        mode[0][i] = (vector[1][1] * x - vector[0][1] * y) / determinant;
        mode[1][i] = (vector[0][0] * y - vector[1][0] * x) / determinant;
    }
    return true;
}

/* --- fit --- */

struct joining {
    const struct mode_record *record;
    const atomic_bool *cancel;
    struct mode_record weighted;
    struct mode_band band;
    struct mode_sum trial;
    struct mode_fit fit;
    double squares; /* of the group's sum */
    struct mode_group *group;
};

static enum verdict fit_trial(struct joining *joining)
{
    mode_fit_clear(&joining->fit);
    const enum verdict verdict =
        mode_fit(&joining->band.samples, NULL, joining->cancel, &joining->trial, &joining->fit);
    if (verdict == VERDICT_OK && joining->fit.squares < joining->squares) {
        joining->squares = joining->fit.squares;
        joining->group->sum = joining->trial;
        joining->group->verdict = VERDICT_OK;
    }
    return verdict;
}

static struct amplitude_law without_joint(const struct amplitude_law *law)
{
    const double *p = law->parameter;
    const double joint =
        law->parameters > MICROSLIP_LOG_ZETA_J ? 2 * p[MICROSLIP_OMEGA_0] * exp(p[MICROSLIP_LOG_ZETA_J]) : 0;
    return linear_law(p[MICROSLIP_OMEGA_0], p[MICROSLIP_C] + joint);
}

static double noise_of(const struct mode_record *record, const struct mode_samples *band, size_t sensor)
{
    return record->of_two ? mode_band_noise_among(band, sensor, GROUP_MODES) : mode_band_noise(band, sensor);
}

/* From what separates the modes; false: one of them does not decay. */
static bool start_from(const struct joining *joining, double complex *const mode[], size_t modes,
                       struct mode_sum *starts)
{
    *starts = (struct mode_sum){.modes = modes};
    for (size_t r = 0; r < modes; r++) {
        struct mode_samples alone = joining->band.samples;
        struct law_starts found;
        alone.sensors = 1;
        alone.values = mode[r];
        law_start(&alone, noise_of(joining->record, &alone, 0), &found);
        if (found.count == 0)
            return false;
        starts->law[r] = found.law[0];
    }
    return true;
}

static enum verdict fit_with_joints(struct joining *joining, const struct mode_sum *starts)
{
    joining->trial = *starts;
    return fit_trial(joining);
}

static enum verdict fit_without_joints(struct joining *joining, const struct mode_sum *starts)
{
    joining->trial = (struct mode_sum){.modes = starts->modes};
    for (size_t r = 0; r < starts->modes; r++)
        joining->trial.law[r] = without_joint(&starts->law[r]);
    return fit_trial(joining);
}

static enum verdict fit_from(struct joining *joining, double complex *const mode[], size_t modes)
{
    struct mode_sum starts;
    if (!start_from(joining, mode, modes, &starts))
        return VERDICT_NO_OSCILLATION;
    const enum verdict verdict = fit_with_joints(joining, &starts);
    if (law_fitting_is_over(verdict))
        return verdict;
    const enum verdict linear = fit_without_joints(joining, &starts);
    return law_fitting_is_over(linear) ? linear : verdict;
}

/* A mode whose joint the record does not tell has none: the others' fits would not find its parameters. */
static enum verdict drop_joints(struct joining *joining)
{
    for (size_t r = 0; r < joining->group->modes; r++) {
        struct mode_group *group = joining->group;
        const struct mode_sum before = group->sum;
        const double squares = joining->squares;
        if (before.law[r].parameters <= MICROSLIP_LOG_ZETA_J)
            continue;
        joining->trial = before;
        joining->trial.law[r] = without_joint(&before.law[r]);
        joining->squares = INFINITY;
        const enum verdict verdict = fit_trial(joining);
        if (law_fitting_is_over(verdict))
            return verdict;
        const double variance = squares / (double)joining->fit.rows;
        if (joining->squares - squares > JOINT_SHOWS * variance * joining->band.colour || verdict != VERDICT_OK) {
            group->sum = before;
            joining->squares = squares;
        }
    }
    return VERDICT_OK;
}

static enum verdict weigh(struct joining *joining, const double *noise)
{
    joining->weighted = *joining->record;
    for (size_t m = 1; m <= joining->record->others; m++)
        joining->weighted.other_weight[m - 1] = noise[0] / noise[m];
    mode_band_clear(&joining->band);
    return mode_band_of(&joining->weighted, true, &joining->band);
}

static enum verdict fit_separated(struct joining *joining, double complex *const plane[GROUP_MODES],
                                  double complex *mode[GROUP_MODES])
{
    static const size_t lags[] = {1, 2, 4, 8, 16, 32};
    const size_t count = joining->band.samples.count;
    if (joining->group->modes == 1)
        return fit_from(joining, plane, 1);
    for (size_t k = 0; k < sizeof lags / sizeof lags[0] && 4 * lags[k] < count; k++)
        if (separate(plane, count, lags[k], mode)) {
            const enum verdict verdict = fit_from(joining, mode, GROUP_MODES);
            if (law_fitting_is_over(verdict))
                return verdict;
        }
    return VERDICT_OK;
}

/* Of a motion that has not died out the noise is not known, and the second mode may be below what is taken for it:
 * where there are two peaks, two laws count that leave far less than one. */
static enum verdict fit_second_peak(struct joining *joining, double complex *const plane[GROUP_MODES],
                                    double complex *mode[GROUP_MODES])
{
    struct mode_group *group = joining->group;
    const struct mode_group one = *group;
    const double squares = joining->squares;
    group->modes = GROUP_MODES;
    joining->squares = INFINITY;
    const enum verdict verdict = fit_separated(joining, plane, mode);
    if (!law_fitting_is_over(verdict) && joining->squares * ONE_LEAVES * ONE_LEAVES < squares)
        return VERDICT_OK;
    *group = one;
    joining->squares = squares;
    return verdict;
}

/* Once more by the noise that the fit leaves. */
static enum verdict fit_weighted(struct joining *joining)
{
    struct mode_group *group = joining->group;
    const struct mode_samples *samples = &joining->band.samples;
    for (size_t m = 0; m < samples->sensors; m++) {
        const double weight = m > 0 ? joining->weighted.other_weight[m - 1] : 1;
        group->noise[m] = sqrt(group->sum.squares[m] / (2 * (double)samples->count)) / weight;
        if (!(group->noise[m] > 0))
            return VERDICT_OK;
    }
    enum verdict verdict = weigh(joining, group->noise);
    joining->trial = group->sum;
    joining->squares = INFINITY;
    if (verdict == VERDICT_OK)
        verdict = fit_trial(joining);
    /* The way to a joint that the record hardly tells is long: how far it came is held against none. */
    if (verdict == VERDICT_NOT_CONVERGED) {
        group->sum = joining->trial;
        joining->squares = joining->fit.squares;
        verdict = VERDICT_OK;
    }
    if (verdict == VERDICT_OK)
        verdict = drop_joints(joining);
    return verdict;
}

static void sort_by_frequency(struct mode_sum *sum)
{
    const struct mode_sum before = *sum;
    if (before.law[0].parameter[MICROSLIP_OMEGA_0] <= before.law[1].parameter[MICROSLIP_OMEGA_0])
        return;
    for (size_t r = 0; r < GROUP_MODES; r++) {
        sum->law[r] = before.law[1 - r];
        memcpy(sum->amplitude[r], before.amplitude[1 - r], sizeof sum->amplitude[r]);
    }
}

static bool are_apart(const struct mode_sum *sum, double duration_s)
{
    const double first = sum->law[0].parameter[MICROSLIP_OMEGA_0], second = sum->law[1].parameter[MICROSLIP_OMEGA_0];
    return fabs(first - second) > LEAST_APART * first && fabs(first - second) * duration_s > M_PI;
}

static enum verdict join(struct joining *joining, size_t peaks, double complex *room)
{
    struct mode_group *group = joining->group;
    struct seen seen = {.band = &joining->band.samples};
    struct common common;
    const size_t count = joining->band.samples.count;
    double complex *plane[GROUP_MODES] = {room, room + count};
    double complex *mode[GROUP_MODES] = {room + 2 * count, room + 3 * count};
    for (size_t m = 0; m < seen.band->sensors; m++)
        seen.noise[m] = noise_of(joining->record, seen.band, m);
    if (!find_common(&seen, &common))
        return VERDICT_NO_MEMORY;
    group->modes = rank_of(&common, seen.band);
    if (group->modes > GROUP_MODES)
        return VERDICT_MODES_TOO_NEAR;
    project(&seen, &common, plane);
    enum verdict verdict = weigh(joining, seen.noise);
    group->verdict = VERDICT_NO_OSCILLATION;
    if (verdict == VERDICT_OK)
        verdict = fit_separated(joining, plane, mode);
    if (!law_fitting_is_over(verdict) && group->modes < peaks)
        verdict = fit_second_peak(joining, plane, mode);
    if (law_fitting_is_over(verdict) || group->verdict != VERDICT_OK)
        return law_fitting_is_over(verdict) ? verdict
               : group->modes > 1           ? VERDICT_MODES_TOO_NEAR
                                            : VERDICT_NO_OSCILLATION;
    verdict = fit_weighted(joining);
    if (law_fitting_is_over(verdict) || group->modes == 1)
        return verdict;
    sort_by_frequency(&group->sum);
    const double duration_s = (double)joining->record->count / joining->record->rate_hz;
    return verdict != VERDICT_OK || !are_apart(&group->sum, duration_s) ? VERDICT_MODES_TOO_NEAR : VERDICT_OK;
}

void mode_group_of(const struct mode_record *record, size_t peaks, const atomic_bool *cancel, struct mode_group *group)
{
    struct joining joining = {
        .record = record, .cancel = cancel, .weighted = *record, .squares = INFINITY, .group = group};
    *group = (struct mode_group){.verdict = VERDICT_OK, .modes = 1};
    if (record->others == 0)
        return;
    for (size_t m = 0; m < record->others; m++)
        joining.weighted.other_weight[m] = 1;
    enum verdict verdict = mode_band_of(&joining.weighted, true, &joining.band);
    double complex *room = NULL;
    if (verdict == VERDICT_OK)
        room = calloc(2 * GROUP_MODES * joining.band.samples.count, sizeof *room);
    if (verdict == VERDICT_OK)
        verdict = room ? join(&joining, peaks, room) : VERDICT_NO_MEMORY;
    group->verdict = verdict;
    for (size_t r = 0; r < group->modes && r < GROUP_MODES; r++)
        for (size_t m = 1; m <= record->others; m++)
            group->sum.amplitude[r][m] /= joining.weighted.other_weight[m - 1];
    free(room);
    mode_fit_clear(&joining.fit);
    mode_band_clear(&joining.band);
}

/* --- one sensor --- */

/* The noise is known from a quarter of a band's samples, and not to better than this. */
#define PAIR_LEAVES 1.3

/* What one sensor saw a little later stands in for a second sensor: the modes have turned by then, each in its own way.
 */
static enum verdict fit_delayed(struct joining *joining, double one, double complex *room)
{
    static const size_t lags[] = {2, 4, 8, 16, 32, 64};
    const size_t all = joining->band.samples.count;
    double complex *mode[GROUP_MODES] = {room, room + all};
    enum verdict verdict = VERDICT_OK;
    for (size_t k = 0; k < sizeof lags / sizeof lags[0] && 4 * lags[k] < all && !law_fitting_is_over(verdict); k++) {
        double complex *plane[GROUP_MODES] = {joining->band.values, joining->band.values + lags[k]};
        struct mode_sum starts;
        memset(room, 0, 2 * all * sizeof *room);
        if (!separate(plane, all - lags[k], lags[k], mode) || !start_from(joining, mode, GROUP_MODES, &starts))
            continue;
        verdict = fit_without_joints(joining, &starts);
        /* Where beats are most of what one law leaves, two linear modes explain most of it. */
        if (!law_fitting_is_over(verdict) && joining->squares * ONE_LEAVES * ONE_LEAVES < one)
            verdict = fit_with_joints(joining, &starts);
    }
    return law_fitting_is_over(verdict) ? verdict : VERDICT_OK;
}

static enum verdict find_pair(struct joining *joining, double complex *room)
{
    struct mode_group *group = joining->group;
    double complex *const whole[1] = {joining->band.values};
    const double count = 2 * (double)joining->band.samples.count, noise = mode_band_noise(&joining->band.samples, 0);
    /* Where the spectrum shows two modes, their beats are no noise. */
    const double most = joining->record->of_two ? INFINITY : PAIR_LEAVES * noise;
    enum verdict verdict = fit_from(joining, whole, 1);
    const double one = joining->squares;
    if (!law_fitting_is_over(verdict) && (joining->record->of_two || sqrt(one / count) > most))
        verdict = fit_delayed(joining, one, room);
    if (law_fitting_is_over(verdict))
        return verdict;
    const double left = sqrt(joining->squares / count);
    if (group->sum.modes != GROUP_MODES || left > most || sqrt(one / count) < ONE_LEAVES * left)
        return VERDICT_OK;
    verdict = drop_joints(joining);
    if (law_fitting_is_over(verdict))
        return verdict;
    sort_by_frequency(&group->sum);
    group->noise[0] = left;
    if (are_apart(&group->sum, (double)joining->record->count / joining->record->rate_hz))
        group->modes = GROUP_MODES;
    return VERDICT_OK;
}

void mode_pair_of(const struct mode_record *record, const atomic_bool *cancel, struct mode_group *group)
{
    struct joining joining = {
        .record = record, .cancel = cancel, .weighted = *record, .squares = INFINITY, .group = group};
    double complex *room = NULL;
    *group = (struct mode_group){.modes = 1};
    enum verdict verdict = mode_band_of(record, true, &joining.band);
    if (verdict == VERDICT_OK)
        room = calloc(GROUP_MODES * joining.band.samples.count, sizeof *room);
    if (verdict == VERDICT_OK)
        verdict = room ? find_pair(&joining, room) : VERDICT_NO_MEMORY;
    group->verdict = verdict;
    if (group->modes == 1)
        group->sum.modes = 0;
    free(room);
    mode_fit_clear(&joining.fit);
    mode_band_clear(&joining.band);
}
