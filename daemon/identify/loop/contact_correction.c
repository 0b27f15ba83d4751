/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/contact_correction.h"

#include "identify/loop/local_cubic.h"

#include <errno.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_spline.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { SAMPLES_LEAST = 20, CORRECTED = 3, CANCELLED_AFTER = 4096 };

/* Asked at every sample, looked at after so many. */
static bool is_cancelled(const atomic_bool *cancel, size_t i)
{
    return cancel && i % CANCELLED_AFTER == 0 && atomic_load(cancel);
}

/* What is not configured delays nothing. */
static double delay_of(double configured_s)
{
    return isfinite(configured_s) ? configured_s : 0;
}

static double sign_of(double configured)
{
    return configured < 0 ? -1 : 1;
}

/* The samples for which both forces were measured, delayed as they are. */
static void cut(const struct contact_settings *nominal, const struct loop_signal *measured, struct loop_signal *signal)
{
    const double *time_s = measured->time_s, force_s = delay_of(nominal->force_delay_s);
    const double normal_s = measured->normal ? delay_of(nominal->normal_delay_s) : 0;
    const double latest_s = fmax(0, fmax(force_s, normal_s)), earliest_s = fmin(0, fmin(force_s, normal_s));
    size_t first = 0, end = measured->count;
    while (first < end && time_s[first] + earliest_s < time_s[0])
        first++;
    while (end > first && time_s[end - 1] + latest_s > time_s[measured->count - 1])
        end--;
    *signal = *measured;
    signal->count = end - first;
    signal->time_s = time_s + first;
    signal->displacement = measured->displacement + first;
    signal->force = measured->force + first;
    signal->normal = measured->normal ? measured->normal + first : NULL;
    signal->velocity = measured->velocity ? measured->velocity + first : NULL;
}

/* What a channel told later by that much, times its sign. 0, -ENOMEM or -ECANCELED. */
static int shift(const struct loop_signal *measured, const double *values, double delay_s, double sign,
                 const struct loop_signal *signal, const atomic_bool *cancel, double *shifted)
{
    const double *time_s = measured->time_s, end_s = time_s[measured->count - 1];
    gsl_spline *spline = delay_s != 0 ? gsl_spline_alloc(gsl_interp_cspline, measured->count) : NULL;
    gsl_interp_accel *place = gsl_interp_accel_alloc();
    const bool made =
        place && (delay_s == 0 || (spline && gsl_spline_init(spline, time_s, values, measured->count) == GSL_SUCCESS));
    const double *same = values + (signal->time_s - time_s);
    size_t i = 0;
    for (; made && i < signal->count && !is_cancelled(cancel, i); i++)
        shifted[i] =
            sign * (spline ? gsl_spline_eval(spline, fmax(time_s[0], fmin(signal->time_s[i] + delay_s, end_s)), place)
                           : same[i]);
    gsl_interp_accel_free(place);
    gsl_spline_free(spline);
    return !made ? -ENOMEM : i < signal->count ? -ECANCELED : 0;
}

/* A load cell feels the inertia of what moves between it and the contact. What the displacement's noise makes of that
 * is noise of the force from then on. */
static int take_inertia(double mass, const atomic_bool *cancel, struct loop_signal *signal, double *force)
{
    const bool of_velocity = signal->velocity;
    struct cubic_series series = {signal->time_s, signal->displacement, signal->count, signal->noise_displacement,
                                  NULL};
    if (of_velocity) {
        series.values = signal->velocity;
        series.noise = loop_noise(signal->time_s, signal->velocity, signal->count, -INFINITY, INFINITY);
    }
    const size_t half = local_cubic_window(&series, signal->count);
    size_t i = 0;
    for (; i < signal->count && !is_cancelled(cancel, i); i++)
        force[i] -= mass * local_acceleration_at(&series, i, half, of_velocity);
    const double of_inertia = mass * local_acceleration_noise(&series, half, of_velocity);
    signal->noise_force = hypot(signal->noise_force, of_inertia);
    signal->wander_force = hypot(signal->wander_force, of_inertia);
    return i < signal->count ? -ECANCELED : 0;
}

static void take_bending(double stiffness, struct loop_signal *signal, double *displacement)
{
    for (size_t i = 0; i < signal->count; i++)
        displacement[i] = signal->displacement[i] - signal->force[i] / stiffness;
    signal->displacement = displacement;
    signal->noise_displacement = hypot(signal->noise_displacement, signal->noise_force / stiffness);
    signal->wander = hypot(signal->wander, signal->noise_force / stiffness);
    /* It was measured elsewhere. */
    signal->velocity = NULL;
}

int contact_correct(const struct contact_settings *settings, const struct contact_settings *nominal,
                    const struct loop_signal *measured, const atomic_bool *cancel,
                    struct contact_correction *correction)
{
    struct loop_signal *signal = &correction->signal;
    *correction = (struct contact_correction){.room = NULL};
    cut(nominal, measured, signal);
    if (signal->count < SAMPLES_LEAST)
        return -ERANGE;
    double *room = correction->room = calloc(CORRECTED * signal->count, sizeof *room);
    if (!room)
        return -ENOMEM;
    double *displacement = room, *force = room + signal->count, *normal = room + 2 * signal->count;
    int error = shift(measured, measured->force, delay_of(settings->force_delay_s), sign_of(settings->force_sign),
                      signal, cancel, force);
    if (!error && measured->normal)
        error = shift(measured, measured->normal, delay_of(settings->normal_delay_s), sign_of(settings->normal_sign),
                      signal, cancel, normal);
    if (error)
        return error;
    signal->force = force;
    signal->normal = measured->normal ? normal : NULL;
    if (settings->moving_mass_kg > 0)
        error = take_inertia(settings->moving_mass_kg, cancel, signal, force);
    if (settings->path_stiffness_n_per_m > 0)
        take_bending(settings->path_stiffness_n_per_m, signal, displacement);
    return error;
}

void contact_correction_clear(struct contact_correction *correction)
{
    free(correction->room);
    correction->room = NULL;
}
