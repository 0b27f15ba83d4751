/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/mode_simulation.h"

#include "identify/ring_down/deferred_correction.h"
#include "identify/ring_down/residual.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* A spectrum reaches so many times the mode's decay rate beyond its lowest and its highest frequency: a decaying sine
 * has a sixth of its peak there. */
#define REACH 6.0

/* Record and model of the reference sensor in the mode's band. */
struct simulating {
    const struct mode_record *record;
    const struct law_fit *fit;
    struct slow_flow *flow;
    struct mode_band band; /* its correction is the model */
};

static double duration_of(const struct mode_record *record)
{
    return (double)record->count / record->rate_hz;
}

static enum verdict verdict_of(int error)
{
    return error == -ENOMEM      ? VERDICT_NO_MEMORY
           : error == -ECANCELED ? VERDICT_CANCELLED
           : error               ? VERDICT_NOT_CONVERGED
                                 : VERDICT_OK;
}

/* Adds the motion by the slow flow, and with a joint what the exact motion has beyond it. Without a joint the two are
 * one. room: as many values as the motion has. */
static enum verdict integrate(const struct mode_record *record, const struct amplitude_law *law,
                              double complex amplitude, const atomic_bool *cancel, double *room, double *motion)
{
    struct slow_flow *flow = slow_flow_create();
    enum verdict verdict = flow ? VERDICT_OK : VERDICT_NO_MEMORY;
    size_t hint = 0;
    if (flow && !slow_flow_follow(flow, law, record->sensed, duration_of(record)))
        verdict = VERDICT_NOT_CONVERGED;
    if (verdict == VERDICT_OK && law->joint)
        verdict = verdict_of(
            deferred_correction(law, amplitude, record->sensed, 0, 1 / record->rate_hz, record->count, cancel, room));
    for (size_t i = 0; verdict == VERDICT_OK && i < record->count; i++)
        motion[i] += (law->joint ? room[i] : 0) +
                     creal(amplitude * cexp(slow_flow_at(flow, (double)i / record->rate_hz, &hint, NULL)));
    slow_flow_free(flow);
    return verdict;
}

/* As the fit saw the record, or through the filter. */
static enum verdict look(struct simulating *simulating, bool filtered, const double *motion)
{
    static const double complex as_it_is = 1;
    mode_band_clear(&simulating->band);
    enum verdict verdict = mode_band_of(simulating->record, filtered, &simulating->band);
    if (verdict == VERDICT_OK)
        verdict = mode_band_correct_none(&simulating->band);
    return verdict == VERDICT_OK ? mode_band_correct(&simulating->band, simulating->record, motion, &as_it_is)
                                 : verdict;
}

static double complex left_of(const struct simulating *simulating, size_t i)
{
    return simulating->band.values[i] - simulating->band.correction[i];
}

static double time_of(const struct mode_samples *samples, size_t i)
{
    return samples->first_s + samples->period_s * (double)i;
}

static void fill_residuals(const struct simulating *simulating, struct mode_simulation *simulation)
{
    const struct mode_samples *samples = &simulating->band.samples;
    const size_t in_cycles = residual_first_count(samples, simulating->fit->law.parameter[MICROSLIP_OMEGA_0]);
    double squares[2] = {0};
    for (size_t i = 0; i < samples->count; i++)
        squares[i >= in_cycles] += pow(cabs(left_of(simulating, i)), 2);
    const struct residual left = residual_of(squares, in_cycles, samples->count, simulating->fit->first);
    simulation->residual = left.all;
    simulation->residual_first = left.first;
    simulation->residual_after = left.after;
}

/* How many samples there are until the model fell by another neper below where the mode is seen. */
static size_t seen_of(const struct simulating *simulating)
{
    const struct mode_samples *samples = &simulating->band.samples;
    size_t hint = 0, i = 0;
    while (i < samples->count &&
           slow_flow_amplitude(simulating->flow, time_of(samples, i), &hint) > -simulating->fit->loss - 1)
        i++;
    return i;
}

static void fill_course(const struct simulating *simulating, struct mode_simulation *simulation)
{
    const struct mode_samples *samples = &simulating->band.samples;
    const double first = simulating->fit->first;
    const size_t seen = seen_of(simulating), most = seen < COURSE_POINTS ? seen : COURSE_POINTS;
    for (size_t k = 0; k < most; k++) {
        const size_t i = most > 1 ? k * (seen - 1) / (most - 1) : 0;
        simulation->course[simulation->points++] =
            (struct course_point){time_of(samples, i), cabs(simulating->band.values[i]) / first,
                                  cabs(simulating->band.correction[i]) / first, cabs(left_of(simulating, i)) / first};
    }
}

/* The sum of the values from one on, turned back by that frequency. */
static double complex transform(const struct mode_samples *samples, const double complex *values, size_t from,
                                double f_hz)
{
    const double turn = (2 * M_PI * f_hz - samples->carrier) * samples->period_s;
    const double complex step = CMPLX(cos(turn), -sin(turn));
    double complex sum = 0, phase = 1;
    for (size_t i = from; i < samples->count; i++) {
        sum += values[i] * phase;
        phase *= step;
    }
    return sum;
}

