/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_climb.h"

#include "identify/loop/friction_start.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The models of every climb. What else any contact may have is asked of the best of them. */
static const struct {
    enum friction_shape shape;
    unsigned terms;
} models[] = {
#define VISCOUS FRICTION_BIT(FRICTION_VISCOUS)
#define STRIBECK FRICTION_BIT(FRICTION_STRIBECK)
#define BRISTLE FRICTION_BIT(FRICTION_BRISTLE)
#define SPRING FRICTION_BIT(FRICTION_SPRING)
#define HARDENING FRICTION_BIT(FRICTION_HARDENING)
    {FRICTION_RIGID, 0},
    {FRICTION_RIGID, VISCOUS},
    {FRICTION_RIGID, SPRING},
    {FRICTION_RIGID, STRIBECK},
    {FRICTION_RIGID, VISCOUS | STRIBECK},
    {FRICTION_DAHL, 0},
    {FRICTION_DAHL, VISCOUS},
    {FRICTION_DAHL, BRISTLE},
    {FRICTION_DAHL, VISCOUS | BRISTLE},
    {FRICTION_DAHL, STRIBECK},
    {FRICTION_DAHL, VISCOUS | STRIBECK},
    {FRICTION_DAHL, STRIBECK | BRISTLE},
    {FRICTION_DAHL, VISCOUS | STRIBECK | BRISTLE},
    {FRICTION_DAHL, SPRING},
    {FRICTION_ELASTOPLASTIC, 0},
    {FRICTION_ELASTOPLASTIC, VISCOUS},
    {FRICTION_ELASTOPLASTIC, VISCOUS | BRISTLE},
    {FRICTION_ELASTOPLASTIC, VISCOUS | STRIBECK},
    {FRICTION_ELASTOPLASTIC, VISCOUS | STRIBECK | BRISTLE},
    {FRICTION_BOUC_WEN, 0},
    {FRICTION_BOUC_WEN, VISCOUS},
    {FRICTION_BACKLASH, 0},
    {FRICTION_BACKLASH, VISCOUS},
    {FRICTION_BACKLASH, SPRING},
    {FRICTION_BACKLASH, HARDENING},
    {FRICTION_BACKLASH, HARDENING | VISCOUS},
    {FRICTION_MAXWELL, 0},
    {FRICTION_MAXWELL, VISCOUS},
    {FRICTION_MAXWELL, VISCOUS | STRIBECK},
#undef VISCOUS
#undef STRIBECK
#undef BRISTLE
#undef SPRING
#undef HARDENING
};

enum { MODELS = sizeof models / sizeof models[0] };

/* Those of elements, which are not climbed with a spring alone; and those with a dip, each of which may be looked at
 * once more without the viscous force or what vanishes. */
enum { OF_ELEMENTS = 3, DIPS = 9 };

/* Nothing, what was found, a spring, and what was found beside elements. Terms are found once and dropped four times,
 * one at a time, and those of elements are found at once. */
enum { CLIMBS = 4, PROBES = 5 * FRICTION_BESIDE_TERMS + 1, ATTRACTIONS = 3 };

/* The sets of a viscous force, a spring and a mass, but for none of them. */
enum { FRICTIONLESS = 7 };

static_assert(CLIMBS * (MODELS + DIPS) - OF_ELEMENTS + ATTRACTIONS + PROBES + FRICTIONLESS <= FRICTION_RUNGS,
              "all climbs have room, and GMS, the probes between them, what dips leave out, and what has no friction");

static bool is_cancelled(const struct friction_climb *climb)
{
    return climb->cancel && atomic_load(climb->cancel);
}

/* The rung of a row; climb->count where it was not climbed. */
static size_t rung_of(const struct friction_climb *climb, size_t row)
{
    size_t k = 0;
    while (k < climb->count && climb->row[k] != row)
        k++;
    return k;
}

static bool was_climbed(const struct friction_climb *climb, size_t row)
{
    return rung_of(climb, row) < climb->count;
}

/* A fit that hands its values up: it has the same unknowns beside one linear one. Shapes without a closed form have few
 * rows and no grid of dips, so that all hand up. */
static bool hands_up(const struct friction_row *simple, const struct friction_row *full)
{
    const unsigned more = full->terms & ~simple->terms;
    return friction_row_extends(simple, full) &&
           (!friction_shape_is_closed(full->shape) ||
            (more && !(more & (more - 1)) && !(more & FRICTION_BIT(FRICTION_STRIBECK))));
}

