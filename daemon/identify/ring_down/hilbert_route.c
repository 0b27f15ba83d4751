/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/hilbert_route.h"

#include <gsl/gsl_fft_complex.h>
#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdlib.h>

enum { ORDER = 4, MOST_VALUES = 2000 };

/* The pass band reaches as far to either side as the band of the fit does not see the mode's neighbours. */
#define PASS_SHARE 0.5
/* At either end the filter's own motion is dropped, for so long over the pass band's width. */
#define DROPPED 1.5
/* Points at either end of the curve that may be left out. */
enum { ENDS = HILBERT_POINTS / 10 };

/* Log amplitude and phase at times from -1 to 1. */
struct curve {
    size_t count;
    double *values;          /* owned: time, log amplitude and phase, count each */
    double middle_s, half_s; /* of the record, of these times */
    double independent;      /* as many values of noise are, for neighbours in a band are alike */
};

/* Its power response, which is that of both ways; 0 below 0 Hz, 2 above, as the analytic signal wants. */
static double response(double f_hz, double centre_hz, double half_hz)
{
    const double low = centre_hz - half_hz, high = centre_hz + half_hz;
    if (!(f_hz > 0))
        return 0;
    return 2 / (1 + pow((f_hz * f_hz - low * high) / (f_hz * (high - low)), 2 * ORDER));
}

/* The analytic signal in the band, in place of the record: length pairs, a power of 2. */
static void filter(const struct mode_record *record, double half_hz, size_t length, double *signal)
{
    for (size_t i = 0; i < record->count; i++)
        signal[2 * i] = record->samples[i];
    gsl_fft_complex_radix2_forward(signal, 1, length);
    for (size_t k = 0; k < length; k++) {
        const double f_hz = k < length / 2 ? (double)k * record->rate_hz / (double)length : 0;
        const double share = response(f_hz, record->centre_hz, half_hz);
        signal[2 * k] *= share;
        signal[2 * k + 1] *= share;
    }
    gsl_fft_complex_radix2_inverse(signal, 1, length);
}

/* Between the ends, down to where the mode is seen. */
static void fill_curve(const struct mode_record *record, const double *signal, size_t from, size_t to, double least,
                       struct curve *curve)
{
    const size_t step = (to - from) / MOST_VALUES + 1;
    const double turn_step = 2 * M_PI * record->centre_hz / record->rate_hz;
    double phase = 0, before = 0;
    for (size_t i = from; i < to; i++) {
        const double size = hypot(signal[2 * i], signal[2 * i + 1]);
        if (!(size > least))
            break;
        const double turned = atan2(signal[2 * i + 1], signal[2 * i]) - turn_step * (double)i;
        /* From each sample to the next: further apart it may have turned by more than half a circle. */
        phase += i == from ? turned : remainder(turned - before, 2 * M_PI);
        before = turned;
        if ((i - from) % step != 0)
            continue;
        double *value = &curve->values[3 * curve->count++];
        value[0] = (double)i / record->rate_hz;
        value[1] = log(size);
        value[2] = phase;
    }
    if (curve->count < 2)
        return;
    const double first_s = curve->values[0], last_s = curve->values[3 * (curve->count - 1)];
    curve->middle_s = 0.5 * (first_s + last_s);
    curve->half_s = 0.5 * (last_s - first_s);
}

static enum verdict curve_of(const struct mode_record *record, const struct law_fit *law, struct curve *curve)
{
    const double half_hz = PASS_SHARE * record->stop_hz;
    const size_t dropped = (size_t)(DROPPED / (2 * half_hz) * record->rate_hz);
    size_t length = 64;
    while (length < record->count + dropped)
        length *= 2;
    if (record->count < 2 * dropped + 64)
        return VERDICT_TOO_FEW_SAMPLES;
    double *signal = calloc(2 * length, sizeof *signal);
    curve->values = calloc(3 * MOST_VALUES + 3, sizeof *curve->values);
    if (signal && curve->values) {
        filter(record, half_hz, length, signal);
        const double first = hypot(signal[2 * dropped], signal[2 * dropped + 1]);
        fill_curve(record, signal, dropped, record->count - dropped, first * exp(-law->loss), curve);
    }
    const bool there = signal && curve->values;
    free(signal);
    curve->independent = 2 * half_hz * 2 * curve->half_s;
    return !there                                         ? VERDICT_NO_MEMORY
           : curve->independent < 2 * HILBERT_MOST_DEGREE ? VERDICT_TOO_FEW_SAMPLES
                                                          : VERDICT_OK;
}

/* A polynomial through one column of the curve. */
struct polynomial {
    double of[HILBERT_MOST_DEGREE + 1];
    double criterion; /* Akaike's, for small samples; the least is the best */
};

