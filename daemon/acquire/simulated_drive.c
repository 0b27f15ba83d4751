/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The motion of a driven contact in half cycles, and its friction by integrating the bristles' equation over each. What
 * identifies friction has equations of its own: here is what it is held against. */

#include "acquire/simulated_drive.h"

#include <math.h>

/* Steps of the deflection, in x_d: Runge and Kutta's error is then some 1e-9 of f_c. */
static const double step = 0.02;

/* Behind so much way nothing is left of what the bristles were before, to double precision. */
static const double forgotten = 50;

/* From this share of the first amplitude on decreasing cycles begin again. */
static const double smallest_share = 0.05;

const char *simulated_drive_name(size_t shape)
{
    static const char *const names[SIMULATED_DRIVES] = {NULL, "sine", "triangle", "trapezoid", "decreasing", "steps"};
    return shape < SIMULATED_DRIVES ? names[shape] : NULL;
}

const char *simulated_contact_name(size_t shape)
{
    static const char *const names[SIMULATED_CONTACTS] = {"rigid", "dahl", "lugre", "elastoplastic", "bouc_wen"};
    return shape < SIMULATED_CONTACTS ? names[shape] : NULL;
}

/* --- the motion --- */

/* A leg that begins where, and when, the one before ends. */
static void begin_leg(struct simulated_contact *contact, double start_s, double from_m)
{
    const struct simulated_drive_settings *drive = contact->drive;
    double amplitude = drive->amplitude_m, half_period_s = 0.5 / drive->frequency_hz;
    if (drive->shape == SIMULATED_DECREASING) {
        const double smaller = fabs(from_m) * sqrt(1 - drive->decrease);
        amplitude = smaller < smallest_share * drive->amplitude_m ? drive->amplitude_m : smaller;
    } else if (drive->shape == SIMULATED_STEPS) {
        const uint64_t taken = contact->number / (2 * (uint64_t)drive->step_cycles) % drive->steps;
        half_period_s /= pow(drive->step_factor, (double)taken);
    }
    contact->leg = (struct simulated_leg){.start_s = start_s,
                                          .moves_s = half_period_s,
                                          .ends_s = start_s + half_period_s,
                                          .from_m = from_m,
                                          .to_m = contact->number % 2 == 0 ? amplitude : -amplitude};
    if (drive->shape == SIMULATED_TRAPEZOID)
        contact->leg.moves_s -= drive->dwell_s;
}

static bool is_smooth(const struct simulated_contact *contact)
{
    return contact->drive->shape == SIMULATED_SINE || contact->drive->shape == SIMULATED_DECREASING;
}

/* Within the leg. */
static double displacement_at(const struct simulated_contact *contact, double time_s)
{
    const struct simulated_leg *leg = &contact->leg;
    const double share = fmin(fmax((time_s - leg->start_s) / leg->moves_s, 0), 1);
    return leg->from_m + (leg->to_m - leg->from_m) * (is_smooth(contact) ? 0.5 - 0.5 * cos(M_PI * share) : share);
}

static double velocity_at(const struct simulated_contact *contact, double time_s)
{
    const struct simulated_leg *leg = &contact->leg;
    const double share = (time_s - leg->start_s) / leg->moves_s;
    const double mean = share < 0 || share > 1 ? 0 : (leg->to_m - leg->from_m) / leg->moves_s;
    return is_smooth(contact) ? mean * 0.5 * M_PI * sin(M_PI * share) : mean;
}

/* --- the friction --- */

/* What it is when all slides, over f_c. */
static double level_at(const struct simulated_contact_settings *settings, double speed)
{
    const double ratio = speed / settings->v_s_m_per_s;
    return settings->f_s_n > 0 ? 1 + (settings->f_s_n / settings->f_c_n - 1) * exp(-ratio * ratio) : 1;
}