/* Every set of terms that another shape has of its own, Dahl's has too, and before it. Of what stands beside, which
 * that shape may not bear whole, as much as one of Dahl's models has. */
static const struct friction_fit *dahl_with_terms_of(const struct friction_climb *climb, const struct friction_row *row)
{
    const unsigned own = ~(friction_terms_borne(FRICTION_DAHL, FRICTION_BIT(FRICTION_STRIBECK)) |
                           FRICTION_BIT(FRICTION_ATTRACTION) | FRICTION_BIT(FRICTION_HARDENING));
    const struct friction_fit *most = NULL;
    for (size_t k = 0; k < climb->count; k++) {
        const struct friction_row *dahl = &climb->fit[k].point.row;
        if (dahl->shape == FRICTION_DAHL && !(dahl->terms & ~row->terms) && !((dahl->terms ^ row->terms) & own) &&
            (!most || __builtin_popcount(dahl->terms) > __builtin_popcount(most->point.row.terms)))
            most = &climb->fit[k];
    }
    assert(most);
    return most;
}

/* Of what the models before one leave. */
static double least_squares(const struct friction_climb *climb)
{
    double least = INFINITY;
    for (size_t k = 0; k < climb->count; k++)
        least = fmin(least, climb->fit[k].squares);
    return least;
}

/* An elastoplastic contact whose bristles are elastic nearly until they slip is one element, and has a dip that is near
 * that one's. Dahl's, with which elements begin, is not. */
static const double nearly_all = 0.9; /* of x_d */

static void try_one_element(const struct friction_climb *climb, struct friction_fit *fit)
{
    for (size_t k = 0; k < climb->count; k++) {
        const struct friction_fit *elastic = &climb->fit[k];
        struct friction_point point = elastic->point;
        struct friction_fit one;
        if (point.row.shape != FRICTION_ELASTOPLASTIC || point.row.terms != fit->point.row.terms ||
            elastic->abandoned || point.value[COLUMN_SHAPE] < nearly_all)
            continue;
        point.row = fit->point.row;
        for (size_t e = 0; e < FRICTION_ELEMENTS; e++)
            point.value[COLUMN_LENGTH + e] = e == 0 ? point.value[COLUMN_X_D] : 0;
        friction_start_at(point.value[COLUMN_START] * point.value[COLUMN_X_D], &point);
        friction_fit_from(&climb->motions.all, &point, &one);
        friction_take_better(&one, fit);
    }
}

static void climb_row(struct friction_climb *climb, size_t r)
{
    const struct friction_row *row = &friction_rows[r];
    const struct friction_fit *simpler[FRICTION_RUNGS];
    struct friction_fit *fit = &climb->fit[climb->count];
    size_t count = 0;
    if (climb->count == FRICTION_RUNGS)
        return;
    for (size_t k = 0; k < climb->count; k++)
        if (hands_up(&climb->fit[k].point.row, row))
            simpler[count++] = &climb->fit[k];
    if (row->shape == FRICTION_MAXWELL) {
        friction_search_slip(&climb->motions, row, dahl_with_terms_of(climb, row), least_squares(climb), simpler, count,
                             fit);
        try_one_element(climb, fit);
    } else if (friction_shape_is_closed(row->shape))
        friction_search(&climb->motions, row, climb->exponent, simpler, count, fit);
    else
        friction_search_bent(&climb->motions, row, dahl_with_terms_of(climb, row), least_squares(climb), simpler, count,
                             fit);
    climb->row[climb->count++] = r;
}

/* Stops that harden begin with springs. Where these are far from explaining the record there are no stops. */
static bool may_have_stops(const struct friction_climb *climb, size_t row)
{
    bool found = !(friction_rows[row].terms & FRICTION_BIT(FRICTION_HARDENING));
    for (size_t k = 0; k < climb->count; k++)
        found = found || (!climb->fit[k].abandoned && hands_up(&climb->fit[k].point.row, &friction_rows[row]));
    return found;
}

void friction_climb_models(struct friction_climb *climb, unsigned beside, bool elements)
{
    for (size_t k = 0; k < MODELS && !is_cancelled(climb); k++) {
        if ((models[k].shape == FRICTION_MAXWELL) != elements)
            continue;
        const unsigned borne = beside & friction_terms_borne(models[k].shape, models[k].terms);
        const size_t row = friction_row_of(models[k].shape, models[k].terms | borne);
        if (row < FRICTION_ROWS && !was_climbed(climb, row) && may_have_stops(climb, row))
            climb_row(climb, row);
    }
}

