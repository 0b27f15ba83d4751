/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/simulation.h"

#include "identify/loop/contact_motion.h"
#include "identify/loop/friction_motion.h"
#include "identify/loop/loop_parts.h"
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

/* --- of a motion the force --- */

struct residual {
    double squares;
    size_t samples;
};

static void add_residual(const double *one, const double *other, size_t first, size_t end, struct residual *residual)
{
    for (size_t i = first; i < end; i++)
        residual->squares += (one[i] - other[i]) * (one[i] - other[i]);
    residual->samples += end - first;
}

/* The sample behind the next gap, or the end. */
static size_t end_of_run(const unsigned char *behind_gap, size_t count, size_t from)
{
    size_t end = from + 1;
    while (end < count && !behind_gap[end])
        end++;
    return end;
}

/* What happened in a gap nobody knows: behind it the contact begins anew. */
static enum verdict tell_runs(const struct known_contact *contact, const struct simulation_input *input,
                              const unsigned char *behind_gap, const atomic_bool *cancel,
                              const struct contact_sample *motion, struct simulation *simulation)
{
    struct known_contact anew = *contact;
    struct residual residual = {0};
    enum verdict verdict = VERDICT_OK;
    anew.start_known = false;
    for (size_t from = 0, end, known_from; from < input->count && verdict == VERDICT_OK; from = end) {
        end = end_of_run(behind_gap, input->count, from);
        verdict = contact_force(from > 0 ? &anew : contact, motion + from, end - from, cancel, simulation->force + from,
                                simulation->se + from, &known_from);
        if (verdict != VERDICT_OK)
            break;
        if (from == 0)
            simulation->known_from = known_from < end ? known_from : input->count;
        simulation->gaps += from > 0;
        if (input->force)
            add_residual(input->force, simulation->force, from + known_from, end, &residual);
    }
    if (residual.samples > 0)
        simulation->residual_rms = sqrt(residual.squares / (double)residual.samples);
    return verdict;
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
    unsigned char *begins = calloc(2 * input->count, sizeof *begins);
    unsigned char *behind_gap = begins ? begins + input->count : NULL;
    const bool looked = begins && loop_signal_look(&signal) == 0 && loop_pieces_of(&signal, begins) == 0 &&
                        loop_gaps_of(&signal, behind_gap) == 0;
    enum verdict verdict = VERDICT_NO_MEMORY;
    if (looked) {
        signal.begins = begins;
        const struct friction_window window = friction_window_of(&signal);
        friction_smooth(&signal, &window, motion);
        verdict = tell_runs(contact, input, behind_gap, cancel, motion, simulation);
    }
    free(begins);
    return verdict;
}

/* --- of a force the motion --- */

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
