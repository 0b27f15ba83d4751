/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/simulation.h"

#include "identify/loop/contact_motion.h"
#include "identify/loop/friction_motion.h"
#include "identify/loop/loop_pieces.h"

#include <math.h>
#include <stdlib.h>

enum { ARRAYS = 4, LEAST_SAMPLES = 9 };

static bool all_finite(const double *values, size_t count)
{
    for (size_t i = 0; values && i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

static enum verdict check(const struct simulation_input *input)
{
    if (input->count < LEAST_SAMPLES)
        return VERDICT_TOO_FEW_SAMPLES;
    if (!all_finite(input->time_s, input->count) || !all_finite(input->displacement, input->count) ||
        !all_finite(input->force, input->count))
        return VERDICT_NOT_FINITE;
    for (size_t i = 1; i < input->count; i++)
        if (!(input->time_s[i] > input->time_s[i - 1]))
            return VERDICT_TIME_NOT_INCREASING;
    return VERDICT_OK;
}

static enum verdict make_room(size_t count, struct simulation *simulation, struct contact_sample **motion)
{
    simulation->room = calloc(ARRAYS * count, sizeof(double));
    *motion = calloc(count, sizeof **motion);
    if (!simulation->room || !*motion)
        return VERDICT_NO_MEMORY;
    simulation->count = count;
    simulation->displacement = simulation->room;
    simulation->velocity = simulation->room + count;
    simulation->force = simulation->room + 2 * count;
    simulation->se = simulation->room + 3 * count;
    return VERDICT_OK;
}

static double rms_between(const double *one, const double *other, size_t first, size_t count)
{
    double squares = 0;
    for (size_t i = first; i < count; i++)
        squares += (one[i] - other[i]) * (one[i] - other[i]);
    return count > first ? sqrt(squares / (double)(count - first)) : NAN;
}

/* The motion as identification smooths it. */
static enum verdict follow(const struct known_contact *contact, const struct simulation_input *input,
                           const atomic_bool *cancel, struct contact_sample *motion, struct simulation *simulation)
{
    /* Where no force was measured its noise is that of a motion; nobody asks. */
    struct loop_signal signal = {.time_s = input->time_s,
                                 .displacement = input->displacement,
                                 .force = input->force ? input->force : input->displacement,
                                 .count = input->count};
    unsigned char *begins = calloc(input->count, sizeof *begins);
    const bool looked = begins && loop_signal_look(&signal) == 0 && loop_pieces_of(&signal, begins) == 0;
    if (!looked) {
        free(begins);
        return VERDICT_NO_MEMORY;
    }
    signal.begins = begins;
    const struct friction_window window = friction_window_of(&signal);
    friction_smooth(&signal, &window, motion);
    free(begins);
    const enum verdict verdict = contact_force(contact, motion, input->count, cancel, simulation->force, simulation->se,
                                               &simulation->known_from);
    if (verdict == VERDICT_OK && input->force)
        simulation->residual_rms = rms_between(input->force, simulation->force, simulation->known_from, input->count);
    return verdict;
}

static enum verdict push(const struct known_contact *contact, const struct simulation_input *input,
                         const atomic_bool *cancel, struct contact_sample *motion, struct simulation *simulation)
{
    const struct friction_model model = known_contact_model(contact, contact->value);
    const struct contact_push pushed = {input->mass, input->time_s, input->force, input->count};
    struct contact_place place = {.state = friction_state_at(&model, contact->start)};
    simulation->se = NULL;
    return contact_motion(&model, &pushed, cancel, &place, motion, simulation->force);
}

enum verdict simulate(const struct known_contact *contact, const struct simulation_input *input,
                      const atomic_bool *cancel, struct simulation *simulation)
{
    struct contact_sample *motion = NULL;
    *simulation = (struct simulation){.residual_rms = NAN};
    enum verdict verdict = check(input);
    if (verdict == VERDICT_OK)
        verdict = make_room(input->count, simulation, &motion);
    if (verdict == VERDICT_OK)
        verdict = (input->displacement ? follow : push)(contact, input, cancel, motion, simulation);
    for (size_t i = 0; verdict == VERDICT_OK && i < input->count; i++) {
        simulation->displacement[i] = motion[i].displacement;
        simulation->velocity[i] = motion[i].velocity;
    }
    free(motion);
    return verdict;
}

void simulation_clear(struct simulation *simulation)
{
    free(simulation->room);
    simulation->room = NULL;
}