void friction_climb_attraction(struct friction_climb *climb, unsigned beside)
{
    const unsigned terms =
        FRICTION_BIT(FRICTION_VISCOUS) | FRICTION_BIT(FRICTION_STRIBECK) | FRICTION_BIT(FRICTION_ATTRACTION);
    const size_t row =
        friction_row_of(FRICTION_MAXWELL, terms | (beside & friction_terms_borne(FRICTION_MAXWELL, terms)));
    if (!is_cancelled(climb) && row < FRICTION_ROWS && !was_climbed(climb, row))
        climb_row(climb, row);
}

void friction_climb_frictionless(struct friction_climb *climb)
{
    const bool one_speed = friction_motion_has_one_speed(&climb->motions.all);
    for (size_t r = 0; r < FRICTION_ROWS && climb->count < FRICTION_RUNGS && !is_cancelled(climb); r++) {
        const struct friction_point point = {.row = friction_rows[r], .value = {[COLUMN_EXPONENT] = climb->exponent}};
        if (point.row.shape != FRICTION_NONE || (one_speed && point.row.terms & FRICTION_BIT(FRICTION_VISCOUS)))
            continue;
        friction_fit_from(&climb->motions.all, &point, &climb->fit[climb->count]);
        climb->row[climb->count++] = r;
    }
}

/* The one that leaves least of those that a model contains, less than that itself; NULL: there is none. */
static const struct friction_fit *best_within(const struct friction_climb *climb, const struct friction_fit *full)
{
    const struct friction_fit *best = NULL;
    double least = full->squares * (1 - FRICTION_SAME_OPTIMUM);
    for (size_t k = 0; k < climb->count; k++) {
        const struct friction_fit *simple = &climb->fit[k];
        if (simple == full || simple->abandoned || !friction_row_contains(&simple->point.row, &full->point.row) ||
            !(simple->squares < least))
            continue;
        least = simple->squares;
        best = simple;
    }
    return best;
}

/* The best of damped bristles of the elastoplastic shape begins anew, and hands that up. */
static void begin_anew(struct friction_climb *climb)
{
    struct friction_fit *best = NULL;
    for (size_t k = 0; k < climb->count; k++) {
        struct friction_fit *fit = &climb->fit[k];
        const struct friction_row *row = &fit->point.row;
        if (row->shape == FRICTION_ELASTOPLASTIC && row->terms & FRICTION_BIT(FRICTION_BRISTLE) && !fit->abandoned &&
            (!best || fit->squares < best->squares))
            best = fit;
    }
    if (best && !is_cancelled(climb))
        friction_begin_anew(&climb->motions.all, best);
}

/* The exponent was found for Dahl's shape, and without what stands beside the models. */
static void try_exponents(struct friction_climb *climb)
{
    for (size_t k = 0; k < climb->count && !is_cancelled(climb); k++) {
        const struct friction_row *row = &climb->fit[k].point.row;
        if (row->shape == FRICTION_RIGID || (row->shape == FRICTION_DAHL && row->terms & FRICTION_BESIDE_SHAPES))
            friction_try_other_exponent(&climb->motions.all, &climb->fit[k]);
    }
}

void friction_climb_hand_up(struct friction_climb *climb)
{
    begin_anew(climb);
    try_exponents(climb);
    /* Rows stand behind those that they contain. */
    for (size_t r = 0; r < FRICTION_ROWS && !is_cancelled(climb); r++) {
        const size_t k = rung_of(climb, r);
        const struct friction_fit *simple = k < climb->count ? best_within(climb, &climb->fit[k]) : NULL;
        if (!simple)
            continue;
        struct friction_fit refined;
        const struct friction_point start = friction_start_within(&climb->motions.all, simple, &climb->fit[k].point);
        friction_fit_from(&climb->motions.all, &start, &refined);
        friction_take_better(&refined, &climb->fit[k]);
    }
}

/* Of a dip that has an exponent of 1 or 2. */
static const double between_exponents = 1.5;

