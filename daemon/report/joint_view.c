/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the tables see of the channels of a run together. */

#include "report/joint_view.h"

#include <math.h>

static struct brief_view brief_of(const struct estimate *estimate, enum unit_kind kind, const char *displacement)
{
    return (struct brief_view){.there = isfinite(estimate->value),
                               .value = estimate->value,
                               .se = estimate->se,
                               .at_bound = estimate->at_bound,
                               .interval = {estimate->low, estimate->high},
                               .unit = {kind, displacement}};
}

static struct joint_channel_view channel_of(const struct kept_joint *joint, size_t c)
{
    const struct joint_channel *found = &joint->found.channels[c];
    const struct kept_joint_channel *kept = &joint->channels[c];
    const enum unit_kind gain = *kept->gain_unit ? KIND_DISPLACEMENT : KIND_ONE;
    return (struct joint_channel_view){.channel = kept->channel,
                                       .unit = kept->unit,
                                       .id = kept->id,
                                       .gain = brief_of(&found->gain, gain, kept->gain_unit),
                                       .bias = brief_of(&found->bias, KIND_DISPLACEMENT, kept->unit),
                                       .noise = found->noise,
                                       .delay_s = kept->delay_s,
                                       .samples = found->samples};
}

static struct contradiction_view contradiction_of(const struct kept_joint *joint)
{
    const struct joint_contradiction *found = &joint->found.contradiction;
    if (found->figure == LADDER_PARAMETERS)
        return (struct contradiction_view){.errors = NAN, .limit = joint_errors_most(1)};
    return (struct contradiction_view){.found = found->found,
                                       .figure = ladder_figure_name(found->figure),
                                       .channel = joint->channels[found->channel].channel,
                                       .other = joint->channels[found->other].channel,
                                       .errors = found->errors,
                                       .limit = found->limit};
}

struct joint_view joint_view_of(const struct kept_joint *joint)
{
    struct joint_view view = {.verdict = VERDICT_NOT_COMPUTED,
                              .contradiction = {.errors = NAN, .limit = joint_errors_most(1)}};
    if (!joint)
        return view;
    view.verdict = joint->found.verdict;
    view.reference = joint->channels[0].channel;
    view.terms = joint->found.terms;
    view.half_cycles = joint->found.half_cycles;
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++)
        view.estimate[p] = brief_of(p == LADDER_OMEGA_N ? &joint->found.f_n_hz : &joint->found.estimate[p],
                                    ladder_figure_unit(p), joint->channels[0].unit);
    view.count = joint->found.count;
    for (size_t c = 0; c < view.count; c++)
        view.channels[c] = channel_of(joint, c);
    view.contradiction = contradiction_of(joint);
    return view;
}
