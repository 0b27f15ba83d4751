/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the channels of a file saw of one release: they are identified one after the other, and a rig would have given
 * their decays in the order of time. */

#include "offline/file_runs.h"

#include "pipeline/joint_results.h"
#include "segment/run_grouping.h"

#include <errno.h>
#include <stdlib.h>

struct file_decay {
    struct kept_decay *kept;
    size_t channel;
    struct decay_span span;
};

static int by_end(const void *one, const void *other)
{
    const struct file_decay *a = one, *b = other;
    if (a->span.end_s != b->span.end_s)
        return a->span.end_s < b->span.end_s ? -1 : 1;
    return (a->channel > b->channel) - (a->channel < b->channel);
}

int file_runs_number(const struct analysis *channels, size_t count)
{
    size_t total = 0, used = 0;
    for (size_t c = 0; c < count; c++)
        total += channels[c].count;
    struct file_decay *decays = calloc(total + 1, sizeof *decays);
    if (!decays)
        return -ENOMEM;
    for (size_t c = 0; c < count; c++) {
        for (size_t i = 0; i < channels[c].count; i++) {
            struct kept_decay *kept = channels[c].results[i]->of;
            decays[used++] = (struct file_decay){kept, c, decay_span(kept->decay)};
        }
    }
    qsort(decays, total, sizeof *decays, by_end);
    struct run_grouping grouping = {0};
    for (size_t i = 0; i < total; i++)
        decays[i].kept->run = run_grouping_add(&grouping, decays[i].channel, &decays[i].span);
    free(decays);
    return 0;
}

/* The results of a run that may be fitted together; most: there is room for these. */
static size_t results_of(const struct analysis *channels, size_t count, uint64_t run, struct kept_result **results,
                         size_t most)
{
    size_t found = 0;
    for (size_t c = 0; c < count; c++)
        for (size_t i = 0; i < channels[c].count && found < most; i++)
            if (channels[c].results[i]->of->run == run && joint_results_want(channels[c].results[i]))
                results[found++] = channels[c].results[i];
    return found;
}

int file_runs_join(const struct analysis *channels, size_t count)
{
    uint64_t last = 0;
    int error = 0;
    for (size_t c = 0; c < count; c++)
        for (size_t i = 0; i < channels[c].count; i++)
            last = channels[c].results[i]->of->run > last ? channels[c].results[i]->of->run : last;
    for (uint64_t run = 1; run <= last && !error; run++) {
        struct kept_result *results[JOINT_CHANNELS_MOST];
        const size_t found = results_of(channels, count, run, results, JOINT_CHANNELS_MOST);
        if (found > 1)
            error = joint_results_make(results, found, NULL);
    }
    return error;
}