bool friction_climb_to(const struct friction_climb *climb, size_t rung, unsigned terms, struct friction_probe *probe)
{
    const struct friction_fit *from = &climb->fit[rung];
    probe->row = friction_row_of(from->point.row.shape, terms);
    const size_t at = rung_of(climb, probe->row);
    const double known = at < climb->count ? climb->fit[at].squares : INFINITY;
    if (probe->row == FRICTION_ROWS || !(known > from->squares))
        return false;
    const struct friction_point of = {.row = friction_rows[probe->row], .value = {[COLUMN_EXPONENT] = climb->exponent}};
    struct friction_point start = friction_start_from(from, &of);
    /* One that is no longer estimated is told as that which the walk has. */
    if (from->point.row.terms & ~terms & FRICTION_BIT(FRICTION_FREE_EXPONENT))
        start.value[COLUMN_EXPONENT] = start.value[COLUMN_EXPONENT] < between_exponents ? 1 : 2;
    friction_fit_towards(&climb->motions.all, &start, known, &probe->fit);
    return probe->fit.squares < known;
}

bool friction_climb_take(struct friction_climb *climb, const struct friction_probe *probe, size_t *rung)
{
    const size_t at = rung_of(climb, probe->row);
    if (at == FRICTION_RUNGS)
        return false;
    climb->fit[at] = probe->fit;
    climb->row[at] = probe->row;
    climb->count += at == climb->count;
    *rung = at;
    return true;
}

/* That exponent of Stribeck's dip, 1 or 2, with which the model with all terms leaves less; then the steps that what it
 * leaves calls for. 0 or -ENOMEM. */
static int prepare(const struct loop_signal *signal, struct friction_climb *climb)
{
    static const struct friction_row all = {NULL, FRICTION_DAHL,
                                            FRICTION_BIT(FRICTION_VISCOUS) | FRICTION_BIT(FRICTION_STRIBECK) |
                                                FRICTION_BIT(FRICTION_BRISTLE)};
    struct friction_fit one, two;
    friction_search(&climb->motions, &all, 1, NULL, 0, &one);
    friction_search(&climb->motions, &all, 2, NULL, 0, &two);
    climb->exponent = one.squares < two.squares ? 1 : 2;
    climb->stepped_for = fmin(one.squares, two.squares);
    bool finer;
    return friction_motions_refine(signal, one.squares < two.squares ? &one : &two, &climb->motions, &finer);
}

/* The steps that another model called for are too coarse where one leaves less than half as much. What they are allowed
 * to be off is far more than they are: in 280 random contacts of 0.3 to 5 % noise 0.04 of the noise at most, and 0.005
 * in those where one model left less than another and the steps of that were kept. */
static const double far_less = 0.25;

/* Elements that stood for what coarse steps leave are merged. */
static void fit_anew(struct friction_climb *climb)
{
    for (size_t k = 0; k < climb->count && !is_cancelled(climb); k++) {
        struct friction_fit *fit = &climb->fit[k];
        const struct friction_point from = fit->point;
        if (fit->abandoned)
            continue;
        friction_fit_from(&climb->motions.all, &from, fit);
        if (from.row.shape == FRICTION_MAXWELL)
            friction_merge_elements(&climb->motions.all, fit);
    }
}

int friction_climb_refine(const struct loop_signal *signal, struct friction_climb *climb)
{
    const double least = least_squares(climb);
    size_t best = 0;
    while (best < climb->count && climb->fit[best].squares > least)
        best++;
    if (best == climb->count || !friction_column_used(&climb->fit[best].point.row, COLUMN_RATIO) ||
        !(least < far_less * climb->stepped_for))
        return 0;
    climb->stepped_for = least;
    bool finer;
    const int error = friction_motions_refine(signal, &climb->fit[best], &climb->motions, &finer);
    if (error == 0 && finer)
        fit_anew(climb);
    return error;
}

int friction_climb_make(const struct loop_signal *signal, const atomic_bool *cancel, struct friction_climb *climb)
{
    *climb = (struct friction_climb){.cancel = cancel};
    climb->fit = calloc(FRICTION_RUNGS, sizeof *climb->fit);
    const int error = climb->fit ? friction_motions_make(signal, 1, &climb->motions) : -ENOMEM;
    climb->motions.all.cancel = climb->motions.thinned.cancel = cancel;
    return error;
}

int friction_climb_base(const struct loop_signal *signal, struct friction_climb *climb)
{
    const int error = prepare(signal, climb);
    if (error == 0)
        friction_climb_models(climb, 0, false);
    return error;
}

void friction_climb_clear(struct friction_climb *climb)
{
    friction_motions_clear(&climb->motions);
    free(climb->fit);
}
