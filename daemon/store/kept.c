/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/kept.h"

#include <stdlib.h>

struct kept_decay *kept_decay_create(const struct decay_origin *origin, struct decay *decay)
{
    struct kept_decay *kept = calloc(1, sizeof *kept);
    if (!kept)
        return NULL;
    atomic_init(&kept->references, 1);
    kept->origin = *origin;
    kept->decay = decay;
    return kept;
}

struct kept_decay *kept_decay_reference(struct kept_decay *kept)
{
    atomic_fetch_add_explicit(&kept->references, 1, memory_order_relaxed);
    return kept;
}

void kept_decay_release(struct kept_decay *kept)
{
    if (!kept || atomic_fetch_sub_explicit(&kept->references, 1, memory_order_acq_rel) != 1)
        return;
    decay_destroy(kept->decay);
    free(kept);
}

struct kept_result *kept_result_create(struct kept_decay *of, unsigned revision,
                                       const struct identification *identification)
{
    struct kept_result *kept = calloc(1, sizeof *kept);
    if (!kept)
        return NULL;
    atomic_init(&kept->references, 1);
    kept->of = kept_decay_reference(of);
    kept->revision = revision;
    kept->identification = *identification;
    return kept;
}

struct kept_result *kept_result_reference(struct kept_result *kept)
{
    atomic_fetch_add_explicit(&kept->references, 1, memory_order_relaxed);
    return kept;
}

void kept_result_release(struct kept_result *kept)
{
    if (!kept || atomic_fetch_sub_explicit(&kept->references, 1, memory_order_acq_rel) != 1)
        return;
    identification_clear(&kept->identification);
    kept_decay_release(kept->of);
    free(kept);
}
