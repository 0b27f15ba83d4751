/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The identified motion: half cycles in closed form, or the pieces of which a rung of the ladder is integrated. */

#include "client/plot_motion.h"

#include "client/reply.h"
#include "identify/ladder/ladder_motion.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A polynomial in tau - origin, up to a time. */
struct plot_piece {
    double origin, to, x[SERIES_ORDER + 1];
};

/* A picture shows a thousandth of X_0 at best. */
static const double ACCURACY = 1e-8;

static double value_of(const json_t *section, const char *key)
{
    return reply_figure(section, key).value;
}

/* --- a rung --- */

/* The array with room for one more; NULL, and it stays, when there is no memory. */
static void *with_room(void *array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return array;
    const size_t wanted = *capacity > 0 ? 2 * *capacity : 256;
    void *larger = reallocarray(array, wanted, size);
    *capacity = larger ? wanted : *capacity;
    return larger;
}

static bool keep_turn(void *taker, const struct ladder_turn *turn)
{
    struct plot_motion *motion = taker;
    struct plot_point *larger =
        with_room(motion->turns, motion->turn_count, &motion->turn_capacity, sizeof *motion->turns);
    if (!larger)
        return false;
    motion->turns = larger;
    motion->turns[motion->turn_count++] = (struct plot_point){turn->time / motion->omega_n, turn->x};
    return true;
}

static bool keep_piece(void *taker, const struct ladder_piece *piece)
{
    struct plot_motion *motion = taker;
    struct plot_piece *larger = with_room(motion->pieces, motion->count, &motion->capacity, sizeof *motion->pieces);
    if (!larger)
        return false;
    motion->pieces = larger;
    struct plot_piece *kept = &motion->pieces[motion->count++];
    kept->origin = piece->origin;
    kept->to = piece->to;
    memcpy(kept->x, piece->x, sizeof kept->x);
    return true;
}

static unsigned terms_of(const json_t *rung)
{
    unsigned terms = 0;
    size_t i;
    json_t *name;
    json_array_foreach (json_object_get(rung, "terms"), i, name)
        for (enum ladder_parameter p = 0; p < LADDER_TERMS; p++)
            if (json_is_string(name) && strcmp(json_string_value(name), ladder_parameters[p].term) == 0)
                terms |= LADDER_BIT(p);
    return terms;
}

/* What the recorder's clock has lost until a time from the first extremum. */
static double lost_until(const struct plot_motion *motion, double time_s)
{
    const json_t *step;
    double lost_s = 0;
    for (size_t i = 0; (step = json_array_get(motion->clock_steps, i)); i++)
        lost_s += time_s >= value_of(step, "time") - motion->t0 ? value_of(step, "lost") : 0;
    return lost_s;
}

static double lost_most(const struct plot_motion *motion)
{
    const json_t *step;
    double lost_s = 0;
    for (size_t i = 0; (step = json_array_get(motion->clock_steps, i)); i++)
        lost_s += fmax(value_of(step, "lost"), 0);
    return lost_s;
}

/* The walk ends behind `until_s`, or where the mass rests. */
static int walk_rung(struct plot_motion *motion, const json_t *rung, double until_s)
{
    const struct ladder_takers takers = {keep_turn, keep_piece, motion};
    double parameters[LADDER_MOTION] = {0};
    const unsigned terms = terms_of(rung);
    for (enum ladder_parameter p = 0; p < LADDER_MOTION; p++) {
        const double value = value_of(rung, ladder_parameters[p].name);
        parameters[p] = ladder_terms_have(terms, p) && isfinite(value) ? value : 0;
    }
    motion->omega_n = 2 * M_PI * value_of(rung, "f_n_hz");
    motion->t0 = value_of(rung, "t0");
    motion->clock_steps = json_object_get(rung, "clock_steps");
    if (!isfinite(motion->omega_n) || !(fabs(parameters[LADDER_X0]) > 0))
        return 0;
    ladder_walk(parameters, terms, motion->omega_n * (until_s + lost_most(motion)), ACCURACY, &takers);
    const bool held = motion->pieces && motion->pieces[motion->count - 1].to >= INFINITY;
    const bool far = motion->pieces && motion->pieces[motion->count - 1].to >= motion->omega_n * until_s;
    return held || far ? 0 : -ENOMEM;
}

static double rung_at(struct plot_motion *motion, double time_s)
{
    const double tau = motion->omega_n * (time_s + lost_until(motion, time_s));
    while (motion->next + 1 < motion->count && motion->pieces[motion->next].to <= tau)
        motion->next++;
    const struct plot_piece *piece = &motion->pieces[motion->next];
    double x = 0;
    for (size_t k = SERIES_ORDER + 1; k-- > 0;)
        x = x * (tau - piece->origin) + piece->x[k];
    return tau < piece->to ? motion->bias + x : (double)NAN;
}

/* --- closed form --- */

/* The mass rests where |X_j| <= x_k. */
static double law_at(struct plot_motion *motion, double time_s)
{
    const struct law_extremum *extremum = &motion->extremum;
    double theta = motion->omega_d * time_s - motion->half_cycles * M_PI;
    for (; theta >= M_PI && fabs(extremum->x) > motion->x_k; theta -= M_PI, motion->half_cycles++)
        motion->extremum = law_next_extremum(extremum, motion->q, motion->x_k);
    if (!(fabs(extremum->x) > motion->x_k))
        return motion->bias + extremum->x;
    const double level = extremum->sigma * motion->x_k;
    return motion->bias + level + (extremum->x - level) * law_bases_at(motion->beta, theta).g;
}

static struct plot_motion law_of(const json_t *section)
{
    const double zeta = value_of(section, "zeta"), x0 = value_of(section, "x0"), beta = law_beta(zeta);
    const struct law_extremum first = {.sigma = x0 < 0 ? -1 : 1, .x = x0, .per_x0 = 1};
    return (struct plot_motion){.omega_d = 2 * M_PI * value_of(section, "f_n_hz") * sqrt((1 - zeta) * (1 + zeta)),
                                .beta = beta,
                                .q = law_q(beta),
                                .x_k = value_of(section, "x_k"),
                                .bias = value_of(section, "bias"),
                                .first = first,
                                .extremum = first};
}

/* --- either --- */

int plot_motion_begin(struct plot_motion *motion, const json_t *result, double until_s)
{
    const json_t *section = reply_recommended(result);
    *motion = law_of(section);
    return section && section == json_object_get(result, "ladder") ? walk_rung(motion, section, until_s) : 0;
}

double plot_motion_at(struct plot_motion *motion, double time_s)
{
    if (!(time_s >= 0))
        return NAN;
    return motion->pieces ? rung_at(motion, time_s) : law_at(motion, time_s);
}

void plot_motion_restart(struct plot_motion *motion)
{
    motion->next = 0;
    motion->half_cycles = 0;
    motion->extremum = motion->first;
}

void plot_motion_clear(struct plot_motion *motion)
{
    free(motion->pieces);
    free(motion->turns);
    *motion = (struct plot_motion){.pieces = NULL};
}
