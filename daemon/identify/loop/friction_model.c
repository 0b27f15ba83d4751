/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_model.h"

#include "identify/loop/friction_onset.h"
#include "identify/loop/friction_stop.h"

#include <math.h>

double friction_level(const struct friction_model *model, double speed)
{
    if (!(model->f_s > 0))
        return 1;
    return 1 + (model->f_s / model->f_c - 1) * exp(-pow(speed / model->v_s, model->stribeck_exponent));
}

static double scale_of(double scale)
{
    return scale > 0 ? scale : 1;
}

double friction_level_towards(const struct friction_model *model, double speed, double forward)
{
    const double ratio = scale_of(model->level_ratio);
    return friction_level(model, speed) * (1 + forward * (ratio - 1) / (ratio + 1));
}

/* F_C at a displacement. */
static double path_level(const struct friction_model *model, double displacement)
{
    const double way = displacement - model->path_middle;
    return model->f_c + way * (model->path_slope + way * model->path_curvature);
}

/* The level at the mean speed of a piece, to which an element comes nearer that is on its way to its level, and that at
 * the speed at its end, which an element has that slips. */
struct piece_levels {
    double mean, end;
};

/* An element of GMS: where it slips in the sense of the motion it comes nearer to its level; else it is a spring until
 * it slips in that sense: one that is unloaded stays a spring, however low the level falls meanwhile (Al-Bender,
 * Lampaert and Swevers 2005). In slip lengths, in the sense of the motion; whether it slips. */
static bool advance_attracted(const struct friction_loading *piece, bool slips, double *stretched)
{
    if (slips) {
        *stretched = piece->mean + exp(-piece->time / piece->mean) * (piece->before - piece->mean);
        return true;
    }
    *stretched = piece->before + piece->step;
    if (*stretched < piece->end)
        return false;
    if (friction_slips_from_first(piece))
        return advance_attracted(piece, true, stretched);
    *stretched = friction_onset_of(piece).reached;
    return true;
}

static void advance_element(const struct friction_model *model, size_t i, const struct path_piece *piece,
                            const struct piece_levels *levels, struct friction_state *state)
{
    const double slip_force = model->elements[i].slip_force * scale_of(model->element_force_scale);
    const double slip_length = model->elements[i].slip_length * scale_of(model->element_length_scale);
    const double limit = slip_force * levels->end, forward = piece->forward;
    double *force = &state->element_force[i];
    if (model->attraction > 0) {
        const struct friction_loading loading = {forward * *force / slip_force, piece->length / slip_length,
                                                 levels->mean, levels->end,
                                                 piece->time_s * model->attraction / model->f_c};
        double stretched;
        const bool slips = advance_attracted(&loading, state->element_slips[i] * forward > 0, &stretched);
        *force = forward * slip_force * stretched;
        state->element_slips[i] = (signed char)(slips ? forward : 0);
        return;
    }
    *force = fmax(-limit, fmin(limit, *force + slip_force / slip_length * forward * piece->length));
}

static void advance_elements(const struct friction_model *model, const struct path_piece *piece,
                             const struct piece_levels *levels, struct friction_state *state)
{
    for (size_t i = 0; i < model->element_count && piece->length > 0; i++)
        advance_element(model, i, piece, levels, state);
}

static struct friction_stops stops_of(const struct friction_model *model)
{
    return (struct friction_stops){model->gap / model->x_d, model->limit_ratio, scale_of(model->hardening)};
}

/* How far a contact with backlash is displaced, in x_d, where it slips to that side. */
static double gap_limit(const struct friction_model *model, double side)
{
    const struct friction_stops stops = stops_of(model);
    return friction_stop_limit_way(&stops, side < 0 ? -1 : 1);
}

/* To both sides; found by a search, which is made once for a whole walk. */
struct gap_limits {
    double backward, forward;
};

static struct gap_limits gap_limits_of(const struct friction_model *model)
{
    if (model->shape != FRICTION_BACKLASH)
        return (struct gap_limits){0, 0};
    return (struct gap_limits){gap_limit(model, -1), gap_limit(model, 1)};
}

/* What the stop of a side transmits, in F_C. */
static double stop_transmits(const struct friction_model *model, double displaced, double side)
{
    const struct friction_stops stops = stops_of(model);
    const double length = friction_stop_length(&stops, side), beyond = side * displaced - stops.gap / 2;
    return side * length * friction_stop_force(beyond / length, stops.hardening).force;
}

/* What a contact that is displaced so far transmits, in F_C. */
static double transmitted(const struct friction_model *model, double displaced)
{
    return model->shape == FRICTION_BACKLASH
               ? stop_transmits(model, displaced, 1) + stop_transmits(model, displaced, -1)
               : displaced;
}

static void advance(const struct friction_model *model, const struct gap_limits *limits, const struct path_piece *piece,
                    struct friction_state *state)
{
    const double speed = piece->time_s > 0 ? piece->length / piece->time_s : 0;
    const double level = friction_level_towards(model, speed, piece->forward);
    const double way = piece->length / (model->x_d > 0 ? model->x_d : 1);
    const struct piece_levels levels = {level, friction_level_towards(model, piece->end_speed, piece->forward)};
    advance_elements(model, piece, &levels, state);
    if (model->shape == FRICTION_BACKLASH) {
        const double to = state->deflection + piece->forward * way;
        state->deflection = fmax(-limits->backward, fmin(limits->forward, to));
        return;
    }
    state->deflection = piece->forward * friction_advance(model->shape, &model->shape_parameters,
                                                          piece->forward * state->deflection, way, level);
}

/* Of the state, at a sample. */
static double force_at(const struct friction_model *model, const struct contact_sample *sample,
                       const struct friction_state *state)
{
    const double speed = fabs(sample->velocity), forward = sample->velocity < 0 ? -1 : 1;
    const double slope = friction_slope(model->shape, &model->shape_parameters, forward * state->deflection,
                                        friction_level_towards(model, speed, forward));
    double force = model->f_0 + model->k_x * sample->displacement + model->sigma_2 * sample->velocity;
    if (model->element_count == 0)
        force += path_level(model, sample->displacement) * transmitted(model, state->deflection) +
                 model->sigma_1 * slope * sample->velocity;
    for (size_t i = 0; i < model->element_count; i++)
        force += state->element_force[i];
    return force;
}

struct friction_state friction_state_at(const struct friction_model *model, double start)
{
    const double level = friction_level_towards(model, 0, start < 0 ? -1 : 1);
    const double most = model->shape == FRICTION_BACKLASH ? gap_limit(model, start) : level;
    struct friction_state state = {.deflection = start * most};
    for (size_t i = 0; i < model->element_count; i++)
        state.element_force[i] = start * level * model->elements[i].slip_force * scale_of(model->element_force_scale);
    return state;
}

void friction_force(const struct friction_model *model, const struct contact_sample *motion, size_t count,
                    size_t pieces, struct friction_state *state, double *force)
{
    struct path_piece path[PATH_PIECES_MOST];
    const struct gap_limits limits = gap_limits_of(model);
    for (size_t i = 0; i < count; i++) {
        const size_t steps = i > 0 ? contact_path(&motion[i - 1], &motion[i], pieces, path) : 0;
        for (size_t k = 0; k < steps; k++)
            advance(model, &limits, &path[k], state);
        force[i] = force_at(model, &motion[i], state);
    }
}
