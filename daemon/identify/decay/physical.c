/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The only place where a displacement unit meets metres: everything before it works in the channel's own unit. */

#include "identify/decay/physical.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const double STANDARD_GRAVITY = 9.80665;

struct length_unit {
    const char *name;
    double metres;
};

/* Upper and lower case matter: mm is not Mm. */
static const struct length_unit length_units[] = {
    {"m", 1.0},
    {"dm", 1e-1},
    {"cm", 1e-2},
    {"mm", 1e-3},
    {"um", 1e-6},
    {"\xc2\xb5m", 1e-6}, /* micro sign */
    {"\xce\xbcm", 1e-6}, /* Greek mu: what many keyboards write instead */
    {"nm", 1e-9},
    {"pm", 1e-12},
    {"km", 1e3},
    {"in", 0.0254},
    {"inch", 0.0254},
    {"mil", 2.54e-5},
    {"thou", 2.54e-5},
    {"ft", 0.3048},
    /* Cyrillic m, cm, mm, um */
    {"\xd0\xbc", 1.0},
    {"\xd1\x81\xd0\xbc", 1e-2},
    {"\xd0\xbc\xd0\xbc", 1e-3},
    {"\xd0\xbc\xd0\xba\xd0\xbc", 1e-6},
};

#define UNKNOWN(name, unit, note) .name = NAN,

struct physical_settings physical_default_settings(void)
{
    return (struct physical_settings){
        .mass_kg = NAN,
        .stiffness_n_per_m = NAN,
        .gravity_m_per_s2 = STANDARD_GRAVITY,
        .metres_per_unit = NAN,
        .u_mass_kg = NAN,
        .u_stiffness_n_per_m = NAN,
        .u_gravity_m_per_s2 = NAN,
        .u_gain_percent = NAN,
        .u_clock_ppm = NAN,
        .linearity_percent = NAN,
        .full_scale = NAN,
        .contact = {CONTACT_SETTING_ROWS(UNKNOWN)},
    };
}

double physical_metres_per_unit(const char *unit)
{
    if (!unit)
        return NAN;
    for (size_t i = 0; i < sizeof length_units / sizeof length_units[0]; i++)
        if (strcmp(unit, length_units[i].name) == 0)
            return length_units[i].metres;
    return NAN;
}

static const struct estimate undetermined = {NAN, NAN, NAN, NAN, false, {0}};

/* An estimate in other units; what is at its bound stays there. */
static struct estimate scaled(const struct estimate *estimate, double factor)
{
    if (!isfinite(factor) || factor <= 0 || !isfinite(estimate->value))
        return undetermined;
    struct estimate result = {.value = estimate->value * factor,
                              .se = estimate->se * factor,
                              .low = estimate->low * factor,
                              .high = estimate->high * factor,
                              .at_bound = estimate->at_bound};
    return isfinite(result.value) ? result : undetermined;
}

/* What is not a positive number was not configured. */
static double positive_or_nan(double value)
{
    return isfinite(value) && value > 0 ? value : NAN;
}

enum verdict physical_from(const struct physical_settings *settings, const struct estimate *zeta,
                           const struct estimate *x_k, struct physical *physical)
{
    const double mass = positive_or_nan(settings->mass_kg);
    const double stiffness = positive_or_nan(settings->stiffness_n_per_m);
    const double gravity = positive_or_nan(settings->gravity_m_per_s2);
    const double weight = positive_or_nan(mass * gravity); /* a product of extreme settings may be 0, or no number */
    const double newtons_per_unit = stiffness * positive_or_nan(settings->metres_per_unit);

    /* c = 2 zeta sqrt(k m); two roots, so that a product of extreme settings cannot overflow. */
    physical->c_n_s_per_m = scaled(zeta, 2 * sqrt(stiffness) * sqrt(mass));
    physical->f_k_n = scaled(x_k, newtons_per_unit);
    physical->mu = scaled(x_k, newtons_per_unit / weight);

    bool complete =
        isfinite(physical->c_n_s_per_m.value) && isfinite(physical->f_k_n.value) && isfinite(physical->mu.value);
    physical->verdict = complete ? VERDICT_OK : VERDICT_NOT_COMPUTED;
    return physical->verdict;
}