static bool fit_polynomial(const struct curve *curve, size_t column, size_t degree, struct polynomial *found)
{
    const size_t terms = degree + 1;
    gsl_multifit_linear_workspace *room = gsl_multifit_linear_alloc(curve->count, terms);
    gsl_matrix *powers = gsl_matrix_alloc(curve->count, terms), *covariance = gsl_matrix_alloc(terms, terms);
    gsl_vector *values = gsl_vector_alloc(curve->count), *of = gsl_vector_alloc(terms);
    double squares = INFINITY;
    if (room && powers && covariance && values && of) {
        for (size_t i = 0; i < curve->count; i++) {
            const double t = (curve->values[3 * i] - curve->middle_s) / curve->half_s;
            double power = 1;
            for (size_t k = 0; k < terms; k++, power *= t)
                gsl_matrix_set(powers, i, k, power);
            gsl_vector_set(values, i, curve->values[3 * i + column]);
        }
        gsl_multifit_linear(powers, values, of, covariance, &squares, room);
        for (size_t k = 0; k < terms; k++)
            found->of[k] = gsl_vector_get(of, k);
    }
    gsl_multifit_linear_free(room);
    gsl_matrix_free(powers);
    gsl_matrix_free(covariance);
    gsl_vector_free(values);
    gsl_vector_free(of);
    const double n = curve->independent, k = (double)terms + 1;
    found->criterion = n * log(squares / (double)curve->count) + 2 * k * n / fmax(n - k - 1, 0.5);
    return isfinite(found->criterion);
}

/* Of both columns together, for one degree is chosen by eye, too. */
static size_t choose_degree(const struct curve *curve, size_t least_degree, size_t most_degree,
                            struct polynomial best[2])
{
    double least = INFINITY;
    size_t chosen = 0;
    for (size_t degree = least_degree; degree <= most_degree; degree++) {
        struct polynomial tried[2] = {{.criterion = 0}, {.criterion = 0}};
        if (!fit_polynomial(curve, 1, degree, &tried[0]) || !fit_polynomial(curve, 2, degree, &tried[1]) ||
            !(tried[0].criterion + tried[1].criterion < least))
            continue;
        least = tried[0].criterion + tried[1].criterion;
        best[0] = tried[0];
        best[1] = tried[1];
        chosen = degree;
    }
    return chosen;
}

static double slope_at(const struct polynomial *polynomial, double t)
{
    double slope = 0;
    for (size_t k = HILBERT_MOST_DEGREE; k > 0; k--)
        slope = slope * t + (double)k * polynomial->of[k];
    return slope;
}

static double value_at(const struct polynomial *polynomial, double t)
{
    double value = 0;
    for (size_t k = HILBERT_MOST_DEGREE + 1; k-- > 0;)
        value = value * t + polynomial->of[k];
    return value;
}

/* At its ends a polynomial may turn: a point there at which nothing decays is left out. */
static enum verdict read_points(const struct mode_record *record, const struct curve *curve,
                                const struct polynomial best[2], struct hilbert_route *route)
{
    for (size_t i = 0; i < HILBERT_POINTS; i++) {
        const double t = 2 * (double)i / (HILBERT_POINTS - 1) - 1;
        const double alpha = -slope_at(&best[0], t) / curve->half_s;
        const double omega = 2 * M_PI * record->centre_hz + slope_at(&best[1], t) / curve->half_s;
        const double a = exp(value_at(&best[0], t)) / pow(omega, (double)record->sensed);
        if (alpha > 0 && omega > 0)
            route->point[route->count++] =
                (struct hilbert_point){a, omega, alpha / omega, 2 * M_PI * alpha * omega * a * a};
        else if (i >= ENDS && i < HILBERT_POINTS - ENDS)
            break;
    }
    if (route->count >= HILBERT_POINTS - 2 * ENDS)
        return VERDICT_OK;
    route->count = 0;
    return VERDICT_NOT_DECAYING;
}

struct hilbert_route hilbert_route_without(enum verdict verdict)
{
    return (struct hilbert_route){.verdict = verdict, .joint = hilbert_joint_without(verdict)};
}

void hilbert_curve(const struct mode_record *record, const struct law_fit *law, size_t least, size_t most,
                   struct hilbert_route *route)
{
    struct curve curve = {.count = 0};
    struct polynomial best[2];
    *route = hilbert_route_without(curve_of(record, law, &curve));
    if (route->verdict == VERDICT_OK) {
        route->degree = choose_degree(&curve, least, most, best);
        route->verdict = route->degree > 0 ? read_points(record, &curve, best, route) : VERDICT_UNDERDETERMINED;
    }
    free(curve.values);
    route->joint = hilbert_joint_without(route->verdict);
}

void hilbert_route(const struct mode_record *record, const struct law_fit *law, const atomic_bool *cancel,
                   struct hilbert_route *route)
{
    hilbert_curve(record, law, HILBERT_LEAST_DEGREE, HILBERT_MOST_DEGREE, route);
    if (route->verdict == VERDICT_OK)
        hilbert_joint(route->point, route->count, cancel, &route->joint);
}
