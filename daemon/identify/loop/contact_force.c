/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/contact_force.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps are fine enough when twice as many change the force by no more than this share of the level. */
static const double fine_enough = 1e-5;

/* A start that changes the force by less of the level is forgotten: no more than steps do, so that a force without
 * noise is told from there on as well as it was fitted. */
static const double forgotten = 1e-5;

/* Derivatives are taken over this share of a parameter, or of what it could be off by where that is less. */
static const double small_share = 1e-4;

enum { BLOCK = 256 };

/* How each walk along the motion differs from the first. */
struct walk {
    struct friction_model model;
    struct friction_state state;
    double force[BLOCK];
};

struct force_walks {
    const struct known_contact *contact;
    const struct contact_sample *motion; /* all of it, samples of them */
    size_t samples;
    size_t pieces;
    size_t known_from;
    struct walk centre, low, high; /* the last two from either end of what the start may be */
    size_t count;                  /* parameters that are not certain */
    enum friction_parameter parameter[FRICTION_PARAMETERS];
    double step[FRICTION_PARAMETERS];
    struct walk less[FRICTION_PARAMETERS], more[FRICTION_PARAMETERS];
};

struct friction_model known_contact_model(const struct known_contact *contact, const double value[FRICTION_PARAMETERS])
{
    const double x_d = value[FRICTION_X_D];
    /* What is known of fitted elements is how far off they are together. */
    const bool fitted = contact->element_count > 0 && contact->shape == FRICTION_MAXWELL;
    return (struct friction_model){
        .shape = contact->shape,
        .shape_parameters = {.z_ba = x_d > 0 ? value[FRICTION_Z_BA] / x_d : 0,
                             .n_bw = value[FRICTION_N_BW],
                             .beta_bw = value[FRICTION_BETA_BW]},
        .f_c = value[FRICTION_F_C],
        .x_d = x_d,
        .f_s = value[FRICTION_F_S],
        .v_s = value[FRICTION_V_S],
        .stribeck_exponent = value[FRICTION_EXPONENT] > 0 ? value[FRICTION_EXPONENT] : contact->stribeck_exponent,
        .sigma_1 = value[FRICTION_SIGMA_1],
        .sigma_2 = value[FRICTION_SIGMA_2],
        .f_0 = value[FRICTION_F_0],
        .k_x = value[FRICTION_K_X],
        .gap = value[FRICTION_GAP],
        .limit_ratio = value[FRICTION_SIDES],
        .hardening = value[FRICTION_STOPS],
        .level_ratio = value[FRICTION_LEVEL_RATIO],
        .path_slope = value[FRICTION_PATH_SLOPE],
        .path_curvature = value[FRICTION_PATH_CURVATURE],
        .path_middle = value[FRICTION_PATH_MIDDLE],
        .moved_mass = value[FRICTION_MOVED_MASS],
        .attraction = value[FRICTION_ATTRACTION_C],
        .elements = contact->element,
        .element_count = contact->element_count,
        .element_force_scale = fitted ? value[FRICTION_F_C] / contact->value[FRICTION_F_C] : 1,
        .element_length_scale = fitted ? x_d / contact->value[FRICTION_X_D] : 1};
}

static double level_of(const struct friction_model *model)
{
    double level = model->element_count > 0 ? 0 : model->f_c;
    for (size_t i = 0; i < model->element_count; i++)
        level += model->elements[i].slip_force * model->element_force_scale;
    return level * fmax(friction_level_towards(model, 0, 1), friction_level_towards(model, 0, -1));
}

static bool is_cancelled(const atomic_bool *cancel)
{
    return cancel && atomic_load(cancel);
}

/* --- steps --- */

/* Whether a walk in so many pieces an interval and one in twice as many tell the same; false too where that is not
 * wanted any more. */
static bool is_fine(const struct friction_model *model, const struct contact_sample *motion, size_t count,
                    size_t pieces, const atomic_bool *cancel)
{
    const double most = fine_enough * level_of(model);
    struct friction_state coarse_state = friction_state_at(model, 0), fine_state = coarse_state;
    double coarse[BLOCK], fine[BLOCK];
    for (size_t from = 0, length; from + 1 < count; from += length - 1) {
        length = count - from < BLOCK ? count - from : BLOCK;
        friction_force(model, motion + from, length, pieces, &coarse_state, coarse);
        friction_force(model, motion + from, length, 2 * pieces, &fine_state, fine);
        for (size_t i = 0; i < length; i++)
            if (fabs(coarse[i] - fine[i]) > most)
                return false;
        if (is_cancelled(cancel))
            return false;
    }
    return true;
}

/* In how many pieces each interval is walked. */
static size_t find_pieces(const struct friction_model *model, const struct contact_sample *motion, size_t count,
                          const atomic_bool *cancel)
{
    size_t pieces = 1;
    bool fine = false;
    while (!fine && pieces < PATH_PIECES && !is_cancelled(cancel)) {
        fine = is_fine(model, motion, count, pieces, cancel);
        pieces *= 2;
    }
    return pieces;
}

