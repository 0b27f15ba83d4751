/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/mode_sensors.h"

#include "identify/ring_down/law_correct.h"

#include "identify/ring_down/mode_fit.h"
#include "identify/ring_down/residual.h"

#include <math.h>
#include <stdlib.h>

void mode_sensors_arrange(const double *const *samples, const double *delay_s, size_t count,
                          const struct mode_group *group, size_t which, struct mode_sensors *sensors,
                          struct mode_record *record)
{
    const struct mode_sum *sum = &group->sum;
    const bool known = sum->modes > which && group->noise[0] > 0;
    size_t reference = 0;
    for (size_t m = 1; m < count && sum->modes > which; m++)
        if (cabs(sum->amplitude[which][m]) > cabs(sum->amplitude[which][reference]))
            reference = m;
    *sensors = (struct mode_sensors){.count = count};
    for (size_t k = 0; k < count; k++)
        sensors->order[k] = k == 0 ? reference : k <= reference ? k - 1 : k;
    for (size_t k = 0; k < count; k++)
        sensors->late_s[k] = delay_s[sensors->order[k]] - delay_s[reference];
    record->late_s = sensors->late_s;
    record->samples = samples[reference];
    record->others = count - 1;
    for (size_t k = 1; k < count; k++) {
        record->other[k - 1] = samples[sensors->order[k]];
        record->other_weight[k - 1] = known ? group->noise[reference] / group->noise[sensors->order[k]] : 1;
    }
    for (size_t r = 0; r < sum->modes; r++) {
        if (r == which || sum->modes <= which)
            continue;
        sensors->beside.law[sensors->beside.modes] = sum->law[r];
        for (size_t k = 0; k < count; k++)
            sensors->beside.amplitude[sensors->beside.modes][k] =
                sum->amplitude[r][sensors->order[k]] * (k > 0 ? record->other_weight[k - 1] : 1);
        sensors->beside.modes++;
    }
    record->beside = sensors->beside.modes > 0 ? &sensors->beside : NULL;
    if (sum->modes > which)
        sensors->own = sum->law[which];
    record->known = sum->modes > which ? &sensors->own : NULL;
}

static double strength_of(const struct mode_group *group, size_t sensors, size_t which)
{
    double most = 0;
    for (size_t m = 0; m < sensors && which < group->sum.modes; m++)
        most = fmax(most, cabs(group->sum.amplitude[which][m]));
    return most;
}

