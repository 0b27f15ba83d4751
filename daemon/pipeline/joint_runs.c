/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "pipeline/joint_runs.h"

#include <assert.h>
#include <stdlib.h>
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

void joint_runs_add(struct joint_runs *runs, struct kept_result *result)
{
    for (size_t i = runs->count; i-- > 0;) {
        if (runs->waiting[i]->of->id != result->of->id)
            continue;
        if (runs->waiting[i]->revision > result->revision) {
            kept_result_release(result);
            return;
        }
        drop_at(runs, i);
    }
    assert(runs->count <= JOINT_RUNS_WAITING);
    runs->waiting[runs->count++] = result;
}

struct kept_result *joint_runs_give_way(struct joint_runs *runs, size_t most_bytes)
{
    if (runs->count == 0 || (runs->count <= JOINT_RUNS_WAITING && bytes_of(runs) <= most_bytes))
        return NULL;
    struct kept_result *oldest = runs->waiting[0];
    remove_at(runs, 0);
    return oldest;
}

size_t joint_runs_count(const struct joint_runs *runs, uint64_t run)
{
    size_t count = 0;
    for (size_t i = 0; i < runs->count; i++)
        count += runs->waiting[i]->of->run == run;
    return count;
}

bool joint_runs_awaits_others(const struct joint_runs *runs, uint64_t id)
{
    for (size_t i = 0; i < runs->count; i++)
        if (runs->waiting[i]->of->id == id && !runs->waiting[i]->joint)
            return true;
    return false;
}

bool joint_runs_has_new_release(const struct joint_runs *runs, uint64_t run)
{
    for (size_t i = 0; i < runs->count; i++)
        if (runs->waiting[i]->of->run == run && !runs->waiting[i]->joint)
            return true;
    return false;
}

/* There is no room beside those that were chosen, either. */
static bool is_settled(const struct kept_joint *joint, uint64_t id)
{
    for (size_t c = 0; c < joint->found.count; c++)
        if (joint->channels[c].id == id)
            return true;
    return joint->found.count == JOINT_CHANNELS_MOST;
}

/* Nobody asked for another revision of the others when one of them is identified anew. */
static bool is_new(const struct joint_runs *runs, const struct kept_result *result)
{
    bool is = !result->joint;
    for (size_t i = 0; i < runs->count && is; i++) {
        const struct kept_result *other = runs->waiting[i];
        is = other->of->run != result->of->run || !other->joint || !is_settled(other->joint, result->of->id);
    }
    return is;
}

static bool is_wanted(const struct joint_runs *runs, uint64_t run)
{
    size_t found = 0;
    bool any_new = false;
    for (size_t i = 0; i < runs->count; i++) {
        if (runs->waiting[i]->of->run != run)
            continue;
        found++;
        any_new = any_new || is_new(runs, runs->waiting[i]);
    }
    return found > 1 && any_new;
}

struct ranked {
    size_t rank;
    struct kept_result *result;
};

static int by_rank(const void *one, const void *other)
{
    const struct ranked *a = one, *b = other;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return (a->result->of->id > b->result->of->id) - (a->result->of->id < b->result->of->id);
}

size_t joint_runs_take(struct joint_runs *runs, uint64_t run, joint_rank *rank, void *context,
                       struct kept_result *results[JOINT_CHANNELS_MOST])
{
    struct ranked ranked[JOINT_RUNS_WAITING + 1];
    size_t count = 0, taken = 0;
    if (!is_wanted(runs, run))
        return 0;
    for (size_t i = runs->count; i-- > 0;) {
        struct kept_result *result = runs->waiting[i];
        if (result->of->run != run)
            continue;
        ranked[count++] = (struct ranked){rank(context, &result->of->origin), result};
        remove_at(runs, i);
    }
    qsort(ranked, count, sizeof ranked[0], by_rank);
    for (; taken < count && taken < JOINT_CHANNELS_MOST; taken++)
        results[taken] = ranked[taken].result;
    for (size_t i = taken; i < count; i++)
        kept_result_release(ranked[i].result);
    return taken;
}

void joint_runs_clear(struct joint_runs *runs)
{
    while (runs->count > 0)
        drop_at(runs, runs->count - 1);
}
