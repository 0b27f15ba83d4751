/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Friction by going along with the motion in small steps. What identifies friction has equations of its own: here is
 * what it is held against. */

#include "acquire/simulated_contact.h"

#include <math.h>

/* Steps of the deflection, in x_d: Runge and Kutta's error is then some 1e-9 of f_c. Elements take so many steps from
 * one sample to the next at most: Maxwell-slip needs none, and GMS, whose force changes with the speed alone once all
 * slip, is off by the square of such a step. */
static const double step = 0.02;
enum { STEPS_MOST = 1000 };

/* Behind so much way nothing is left of what the bristles were before, to double precision. */
static const double forgotten = 50;

/* A part of a leg: the motion goes one way. */
struct piece {
    double from_s, to_s;
    double way_m; /* with its sense */
};

typedef void slide_function(struct simulated_contact *contact, const struct piece *piece);
static slide_function rigid_slide, bent_slide, elements_slide, gap_slide;

static const struct {
    const char *name;
    slide_function *slide;
} shapes[SIMULATED_CONTACTS] = {
    [SIMULATED_RIGID] = {"rigid", rigid_slide},      [SIMULATED_DAHL] = {"dahl", bent_slide},
    [SIMULATED_LUGRE] = {"lugre", bent_slide},       [SIMULATED_ELASTOPLASTIC] = {"elastoplastic", bent_slide},
    [SIMULATED_BOUC_WEN] = {"bouc_wen", bent_slide}, [SIMULATED_MAXWELL_SLIP] = {"maxwell_slip", elements_slide},
    [SIMULATED_GMS] = {"gms", elements_slide},       [SIMULATED_BACKLASH] = {"backlash", gap_slide},
};

const char *simulated_contact_name(size_t shape)
{
    return shape < SIMULATED_CONTACTS ? shapes[shape].name : NULL;
}

bool simulated_contact_is_of_elements(size_t shape)
{
    return shape < SIMULATED_CONTACTS && shapes[shape].slide == elements_slide;
}

double simulated_contact_f_c(const struct simulated_contact_settings *settings)
{
    double sum = 0;
    if (!simulated_contact_is_of_elements(settings->shape))
        return settings->f_c_n;
    for (size_t k = 0; k < settings->elements; k++)
        sum += settings->slip_force_n[k];
    return sum;
}

static double velocity_at(const struct simulated_contact *contact, double time_s)
{
    return simulated_leg_velocity(contact->drive, &contact->leg, time_s);
}

static double displacement_at(const struct simulated_contact *contact, double time_s)
{
    return simulated_leg_displacement(contact->drive, &contact->leg, time_s);
}

/* What it is when all slides, over f_c. */
static double level_at(const struct simulated_contact *contact, double time_s)
{
    const struct simulated_contact_settings *settings = contact->contact;
    const double ratio = velocity_at(contact, time_s) / settings->v_s_m_per_s;
    return settings->f_s_n > 0 ? 1 + (settings->f_s_n / contact->f_c_n - 1) * exp(-ratio * ratio) : 1;
}

static void rigid_slide(struct simulated_contact *contact, const struct piece *piece)
{
    contact->deflection = copysign(level_at(contact, piece->to_s), piece->way_m);
}

/* --- bristles --- */

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
    return v / settings->x_d_m * followed(settings, sense * deflection, level_at(contact, time_s));
}

static void bent_slide(struct simulated_contact *contact, const struct piece *piece)
{
    const double way = fabs(piece->way_m) / contact->contact->x_d_m;
    if (way > forgotten) {
        rigid_slide(contact, piece);
        return;
    }
    const unsigned steps = (unsigned)ceil(way / step);
    const double h = (piece->to_s - piece->from_s) / steps;
    for (unsigned i = 0; i < steps; i++) {
        const double t = piece->from_s + i * h, z = contact->deflection;
        const double a = rate_at(contact, t, z), b = rate_at(contact, t + h / 2, z + h / 2 * a);
        const double c = rate_at(contact, t + h / 2, z + h / 2 * b), d = rate_at(contact, t + h, z + h * c);
        contact->deflection = z + h / 6 * (a + 2 * b + 2 * c + d);
    }
}

