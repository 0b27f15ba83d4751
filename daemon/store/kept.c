/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Decays and results as they are shared between the threads: immutable, counted, freed by whoever lets go last. */

#include "store/kept.h"

#include "proto/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A file name may be longer than any room for it, and half a character would not be UTF-8 in JSON. */
void copy_text(char *room, size_t size, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    if (length >= size) {
        length = size - 1;
        while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)
            length--;
    }
    if (length > 0)
        memcpy(room, text, length);
    room[length] = '\0';
}

struct decay_origin decay_origin_make(const struct decay_origin_names *names, const struct physical_settings *physical,
                                      double sample_rate_hz)
{
    struct decay_origin origin = {.sample_rate_hz = sample_rate_hz,
                                  .delay_s = NAN,
                                  .time_error_s = NAN,
                                  .released_at_ns = INT64_MIN,
                                  .physical = *physical};
    copy_text(origin.rig, sizeof origin.rig, names->rig);
    copy_text(origin.channel, sizeof origin.channel, names->channel);
    copy_text(origin.source_kind, sizeof origin.source_kind, names->source_kind);
    copy_text(origin.device, sizeof origin.device, names->device);
    copy_text(origin.config_id, sizeof origin.config_id, names->config_id);
    copy_text(origin.unit, sizeof origin.unit, names->unit);
    copy_text(origin.kind, sizeof origin.kind, names->kind);
    copy_text(origin.columns, sizeof origin.columns, names->columns);
    copy_text(origin.quantity, sizeof origin.quantity, names->quantity);
    copy_text(origin.board, sizeof origin.board, names->board);
    copy_text(origin.driver, sizeof origin.driver, names->driver);
    copy_text(origin.serial, sizeof origin.serial, names->serial);
    copy_text(origin.calibrated_on, sizeof origin.calibrated_on, names->calibrated_on);
    copy_text(origin.remarks, sizeof origin.remarks, names->remarks);
    copy_text(origin.read_as, sizeof origin.read_as, names->read_as);
    origin.physical.metres_per_unit = physical_metres_per_unit(names->unit);
    return origin;
}

int64_t decay_released_at_ns(int64_t zero_at_ns, double released_s)
{
    return clock_moment_behind_ns(zero_at_ns, released_s);
}

const char *decay_origin_kind(const struct decay_origin *origin)
{
    return *origin->kind ? origin->kind : KIND_FREE_DECAY;
}

void decay_origin_add_clock(struct decay_origin *origin, double clock_ppm)
{
    double configured_ppm = origin->physical.u_clock_ppm;
    if (clock_ppm > 0)
        origin->physical.u_clock_ppm = hypot(configured_ppm > 0 ? configured_ppm : 0, clock_ppm);
}

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

/* The last one must see what all the others did with it: hence release and acquire. */
void kept_decay_release(struct kept_decay *kept)
{
    if (!kept || atomic_fetch_sub_explicit(&kept->references, 1, memory_order_acq_rel) != 1)
        return;
    decay_destroy(kept->decay);
    free(kept);
}

/* The result keeps its decay alive: samples can be asked for as long as the result is held. */
struct kept_result *kept_result_create(struct kept_decay *of, unsigned revision,
                                       const struct identification *identification)
{
    struct kept_result *kept = calloc(1, sizeof *kept);
    if (!kept)
        return NULL;
    kept->of = kept_decay_reference(of);
    kept->revision = revision;
    kept->identification = *identification;
    return kept;
}

void *kept_result_make_found(struct kept_result *kept, size_t bytes)
{
    if (bytes == 0)
        return &kept->identification;
    for (int i = 0; i < SEARCHED_FIGURES; i++)
        kept->figure[i] = NAN;
    kept->found = calloc(1, bytes);
    kept->found_bytes = kept->found ? bytes : 0;
    return kept->found;
}

void kept_result_release(struct kept_result *kept)
{
    if (!kept)
        return;
    identification_clear(&kept->identification);
    free(kept->joint);
    free(kept->found);
    free(kept->document);
    free(kept->summary);
    kept_decay_release(kept->of);
    free(kept);
}

size_t kept_result_bytes(const struct kept_result *kept)
{
    return sizeof *kept + sizeof *kept->of + decay_bytes(kept->of->decay) +
           identification_bytes(&kept->identification) - sizeof kept->identification + kept->found_bytes +
           (kept->joint ? sizeof *kept->joint : 0);
}