/* Frequencies from the first of two on to the second. */
struct range {
    double from_hz, to_hz;
};

/* Of the mode as its law has it from ln A/A_0 = x on, within its band. */
static struct range range_of(const struct simulating *simulating, double x)
{
    const struct mode_record *record = simulating->record;
    const struct amplitude_law *law = &simulating->fit->law;
    const double f_0_hz = law->parameter[MICROSLIP_OMEGA_0] / (2 * M_PI);
    struct law_rates rates = {.omega = law->parameter[MICROSLIP_OMEGA_0]};
    law->rates(law, x, &rates);
    const double f_hz = rates.omega / (2 * M_PI), reach_hz = REACH * rates.alpha / (2 * M_PI);
    return (struct range){fmax(fmin(f_hz, f_0_hz) - reach_hz, record->centre_hz - record->stop_hz),
                          fmin(fmax(f_hz, f_0_hz) + reach_hz, record->centre_hz + record->stop_hz)};
}

/* Everything before a value is zeroed. most: the largest of the record's in the first spectrum; 0: this is it. */
static void fill_spectrum(const struct simulating *simulating, const struct range *range, size_t from, double *most,
                          struct zeroed_spectrum *spectrum)
{
    const struct mode_samples *samples = &simulating->band.samples;
    double largest = 0, squares = 0;
    spectrum->zeroed_s = time_of(samples, from);
    for (size_t k = 0; k < SPECTRUM_POINTS; k++) {
        const double f_hz =
            range->from_hz + (range->to_hz - range->from_hz) * (double)k / ((double)SPECTRUM_POINTS - 1);
        const double complex record = transform(samples, simulating->band.values, from, f_hz);
        const double complex model = transform(samples, simulating->band.correction, from, f_hz);
        spectrum->point[spectrum->count++] = (struct spectrum_point){f_hz, cabs(record), cabs(model)};
        largest = fmax(largest, cabs(record));
        squares += pow(cabs(record - model), 2);
    }
    if (!(*most > 0))
        *most = largest;
    for (size_t k = 0; k < spectrum->count; k++) {
        spectrum->point[k].record /= *most;
        spectrum->point[k].model /= *most;
    }
    spectrum->misfit = sqrt(squares / SPECTRUM_POINTS) / largest;
}

static void fill_spectra(const struct simulating *simulating, struct mode_simulation *simulation)
{
    const struct mode_samples *samples = &simulating->band.samples;
    size_t hint = 0, i = 0;
    double most = 0;
    const double begin = slow_flow_amplitude(simulating->flow, time_of(samples, 0), &hint);
    const struct range range = range_of(simulating, begin);
    for (size_t k = 0; k < SPECTRA; k++) {
        const double fall = (simulating->fit->loss + begin) * (double)k / SPECTRA;
        while (i < samples->count && slow_flow_amplitude(simulating->flow, time_of(samples, i), &hint) > begin - fall)
            i++;
        /* One sample has no spectrum. */
        if (i + 2 > samples->count)
            return;
        fill_spectrum(simulating, &range, i, &most, &simulation->spectrum[simulation->spectra++]);
    }
}

struct mode_simulation mode_simulation_without(enum verdict verdict)
{
    return (struct mode_simulation){.verdict = verdict, .residual = NAN, .residual_first = NAN, .residual_after = NAN};
}

static enum verdict simulate(struct simulating *simulating, const atomic_bool *cancel, double *motion,
                             struct mode_simulation *simulation)
{
    const struct mode_record *record = simulating->record;
    const struct mode_sum *sum = &simulating->fit->sum;
    enum verdict verdict = VERDICT_OK;
    if (!slow_flow_follow(simulating->flow, &simulating->fit->law, record->sensed, duration_of(record)))
        return VERDICT_NOT_CONVERGED;
    for (size_t r = 0; r < sum->modes && verdict == VERDICT_OK; r++)
        verdict = integrate(record, &sum->law[r], sum->amplitude[r][0], cancel, motion + record->count, motion);
    if (verdict == VERDICT_OK)
        verdict = look(simulating, false, motion);
    if (verdict != VERDICT_OK)
        return verdict;
    fill_residuals(simulating, simulation);
    if (!simulating->band.samples.analytic)
        verdict = look(simulating, true, motion);
    if (verdict != VERDICT_OK)
        return verdict;
    fill_course(simulating, simulation);
    fill_spectra(simulating, simulation);
    return VERDICT_OK;
}

void mode_simulation(const struct mode_record *record, const struct law_fit *fit, const atomic_bool *cancel,
                     struct mode_simulation *simulation)
{
    struct mode_record reference = *record;
    reference.others = 0;
    reference.beside = NULL;
    struct simulating simulating = {.record = &reference, .fit = fit, .flow = slow_flow_create()};
    double *motion = calloc(2 * record->count, sizeof *motion);
    *simulation = mode_simulation_without(VERDICT_NO_MEMORY);
    if (simulating.flow && motion)
        simulation->verdict = simulate(&simulating, cancel, motion, simulation);
    mode_band_clear(&simulating.band);
    slow_flow_free(simulating.flow);
    free(motion);
}
