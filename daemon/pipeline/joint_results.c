/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What several channels saw of one release, fitted together: the same section for each of their results. */

#include "pipeline/joint_results.h"

#include "identify/decay/identify_joint.h"
#include "report/result_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool joint_results_want(const struct kept_result *result)
{
    const struct ladder *ladder = result->identification.ladder;
    return !*result->of->origin.columns && ladder && ladder->verdict == VERDICT_OK;
}

static void describe(struct kept_result *const *results, struct kept_joint *joint)
{
    for (size_t c = 0; c < joint->found.count; c++) {
        struct kept_joint_channel *channel = &joint->channels[c];
        const struct decay_origin *origin = &results[c]->of->origin;
        channel->id = results[c]->of->id;
        channel->delay_s = origin->delay_s;
        copy_text(channel->channel, sizeof channel->channel, origin->channel);
        copy_text(channel->unit, sizeof channel->unit, origin->unit);
        const char *reference = results[0]->of->origin.unit;
        if (strcmp(origin->unit, reference) != 0)
            snprintf(channel->gain_unit, sizeof channel->gain_unit, "%s/%s", origin->unit, reference);
    }
}

int joint_results_make(struct kept_result *const *results, size_t count, const atomic_bool *cancel)
{
    struct joint_record records[JOINT_CHANNELS_MOST] = {{.record = NULL}};
    struct kept_joint *made[JOINT_CHANNELS_MOST] = {NULL};
    const size_t used = count < JOINT_CHANNELS_MOST ? count : JOINT_CHANNELS_MOST;
    bool complete = true;
    for (size_t c = 0; c < used; c++) {
        records[c] = (struct joint_record){&results[c]->of->decay->record, results[c]->identification.ladder};
        made[c] = calloc(1, sizeof *made[c]);
        complete = complete && made[c];
    }
    if (complete) {
        identify_joint(records, used, cancel, &made[0]->found);
        describe(results, made[0]);
    }
    for (size_t c = 0; c < used; c++) {
        if (!complete) {
            free(made[c]);
            continue;
        }
        if (c > 0)
            *made[c] = *made[0];
        free(results[c]->joint);
        results[c]->joint = made[c];
        result_text_forget(results[c]);
    }
    return complete ? 0 : -ENOMEM;
}
