/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The two motions of a record that fits walk along, and in how many steps. */

#include "identify/loop/friction_search.h"
#include "identify/loop/friction_weights.h"
#include "identify/loop/loop_pieces.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct loop_signal with_pieces(const struct loop_signal *signal, const struct friction_motions *motions)
{
    struct loop_signal of = *signal;
    of.begins = motions->begins;
    return of;
}

/* Root mean square of those of the parts, by their samples. */
static double noise_velocity_of(const struct loop_parts *parts)
{
    double squares = 0, samples = 0;
    for (size_t p = 0; p < parts->count; p++) {
        const double count = (double)(parts->part[p].end - parts->part[p].begin);
        squares += count * parts->part[p].noise_velocity * parts->part[p].noise_velocity;
        samples += count;
    }
    return sqrt(squares / samples);
}

int friction_motions_make(const struct loop_signal *measured, size_t pieces, struct friction_motions *motions)
{
    memset(motions, 0, sizeof *motions);
    motions->samples = calloc(measured->count, sizeof *motions->samples);
    motions->pieces = calloc(measured->count, sizeof *motions->pieces);
    motions->begins = calloc(measured->count, sizeof *motions->begins);
    if (!motions->samples || !motions->pieces || !motions->begins)
        return -ENOMEM;
    const struct loop_signal signal = with_pieces(measured, motions);
    int error = loop_parts_of(&signal, &motions->parts);
    if (error == 0)
        error = loop_pieces_of(&signal, motions->begins);
    for (size_t p = 0; error == 0 && p < motions->parts.count; p++) {
        const struct loop_signal part = loop_part_signal(&signal, &motions->parts.part[p]);
        const struct friction_window window = friction_window_of(&part);
        friction_smooth(&part, &window, motions->samples + motions->parts.part[p].begin);
        motions->parts.part[p].noise_velocity = window.noise_velocity;
    }
    if (error == 0)
        error = friction_leave_parts_out(&signal, motions->samples, &motions->parts);
    for (size_t i = 0; i < signal.count; i++)
        motions->pieces[i] = (unsigned char)pieces;
    if (error == 0)
        error = friction_motion_make(&signal, &motions->parts, motions->samples, motions->pieces, &motions->all);
    if (error == 0 && motions->parts.count > 0)
        motions->all.noise_velocity = noise_velocity_of(&motions->parts) / motions->all.unit_velocity;
    if (error == 0)
        error = friction_motion_thin(&signal, &motions->parts, motions->samples, &motions->all, &motions->thinned);
    return error;
}

/* What steps leave of an error is to be below this share of the residuals, or of F_C. */
static const double noise_share = 0.1, level_share = 3e-6;

/* A step with the level of its mean speed. Were the level to change evenly by `change` along a way of `way` x_d, many
 * such steps on end would be off by change way/12 where they are short, and by half the change where they are long;
 * way/(12 + 2 way) is both. In so many equal pieces the error is below what is allowed. */
static unsigned char pieces_for(double change, double way, double allowed)
{
    const double pieces = ceil((sqrt(way * way + 12 * change * way / allowed) - way) / 12);
    return (unsigned char)fmin(fmax(pieces, 1), PATH_PIECES);
}

/* How far the deflection of bristles goes on to its level, in units of x_d; an element of GMS does in units of the time
 * F_C/C. */
static double followed_between(const struct friction_motion *motion, const struct friction_point *point,
                               const struct contact_sample *from, const struct contact_sample *to)
{
    const double time = to->time_s - from->time_s;
    if (point->row.terms & FRICTION_BIT(FRICTION_ATTRACTION))
        return point->value[COLUMN_SHAPE] * time * motion->unit_velocity / motion->unit_displacement;
    const double way = (fabs(from->velocity) + fabs(to->velocity)) / 2 * time;
    return way / motion->unit_displacement / point->value[COLUMN_X_D];
}

/* Elements that slip are at their level, and stick from where it rises faster than their springs are loaded. They stick
 * at the level of a piece's end then, which is off by what the level between two of them is off the line through both;
 * that falls with the square of the pieces. */
