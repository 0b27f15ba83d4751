/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "driven_contact.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

double driven_noise(unsigned *seed)
{
    double sum = 0;
    for (int k = 0; k < 12; k++)
        sum += (double)rand_r(seed) / RAND_MAX;
    return sum - 6;
}

double driven_motion_at(const struct driven_contact *c, double t, double *v)
{
    if (c->triangle) {
        const double turns = t * c->frequency + c->phase, half = 2 * (turns - floor(turns));
        const double side = half < 1 ? 1 : -1, moving = 1 - 2 * c->dwell, gone = (half - floor(half)) / moving;
        *v = gone < 1 ? side * 4 * c->amplitude * c->frequency / moving : 0;
        return side * c->amplitude * (2 * fmin(gone, 1) - 1);
    }
    if (c->rounded > 0) {
        const double omega = 2 * M_PI * c->frequency, at = omega * t + 2 * M_PI * c->phase;
        const double a = c->amplitude / asin(c->rounded), along = c->rounded * cos(at);
        *v = a * omega * c->rounded * sin(at) / sqrt(1 - along * along);
        return -a * asin(along);
    }
    const double omega = 2 * M_PI * c->frequency, length = (double)c->cycles / c->frequency;
    const double rate = (c->shrink - 1) / length, a = c->amplitude * (1 + rate * t);
    *v = -c->amplitude * rate * cos(omega * t) + a * omega * sin(omega * t);
    return -a * cos(omega * t);
}

static double acceleration_at(const struct driven_contact *c, double t)
{
    const double h = 1e-5 / c->frequency;
    double before, after;
    driven_motion_at(c, t - h, &before);
    driven_motion_at(c, t + h, &after);
    return (after - before) / (2 * h);
}

double driven_level_at(const struct driven_contact *c, double v)
{
    const double ratio = c->level_ratio > 0 ? c->level_ratio : 1, side = 2 * (v < 0 ? 1 : ratio) / (1 + ratio);
    return side * (1 + c->ratio * (c->ratio > 0 ? exp(-pow(fabs(v) / c->v_s, c->exponent)) : 0));
}

/* What is measured of the displacement. */
static void measure(const struct driven_contact *c, double *x, size_t count, unsigned *seed)
{
    const double step = c->displacement_step * c->x_d, away = (double)rand_r(seed) / RAND_MAX;
    for (size_t i = 0; i < count; i++) {
        if (c->displacement_noise > 0)
            x[i] += c->displacement_noise * c->x_d * driven_noise(seed);
        if (step > 0)
            x[i] = step * rint(x[i] / step + away);
    }
}

struct driven_record driven_contact_record(const struct driven_contact *c)
{
    const size_t count = c->cycles * c->samples_a_cycle + 1;
    struct driven_record d = {.room = calloc(3 * count, sizeof(double))};
    double *time = d.room, *x = d.room + count, *force = d.room + 2 * count;
    unsigned seed = c->seed;
    double zeta = 0, v, before = driven_motion_at(c, 0, &v);
    ck_assert_ptr_nonnull(d.room);
    const double step = 1 / c->frequency / (double)c->samples_a_cycle;
    for (size_t i = 0; i < count; i++) {
        for (int k = 1; i > 0 && k <= DRIVEN_STEPS; k++) {
            const double h = step / DRIVEN_STEPS, now = driven_motion_at(c, ((double)i - 1) * step + k * h, &v);
            const double way = fabs(now - before), sense = now < before ? -1 : 1;
            double unused;
            driven_motion_at(c, ((double)i - 1) * step + (k - 0.5) * h, &unused);
            const double goal = sense * driven_level_at(c, unused);
            zeta = goal + (zeta - goal) * exp(-way / c->x_d / driven_level_at(c, unused));
            before = now;
        }
        time[i] = (double)i * step;
        x[i] = driven_motion_at(c, time[i], &v);
        const double slope = 1 - (v < 0 ? -1 : 1) * zeta / driven_level_at(c, v);
        const double f_c = c->f_c + x[i] * (c->path_slope + x[i] * c->path_curvature);
        force[i] = f_c * zeta + c->sigma_1 * v * slope + c->sigma_2 * v + c->k_x * x[i] + c->f_0 +
                   c->mass * acceleration_at(c, time[i]) + c->noise * c->f_c * driven_noise(&seed);
    }
    if (c->displacement_noise > 0 || c->displacement_step > 0)
        measure(c, x, count, &seed);
    d.signal = (struct loop_signal){.time_s = time, .displacement = x, .force = force, .count = count};
    ck_assert_int_eq(loop_signal_look(&d.signal), 0);
    return d;
}

struct friction_ladder driven_contact_ladder(const struct driven_contact *contact)
{
    struct driven_record record = driven_contact_record(contact);
    struct friction_ladder ladder;
    ck_assert_int_eq(friction_ladder_identify(&record.signal, NULL, &ladder), VERDICT_OK);
    free(record.room);
    return ladder;
}