void mode_sensors_order(const struct mode_group *group, size_t sensors, size_t order[PASS_MODES])
{
    for (size_t r = 0; r < group->modes && r < PASS_MODES; r++) {
        size_t at = r;
        for (; at > 0 && strength_of(group, sensors, r) > strength_of(group, sensors, order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = r;
    }
}

void mode_sensors_learn(const struct mode_sensors *sensors, const struct mode_record *record,
                        const struct mode_sum *fitted, size_t which, struct mode_group *group)
{
    if (group->sum.modes < 2 || fitted->modes != group->sum.modes)
        return;
    for (size_t r = 0, beside = 1; r < fitted->modes; r++) {
        const size_t from = r == which ? 0 : beside++;
        group->sum.law[r] = fitted->law[from];
        for (size_t k = 0; k < sensors->count; k++)
            group->sum.amplitude[r][sensors->order[k]] =
                fitted->amplitude[from][k] / (k > 0 ? record->other_weight[k - 1] : 1);
    }
}

/* --- shape --- */

struct shaping {
    const struct mode_samples *samples;
    struct mode_sum sum;
    struct mode_fit fit;
    struct mode_pass *pass;
    double variance; /* of white noise that weighs as much as that of a part of a row */
};

static double weight_of(const struct mode_record *record, size_t sensor)
{
    return sensor > 0 ? record->other_weight[sensor - 1] : 1;
}

/* By what the mode turned and fell in that time, at the amplitude that it begins with, it is turned back. */
static double complex back_by(const struct shaping *shaping, double late_s)
{
    const struct amplitude_law *law = &shaping->sum.law[0];
    struct law_rates rates;
    return late_s != 0 && law->rates(law, 0, &rates) ? cexp((rates.alpha - I * rates.omega) * late_s) : 1;
}

/* Of the ratio a_m/a_0 by the errors of both, which share most of theirs. */
static void fill_ratio(const struct shaping *shaping, double late_s, double weight, size_t m,
                       struct mode_sensor *sensor)
{
    const size_t n = shaping->fit.unknowns, modes = shaping->sum.modes;
    const size_t first = n - 2 * modes * shaping->samples->sensors, place[2] = {first, first + 2 * modes * m};
    const double complex reference = shaping->sum.amplitude[0][0], turn = back_by(shaping, late_s);
    const double complex ratio = turn * shaping->sum.amplitude[0][m] / reference;
    const double complex by[2] = {-ratio / reference, turn / reference};
    double variance[2] = {0};
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < 4; k++) {
            const double complex one = by[j / 2] * (j % 2 ? I : 1), other = by[k / 2] * (k % 2 ? I : 1);
            const size_t row = place[j / 2] + (size_t)(j % 2), column = place[k / 2] + (size_t)(k % 2);
            const double covariance = shaping->variance * shaping->fit.inverse[row * n + column];
            variance[0] += creal(one) * creal(other) * covariance;
            variance[1] += cimag(one) * cimag(other) * covariance;
        }
    sensor->re = creal(ratio) / weight;
    sensor->im = cimag(ratio) / weight;
    sensor->se_re = sqrt(variance[0]) / weight;
    sensor->se_im = sqrt(variance[1]) / weight;
}

/* A sensor's amplitude by a part of the samples alone, the rest of the model as it is. */
struct part {
    double complex amplitude;
    double variance; /* of each of its parts, over its square */
};

static struct part part_of(const struct shaping *shaping, size_t m, size_t from, size_t to)
{
    const struct mode_samples *samples = shaping->samples;
    const double complex whole = shaping->sum.amplitude[0][m];
    double complex sum = 0;
    double squares = 0;
    for (size_t i = from; i < to; i++) {
        const double complex signal = mode_pass_signal(shaping->pass, 0, i);
        sum += conj(signal) * mode_pass_left(shaping->pass, &shaping->sum, m, i);
        squares += creal(signal) * creal(signal) + cimag(signal) * cimag(signal);
    }
    /* Real samples see half of the squares. */
    squares *= samples->analytic ? 1 : 0.5;
    if (!(squares > 0))
        return (struct part){whole, INFINITY};
    const double complex amplitude = whole + sum / squares;
    const double seen = squares * pow(cabs(amplitude), 2);
    return (struct part){amplitude, seen > 0 ? shaping->variance / seen : INFINITY};
}

/* Where half of the nepers are gone. */
static size_t middle_of(const struct shaping *shaping, double loss)
{
    const double first = cabs(mode_pass_signal(shaping->pass, 0, 0));
    size_t i = 0;
    while (i < shaping->samples->count && log(first / cabs(mode_pass_signal(shaping->pass, 0, i))) < 0.5 * loss)
        i++;
    return i;
}

/* Variance of a logarithm: an amplitude of less than four standard errors says nothing of how a shape changes. */
static const double PART_NOT_SEEN = 1.0 / (4 * 4);

static void fill_drift(const struct shaping *shaping, size_t m, size_t middle, struct mode_sensor *sensor)
{
    const size_t count = shaping->samples->count;
    if (middle < 2 || middle + 2 > count)
        return;
    const struct part before[2] = {part_of(shaping, 0, 0, middle), part_of(shaping, m, 0, middle)};
    const struct part after[2] = {part_of(shaping, 0, middle, count), part_of(shaping, m, middle, count)};
    for (size_t k = 0; k < 2; k++)
        if (!(fmax(before[k].variance, after[k].variance) < PART_NOT_SEEN))
            return;
    sensor->drift = cabs(after[1].amplitude * before[0].amplitude / (after[0].amplitude * before[1].amplitude) - 1);
    sensor->se_drift = sqrt(before[0].variance + before[1].variance + after[0].variance + after[1].variance);
}

/* first: how many samples the first cycles have. */
static void fill_residuals(const struct shaping *shaping, size_t m, size_t first, double crest,
                           struct mode_sensor *sensor)
{
    double squares[2] = {0};
    for (size_t i = 0; i < shaping->samples->count; i++) {
        const double complex left = mode_pass_left(shaping->pass, &shaping->sum, m, i);
        squares[i >= first] += creal(left) * creal(left) + cimag(left) * cimag(left);
    }
    const struct residual left = residual_of(squares, first, shaping->samples->count, crest);
    sensor->residual = left.all;
    sensor->residual_first = left.first;
    sensor->residual_after = left.after;
}

static void fill_shape(const struct shaping *shaping, const struct mode_record *record, double loss,
                       struct mode_sensor *shape)
{
    const size_t middle = middle_of(shaping, loss);
    const double first = cabs(mode_pass_signal(shaping->pass, 0, 0));
    const size_t in_cycles = residual_first_count(shaping->samples, shaping->sum.law[0].parameter[MICROSLIP_OMEGA_0]);
    for (size_t m = 0; m <= record->others; m++) {
        fill_residuals(shaping, m, in_cycles, first * cabs(shaping->sum.amplitude[0][m]), &shape[m]);
        if (m == 0)
            continue;
        fill_ratio(shaping, record->late_s ? record->late_s[m] : 0, weight_of(record, m), m, &shape[m]);
        fill_drift(shaping, m, middle, &shape[m]);
    }
}

static enum verdict shape_in(const struct mode_band *band, const struct mode_record *record, const struct law_fit *law,
                             const atomic_bool *cancel, struct mode_sensor *shape, struct mode_jump *jump)
{
    struct shaping shaping = {.samples = &band->samples, .sum = law->sum};
    enum verdict verdict = mode_fit(shaping.samples, NULL, cancel, &shaping.sum, &shaping.fit);
    if (verdict == VERDICT_OK) {
        shaping.variance = band->colour * shaping.fit.squares / (double)(shaping.fit.rows - shaping.fit.unknowns);
        shaping.pass = mode_pass_create(shaping.samples, &shaping.sum);
        verdict = !shaping.pass                                            ? VERDICT_NO_MEMORY
                  : isfinite(mode_pass_follow(shaping.pass, &shaping.sum)) ? VERDICT_OK
                                                                           : VERDICT_UNDERDETERMINED;
    }
    if (verdict == VERDICT_OK)
        fill_shape(&shaping, record, law->loss, shape);
    if (verdict == VERDICT_OK)
        verdict = mode_jump_of(band, shaping.pass, &shaping.sum, shaping.variance, jump);
    mode_pass_free(shaping.pass);
    mode_fit_clear(&shaping.fit);
    return verdict;
}

enum verdict mode_shape_of(const struct mode_record *record, const struct law_fit *law, const atomic_bool *cancel,
                           struct mode_sensor *shape, struct mode_jump *jump)
{
    struct mode_band band;
    double *motion = NULL;
    for (size_t m = 0; m <= record->others; m++)
        shape[m] = (struct mode_sensor){NULL, m == 0 ? 1 : NAN, m == 0 ? 0 : NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    *jump = (struct mode_jump){.gain = 0};
    enum verdict verdict = mode_band_of(record, false, &band);
    if (verdict == VERDICT_OK && law->corrections > 0) {
        motion = calloc(record->count, sizeof *motion);
        verdict = motion ? law_correct(record, &law->sum, cancel, motion, &band) : VERDICT_NO_MEMORY;
    }
    if (verdict == VERDICT_OK)
        verdict = shape_in(&band, record, law, cancel, shape, jump);
    free(motion);
    mode_band_clear(&band);
    return verdict;
}
