/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/earlier_releases.h"

#include <math.h>
#include <string.h>

/* A release of an unchanged rig differs so far from the ones before it, in joint standard errors, in one of a
 * thousand. */
#define CONTRADICTS 3.29

static const struct ladder_model *model_of(const struct ladder *ladder, unsigned terms)
{
    for (size_t n = 0; n < LADDER_RUNGS; n++)
        if (ladder->models[n].terms == terms && ladder->models[n].verdict == VERDICT_OK)
            return &ladder->models[n];
    return NULL;
}

static struct release_terms terms_of(uint64_t id, const struct ladder *ladder)
{
    struct release_terms release = {.id = id};
    const unsigned chosen = ladder->models[ladder->chosen].terms;
    for (enum ladder_parameter p = 0; p < LADDER_TERMS && ladder->verdict == VERDICT_OK; p++) {
        const unsigned terms = chosen | LADDER_BIT(p);
        const struct ladder_model *model = terms != chosen ? model_of(ladder, terms) : NULL;
        if (!model || !isfinite(model->unbounded[p]) || !(model->spread[p] > 0))
            continue;
        release.terms[p] = terms;
        release.value[p] = model->unbounded[p];
        release.variance[p] = model->spread[p] * model->spread[p];
    }
    return release;
}

/* Values by the same rung, weighed by their variances. */
struct pool {
    size_t count;
    double weight, sum;
};

static void pool_add(struct pool *pool, const struct release_terms *release, enum ladder_parameter p)
{
    pool->count++;
    pool->weight += 1 / release->variance[p];
    pool->sum += release->value[p] / release->variance[p];
}

static struct pool pool_of(const struct earlier_releases *earlier, const struct release_terms *release,
                           enum ladder_parameter p)
{
    struct pool pool = {0};
    for (size_t n = 0; n < earlier->count && release->terms[p]; n++)
        if (earlier->release[n].terms[p] == release->terms[p])
            pool_add(&pool, &earlier->release[n], p);
    return pool;
}

static bool contradicts(const struct pool *pool, const struct release_terms *release, enum ladder_parameter p)
{
    if (pool->count == 0)
        return false;
    const double joint = release->variance[p] + 1 / pool->weight;
    return fabs(release->value[p] - pool->sum / pool->weight) > CONTRADICTS * sqrt(joint);
}

/* How large the term may be: the mean of its square. */
static double mean_square(const struct pool *pool, enum ladder_parameter p)
{
    const double value = pool->sum / pool->weight;
    return pow(ladder_parameters[p].not_negative ? fmax(value, 0) : value, 2) + 1 / pool->weight;
}

void earlier_releases_before(const struct earlier_releases *all, uint64_t id, struct earlier_releases *before)
{
    before->count = 0;
    for (size_t n = 0; n < all->count && all->release[n].id < id; n++)
        before->release[before->count++] = all->release[n];
}

void earlier_releases_ask(const struct earlier_releases *earlier, struct ladder *ladder)
{
    const struct release_terms release = terms_of(0, ladder);
    for (enum ladder_parameter p = 0; p < LADDER_TERMS; p++) {
        struct pool together = pool_of(earlier, &release, p), alone = {0};
        if (together.count == 0 || contradicts(&together, &release, p))
            continue;
        if (together.count > ladder->unseen.releases)
            ladder->unseen.releases = together.count;
        pool_add(&alone, &release, p);
        pool_add(&together, &release, p);
        ladder->unseen.share[p] = mean_square(&together, p) / mean_square(&alone, p);
    }
}

static void forget_contradicted(struct earlier_releases *earlier, const struct release_terms *release)
{
    for (enum ladder_parameter p = 0; p < LADDER_TERMS; p++) {
        const struct pool pool = pool_of(earlier, release, p);
        if (contradicts(&pool, release, p))
            earlier->count = 0;
    }
}

void earlier_releases_add(struct earlier_releases *earlier, uint64_t id, const struct ladder *ladder)
{
    const struct release_terms release = terms_of(id, ladder);
    for (size_t n = 0; n < earlier->count; n++) {
        if (earlier->release[n].id != id)
            continue;
        earlier->release[n] = release;
        return;
    }
    if (earlier->count > 0 && earlier->release[earlier->count - 1].id > id)
        return;
    forget_contradicted(earlier, &release);
    if (earlier->count == EARLIER_RELEASES_MOST)
        memmove(&earlier->release[0], &earlier->release[1], --earlier->count * sizeof earlier->release[0]);
    earlier->release[earlier->count++] = release;
}