/* --- elements, and the gap --- */

/* An element sticks, and is stretched, until it holds all that its level allows; then it slips, until the motion turns.
 * With an attraction it comes to a level that changes at the rate C/(F_C S), and one that is unloaded behind a turn
 * sticks, however low the level falls; else it follows at once. */
static void stretch(struct simulated_element *element, double way, double level, double approach)
{
    const int sense = way < 0 ? -1 : 1;
    if (element->slips == sense && approach > 0) {
        element->share = sense * level + (element->share - sense * level) * exp(-approach / level);
        return;
    }
    element->share += way;
    const bool sticks = fabs(element->share) < level || (approach > 0 && element->share * sense < 0);
    element->slips = sticks ? 0 : element->share < 0 ? -1 : 1;
    if (element->slips != 0)
        element->share = element->slips * level;
}

static double shortest_length(const struct simulated_contact_settings *settings)
{
    double shortest = INFINITY;
    for (size_t k = 0; k < settings->elements; k++)
        shortest = fmin(shortest, settings->slip_length_m[k]);
    return shortest;
}

static void elements_slide(struct simulated_contact *contact, const struct piece *piece)
{
    const struct simulated_contact_settings *settings = contact->contact;
    const double steps = ceil(fmin(fabs(piece->way_m) / (step * shortest_length(settings)), STEPS_MOST));
    const double h = (piece->to_s - piece->from_s) / steps;
    const double attraction = settings->shape == SIMULATED_GMS ? settings->attraction_n_per_s : 0;
    const double approach = attraction * h / contact->f_c_n;
    double before = displacement_at(contact, piece->from_s);
    for (double i = 1; i <= steps; i++) {
        /* What follows at once has the level of the end, what is on its way that of the middle. */
        const double end_s = piece->from_s + i * h, now = displacement_at(contact, end_s);
        const double level = level_at(contact, approach > 0 ? end_s - h / 2 : end_s);
        for (size_t k = 0; k < settings->elements; k++)
            stretch(&contact->element[k], (now - before) / settings->slip_length_m[k], level, approach);
        before = now;
    }
    contact->deflection = 0;
    for (size_t k = 0; k < settings->elements; k++)
        contact->deflection += settings->slip_force_n[k] / contact->f_c_n * contact->element[k].share;
}

/* Within the gap nothing is transmitted. */
static void gap_slide(struct simulated_contact *contact, const struct piece *piece)
{
    const double half = contact->contact->gap_m / 2, x_d = contact->contact->x_d_m, most = x_d + half;
    contact->displaced = fmin(fmax(contact->displaced + piece->way_m, -most), most);
    contact->deflection = copysign(fmax(fabs(contact->displaced) - half, 0) / x_d, contact->displaced);
}

/* --- the contact over time --- */

/* Within a leg; where it dwells nothing slides. */
static void slide(struct simulated_contact *contact, double to_s)
{
    const struct simulated_leg *leg = &contact->leg;
    struct piece piece = {.from_s = contact->time_s, .to_s = fmin(to_s, leg->start_s + leg->moves_s)};
    contact->time_s = to_s;
    if (!(piece.to_s > piece.from_s))
        return;
    piece.way_m = displacement_at(contact, piece.to_s) - displacement_at(contact, piece.from_s);
    if (piece.way_m != 0)
        shapes[contact->contact->shape].slide(contact, &piece);
}

static void begin_leg(struct simulated_contact *contact, double start_s, double from_m)
{
    contact->leg = simulated_leg_begin(contact->drive, contact->number, start_s, from_m);
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
    *contact =
        (struct simulated_contact){.drive = drive, .contact = settings, .f_c_n = simulated_contact_f_c(settings)};
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
    const double bristles = shapes[settings->shape].slide == bent_slide
                                ? settings->x_d_m * rate_at(contact, contact->time_s, contact->deflection)
                                : 0;
    return contact->f_c_n * contact->deflection + settings->sigma_1 * bristles + settings->sigma_2 * v +
           settings->f_0_n + settings->drift_n_per_s * contact->time_s;
}