/* How much of the way the bristles follow, at a deflection in the sense of the motion. */
static double followed(const struct simulated_contact_settings *settings, double deflection, double level)
{
    const double share = deflection / level;
    if (settings->shape == SIMULATED_BOUC_WEN) {
        const double weight = deflection > 0 ? 1 : 1 - 2 * settings->beta_bw;
        return 1 - weight * pow(fabs(share), settings->n_bw);
    }
    if (settings->shape != SIMULATED_ELASTOPLASTIC)
        return 1 - share;
    if (deflection <= settings->z_ba)
        return 1;
    const double place = (deflection - 0.5 * (level + settings->z_ba)) / (level - settings->z_ba);
    return 1 - (deflection >= level ? 1 : 0.5 + 0.5 * sin(M_PI * place)) * share;
}

/* d deflection/dt, 1/s. */
static double rate_at(const struct simulated_contact *contact, double time_s, double deflection)
{
    const struct simulated_contact_settings *settings = contact->contact;
    const double v = velocity_at(contact, time_s), sense = v < 0 ? -1 : 1;
    return v / settings->x_d_m * followed(settings, sense * deflection, level_at(settings, fabs(v)));
}

/* Within a leg: the motion goes one way. */
static void slide(struct simulated_contact *contact, double to_s)
{
    const struct simulated_contact_settings *settings = contact->contact;
    const struct simulated_leg *leg = &contact->leg;
    const double from_s = contact->time_s, end_s = fmin(to_s, leg->start_s + leg->moves_s);
    if (!(end_s > from_s)) { /* it dwells */
        contact->time_s = to_s;
        return;
    }
    const double way = fabs(displacement_at(contact, end_s) - displacement_at(contact, from_s)) / settings->x_d_m;
    contact->time_s = to_s;
    if (!(way > 0))
        return;
    const double level = level_at(settings, fabs(velocity_at(contact, end_s)));
    if (settings->shape == SIMULATED_RIGID || way > forgotten) {
        contact->deflection = leg->to_m > leg->from_m ? level : -level;
        return;
    }
    const unsigned steps = (unsigned)ceil(way / step);
    const double h = (end_s - from_s) / steps;
    for (unsigned i = 0; i < steps; i++) {
        const double t = from_s + i * h, z = contact->deflection;
        const double a = rate_at(contact, t, z), b = rate_at(contact, t + h / 2, z + h / 2 * a);
        const double c = rate_at(contact, t + h / 2, z + h / 2 * b), d = rate_at(contact, t + h, z + h * c);
        contact->deflection = z + h / 6 * (a + 2 * b + 2 * c + d);
    }
}

static void advance(struct simulated_contact *contact, double time_s)
{
    while (time_s > contact->leg.ends_s) {
        slide(contact, contact->leg.ends_s);
        contact->number++;
        begin_leg(contact, contact->leg.ends_s, contact->leg.to_m);
    }
    if (time_s > contact->time_s)
        slide(contact, time_s);
}

void simulated_contact_init(struct simulated_contact *contact, const struct simulated_drive_settings *drive,
                            const struct simulated_contact_settings *settings)
{
    *contact = (struct simulated_contact){.drive = drive, .contact = settings};
    begin_leg(contact, 0, -drive->amplitude_m);
}

double simulated_contact_displacement(struct simulated_contact *contact, double time_s)
{
    advance(contact, time_s);
    return displacement_at(contact, contact->time_s);
}

double simulated_contact_force(struct simulated_contact *contact, double time_s)
{
    const struct simulated_contact_settings *settings = contact->contact;
    advance(contact, time_s);
    const double v = velocity_at(contact, contact->time_s);
    const double bristles = settings->shape == SIMULATED_RIGID
                                ? 0
                                : settings->x_d_m * rate_at(contact, contact->time_s, contact->deflection);
    return settings->f_c_n * contact->deflection + settings->sigma_1 * bristles + settings->sigma_2 * v +
           settings->f_0_n + settings->drift_n_per_s * contact->time_s;
}
