/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "pipeline/joint_runs.h"

#include <string.h>

static void remove_at(struct joint_runs *runs, size_t at)
{
    runs->count--;
    memmove(&runs->waiting[at], &runs->waiting[at + 1], (runs->count - at) * sizeof runs->waiting[0]);
}

static void drop_at(struct joint_runs *runs, size_t at)
{
    kept_result_release(runs->waiting[at]);
    remove_at(runs, at);
}

static size_t bytes_of(const struct joint_runs *runs)
{
    size_t bytes = 0;
    for (size_t i = 0; i < runs->count; i++)
        bytes += kept_result_bytes(runs->waiting[i]);
    return bytes;
}

void joint_runs_add(struct joint_runs *runs, struct kept_result *result, size_t most_bytes)
{
    for (size_t i = runs->count; i-- > 0;)
        if (runs->waiting[i]->of->id == result->of->id)
            drop_at(runs, i);
    if (runs->count == JOINT_RUNS_WAITING)
        drop_at(runs, 0);
    runs->waiting[runs->count++] = result;
    while (runs->count > 0 && bytes_of(runs) > most_bytes)
        drop_at(runs, 0);
}

size_t joint_runs_take(struct joint_runs *runs, uint64_t run, struct kept_result *results[JOINT_CHANNELS_MOST])
{
    size_t found = 0, taken = 0;
    bool news = false;
    for (size_t i = 0; i < runs->count; i++) {
        const bool its = runs->waiting[i]->of->run == run;
        found += its;
        news = news || (its && !runs->waiting[i]->joint);
    }
    for (size_t i = 0; i < runs->count && found > 1 && news && taken < JOINT_CHANNELS_MOST;) {
        if (runs->waiting[i]->of->run != run) {
            i++;
            continue;
        }
        results[taken++] = runs->waiting[i];
        remove_at(runs, i);
    }
    return taken;
}

void joint_runs_clear(struct joint_runs *runs)
{
    while (runs->count > 0)
        drop_at(runs, runs->count - 1);
}
