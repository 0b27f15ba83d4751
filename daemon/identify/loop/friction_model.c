/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_model.h"

#include <math.h>

double friction_level(const struct friction_model *model, double speed)
{
    if (!(model->f_s > 0))
        return 1;
    return 1 + (model->f_s / model->f_c - 1) * exp(-pow(speed / model->v_s, model->stribeck_exponent));
}

/* Each is a spring until it slips. */
static void advance_elements(const struct friction_model *model, const struct path_piece *piece, double level,
                             struct friction_state *state)
{
    for (size_t i = 0; i < model->element_count; i++) {
        const struct friction_element *element = &model->elements[i];
        const double limit = element->slip_force * level;
        const double stretched =
            state->element_force[i] + element->slip_force / element->slip_length * piece->forward * piece->length;
        state->element_force[i] = fmax(-limit, fmin(limit, stretched));
    }
}

static void advance(const struct friction_model *model, const struct path_piece *piece, struct friction_state *state)
{
    const double speed = piece->time_s > 0 ? piece->length / piece->time_s : 0;
    const double level = friction_level(model, speed), way = piece->length / (model->x_d > 0 ? model->x_d : 1);
    advance_elements(model, piece, level, state);
    state->deflection = piece->forward * friction_advance(model->shape, &model->shape_parameters,
                                                          piece->forward * state->deflection, way, level);
}

/* Of the state, at a sample. */
static double force_at(const struct friction_model *model, const struct contact_sample *sample,
                       const struct friction_state *state)
{
    const double speed = fabs(sample->velocity), forward = sample->velocity < 0 ? -1 : 1;
    const double slope = friction_slope(model->shape, &model->shape_parameters, forward * state->deflection,
                                        friction_level(model, speed));
    double force = model->f_0 + model->k_x * sample->displacement + model->sigma_2 * sample->velocity;
    if (model->element_count == 0)
        force += model->f_c * state->deflection + model->sigma_1 * slope * sample->velocity;
    for (size_t i = 0; i < model->element_count; i++)
        force += state->element_force[i];
    return force;
}

void friction_force(const struct friction_model *model, const struct contact_sample *motion, size_t count,
                    size_t pieces, struct friction_state *state, double *force)
{
    struct path_piece path[PATH_PIECES_MOST];
    for (size_t i = 0; i < count; i++) {
        const size_t steps = i > 0 ? contact_path(&motion[i - 1], &motion[i], pieces, path) : 0;
        for (size_t k = 0; k < steps; k++)
            advance(model, &path[k], state);
        force[i] = force_at(model, &motion[i], state);
    }
}