/* --- walks --- */

static struct walk walk_from(const struct known_contact *contact, const double value[FRICTION_PARAMETERS], double start)
{
    struct walk walk = {.model = known_contact_model(contact, value)};
    walk.state = friction_state_at(&walk.model, start);
    return walk;
}

/* Both walks beside the centre stay on the side of 0 on which the parameter is. */
static void add_parameter(struct force_walks *walks, enum friction_parameter p, double start)
{
    const struct known_contact *contact = walks->contact;
    const double variance = contact->covariance[p][p];
    double value[FRICTION_PARAMETERS];
    if (!(variance > 0))
        return;
    const double size = fabs(contact->value[p]), uncertainty = sqrt(variance);
    const size_t k = walks->count++;
    walks->parameter[k] = p;
    walks->step[k] = small_share * (size > 0 ? fmin(size, uncertainty) : uncertainty);
    memcpy(value, contact->value, sizeof value);
    value[p] = contact->value[p] - walks->step[k];
    walks->less[k] = walk_from(contact, value, start);
    value[p] = contact->value[p] + walks->step[k];
    walks->more[k] = walk_from(contact, value, start);
}

static struct force_walks *begin(const struct known_contact *contact, const struct contact_sample *motion,
                                 size_t samples, size_t pieces)
{
    struct force_walks *walks = calloc(1, sizeof *walks);
    const double start = contact->start_known ? contact->start : 0;
    if (!walks)
        return NULL;
    walks->contact = contact;
    walks->motion = motion;
    walks->samples = samples;
    walks->pieces = pieces;
    walks->centre = walk_from(contact, contact->value, start);
    walks->low = walk_from(contact, contact->value, contact->start_known ? start : -1);
    walks->high = walk_from(contact, contact->value, contact->start_known ? start : 1);
    for (enum friction_parameter p = 0; contact->has_covariance && p < FRICTION_PARAMETERS; p++)
        add_parameter(walks, p, start);
    return walks;
}

/* A walk goes on from the sample before a block, whose force it tells once more. */
static void go(struct walk *walk, const struct force_walks *walks, size_t from, size_t count)
{
    friction_force(&walk->model, walks->motion + from, count, walks->pieces, &walk->state, walk->force);
    for (size_t i = 0; i < count && walk->model.moved_mass != 0; i++)
        walk->force[i] += walk->model.moved_mass * contact_acceleration(walks->motion, walks->samples, from + i);
}

static double variance_at(const struct force_walks *walks, size_t i)
{
    double slope[FRICTION_PARAMETERS], sum = 0;
    for (size_t k = 0; k < walks->count; k++)
        slope[k] = (walks->more[k].force[i] - walks->less[k].force[i]) / (2 * walks->step[k]);
    for (size_t a = 0; a < walks->count; a++)
        for (size_t b = 0; b < walks->count; b++)
            sum += slope[a] * walks->contact->covariance[walks->parameter[a]][walks->parameter[b]] * slope[b];
    return fmax(sum, 0);
}

/* Of the motion's samples `from` on, `first` were told before. */
static void tell(struct force_walks *walks, size_t from, size_t first, size_t count, double *force, double *se)
{
    go(&walks->centre, walks, from, count);
    go(&walks->low, walks, from, count);
    go(&walks->high, walks, from, count);
    for (size_t k = 0; k < walks->count; k++) {
        go(&walks->less[k], walks, from, count);
        go(&walks->more[k], walks, from, count);
    }
    const double matters = forgotten * level_of(&walks->centre.model);
    for (size_t i = first; i < count; i++) {
        const double half = (walks->high.force[i] - walks->low.force[i]) / 2;
        if (fabs(half) > matters)
            walks->known_from = from + i + 1;
        force[i] = (walks->high.force[i] + walks->low.force[i]) / 2;
        se[i] = sqrt(variance_at(walks, i) + half * half / 3);
    }
}

enum verdict contact_force(const struct known_contact *contact, const struct contact_sample *motion, size_t count,
                           const atomic_bool *cancel, double *force, double *se, size_t *known_from)
{
    const struct friction_model model = known_contact_model(contact, contact->value);
    enum verdict verdict = VERDICT_OK;
    struct force_walks *walks = begin(contact, motion, count, find_pieces(&model, motion, count, cancel));
    if (!walks)
        return VERDICT_NO_MEMORY;
    for (size_t told = 0, length; told < count && verdict == VERDICT_OK; told += length) {
        const size_t before = told > 0, most = BLOCK - before;
        length = count - told < most ? count - told : most;
        tell(walks, told - before, before, before + length, force + told - before, se + told - before);
        if (is_cancelled(cancel))
            verdict = VERDICT_CANCELLED;
    }
    *known_from = walks->known_from;
    free(walks);
    return verdict;
}
