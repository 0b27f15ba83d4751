/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_offsets.h"

#include "identify/loop/friction_figure.h"

#include <math.h>

static const char *const start_alike = "not seen: the record does not tell it apart from where this part begins";
static const char *const nothing_counts =
    "not seen: no sample of this part counts, for it rests, hides in noise which way it goes, or lacks the usual load";

/* What the noise of a part adds to the variance of its offset, for which it is as slow as noise can be. */
static double own_variance(const struct friction_motion *motion, const struct friction_own_share *share,
                           const struct ar_model *noise)
{
    double inverse = 1 / share->offset_squares;
    if (share->start_squares > 0)
        inverse += pow(share->of_offset[COLUMN_START], 2) / share->start_squares;
    return pow(motion->unit_force, 2) * noise->innovation * ar_gain_at(noise, 0) * inverse;
}

/* Of a part behind the first. */
static struct friction_figure offset_of(const struct friction_motion *motion, const struct friction_fit *fit,
                                        const struct ar_model *noise, const struct friction_knowledge *of, size_t part)
{
    const struct friction_own_share *share = &fit->normal.share[part];
    const struct friction_quantity offset = friction_part_offset(motion, fit, part);
    if (!(share->offset_squares > 0) ||
        !friction_is_seen_beside(of, &offset.gradient, pow(motion->unit_force, 2) / share->offset_squares))
        return friction_figure_without(start_alike);
    const double variance = friction_variance_along(of, &offset.gradient) + own_variance(motion, share, noise);
    return friction_figure_of(offset.value, sqrt(variance), false);
}

/* What the noise of a part has in its offset alone is in no other parameter. */
static void relate(const struct friction_motion *motion, const struct friction_fit *fit,
                   const struct friction_knowledge *of, size_t part, struct friction_rung *rung)
{
    struct friction_part_offset *offset = &rung->offsets.part[part];
    const struct friction_quantity quantity =
        part > 0 ? friction_part_offset(motion, fit, part) : friction_quantity_of(motion, fit, FRICTION_F_0);
    offset->count = offset->figure.reason ? 0 : rung->fitted_count;
    for (size_t k = 0; k < offset->count; k++) {
        const struct friction_quantity other =
            friction_quantity_of(motion, fit, (enum friction_parameter)rung->fitted[k].parameter);
        offset->covariance[k] = friction_covariance_along(of, &quantity.gradient, &other.gradient);
    }
}

void friction_conclude_offsets(const struct friction_motion *motion, const struct friction_fit *fit,
                               const struct ar_model *noise, const struct friction_knowledge *of,
                               struct friction_rung *rung)
{
    const struct friction_figure *first = &rung->figure[FRICTION_F_0];
    rung->offsets.count = motion->parts;
    for (size_t p = 0; p < motion->parts; p++) {
        rung->offsets.part[p].figure = p > 0 && !first->reason ? offset_of(motion, fit, noise, of, p) : *first;
        relate(motion, fit, of, p, rung);
    }
}

void friction_offsets_place(const struct loop_parts *parts, struct friction_offsets *offsets)
{
    if (offsets->count == 0)
        return;
    size_t left = parts->count;
    for (size_t number = parts->cut; number-- > 0;)
        if (left > 0 && parts->part[left - 1].number == number)
            offsets->part[number] = offsets->part[--left];
        else
            offsets->part[number] = (struct friction_part_offset){.figure = friction_figure_without(nothing_counts)};
    offsets->count = parts->cut;
}