static unsigned char pieces_of_slip(const struct friction_motion *motion, const struct friction_point *point,
                                    const struct contact_sample *from, const struct contact_sample *to, double allowed)
{
    const double before = friction_dip(point, fabs(from->velocity) / motion->unit_velocity);
    const double after = friction_dip(point, fabs(to->velocity) / motion->unit_velocity);
    const double middle = friction_dip(point, fabs(from->velocity + to->velocity) / 2 / motion->unit_velocity);
    const double turned = fabs(from->velocity) / (fabs(from->velocity) + fabs(to->velocity));
    const bool turns = from->velocity * to->velocity < 0;
    const double at_rest = turns ? friction_dip(point, 0) - (before + turned * (after - before)) : 0;
    const double pieces = ceil(sqrt(fmax(fabs(middle - (before + after) / 2), at_rest) / allowed));
    return (unsigned char)fmin(fmax(pieces, 1), PATH_PIECES);
}

/* From one sample to the next; where the motion turns back between them the level rises to that at rest. */
static unsigned char pieces_between(const struct friction_motion *motion, const struct friction_point *point,
                                    const struct contact_sample *from, const struct contact_sample *to, double allowed)
{
    if (point->row.shape == FRICTION_MAXWELL && !(point->row.terms & FRICTION_BIT(FRICTION_ATTRACTION)))
        return pieces_of_slip(motion, point, from, to, allowed);
    const double before = fabs(from->velocity), after = fabs(to->velocity);
    const double levels[] = {friction_dip(point, before / motion->unit_velocity),
                             friction_dip(point, after / motion->unit_velocity),
                             from->velocity * to->velocity < 0 ? friction_dip(point, 0) : 0};
    const double highest = fmax(fmax(levels[0], levels[1]), levels[2]);
    return pieces_for(highest - fmin(levels[0], levels[1]), followed_between(motion, point, from, to), allowed);
}

/* F_C, which elements share. */
static double level_of(const struct friction_point *point)
{
    if (point->row.shape != FRICTION_MAXWELL)
        return fabs(point->value[COLUMN_F_C]);
    double level = 0;
    for (size_t k = 0; k < FRICTION_ELEMENTS; k++)
        level += point->value[COLUMN_LENGTH + k] > 0 ? point->value[COLUMN_ELEMENT + k] : 0;
    return level;
}

int friction_motions_refine(const struct loop_signal *measured, const struct friction_fit *fit,
                            struct friction_motions *motions, bool *finer)
{
    const double residual = sqrt(fmax(fit->squares, 0) / (double)motions->all.samples);
    const double level = level_of(&fit->point);
    const double allowed = level > 0 ? fmax(noise_share * residual / level, level_share) : level_share;
    const struct loop_signal signal = with_pieces(measured, motions);
    *finer = false;
    for (size_t p = 0; p < motions->parts.count; p++)
        for (size_t i = motions->parts.part[p].begin + 1; i < motions->parts.part[p].end; i++) {
            const unsigned char pieces =
                pieces_between(&motions->all, &fit->point, &motions->samples[i - 1], &motions->samples[i], allowed);
            *finer = *finer || pieces > motions->pieces[i];
            motions->pieces[i] = pieces > motions->pieces[i] ? pieces : motions->pieces[i];
        }
    if (!*finer)
        return 0;
    const double noise_velocity = motions->all.noise_velocity;
    const atomic_bool *cancel = motions->all.cancel;
    friction_motion_clear(&motions->all);
    const int error = friction_motion_make(&signal, &motions->parts, motions->samples, motions->pieces, &motions->all);
    motions->all.noise_velocity = noise_velocity;
    motions->all.cancel = cancel;
    return error;
}

void friction_motions_clear(struct friction_motions *motions)
{
    friction_motion_clear(&motions->all);
    friction_motion_clear(&motions->thinned);
    free(motions->samples);
    free(motions->pieces);
    free(motions->begins);
}
