/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Long records are looked at in parts, each beginning with the last extrema of the part before, so that none is missed
 * or counted twice. */

#include "identify/decay/extrema_chain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Half cycles in a part. */
enum { PART = 2000 };

static void note_last(const struct extremum *extrema, size_t count, struct extrema_chain *chain)
{
    const size_t most = sizeof chain->last / sizeof chain->last[0];
    chain->last_count = count < most ? count : most;
    memcpy(chain->last, extrema + count - chain->last_count, chain->last_count * sizeof *extrema);
}

/* Every third one stays. */
static void thin(struct extrema_chain *chain)
{
    size_t kept = 0;
    for (size_t n = 0; n < chain->count; n += 3)
        chain->extrema[kept++] = chain->extrema[n];
    chain->count = kept;
    chain->stride *= 3;
}

/* number: of the extremum among all that were found. */
static void append(const struct extremum *extremum, size_t number, struct extrema_chain *chain)
{
    if (number % chain->stride == 0 && chain->count == EXTREMA_MOST)
        thin(chain);
    if (number % chain->stride == 0)
        chain->extrema[chain->count++] = *extremum;
}

/* The samples from an extremum on, for so many half cycles, as a record that borrows them. */
static struct decay_record part_from(const struct decay_record *record, const struct extremum *from,
                                     double samples_a_half_cycle)
{
    const size_t wanted = (size_t)(samples_a_half_cycle * PART), left = record->count - from->index;
    struct decay_record part = *record;
    part.displacement = record->displacement + from->index;
    part.time_s = record->time_s ? record->time_s + from->index : NULL;
    part.flags = record->flags ? record->flags + from->index : NULL;
    part.count = wanted < left ? wanted : left;
    part.start_s = decay_record_time(record, from->index);
    part.first_extremum_s = NAN;
    return part;
}

/* What the next part adds. False when that is less than there was room for: the motion is over, or out of step. */
static bool extend(const struct decay_record *record, const atomic_bool *cancel, size_t *found,
                   struct extrema_chain *chain)
{
    const struct extremum *first = &chain->last[0], end = chain->last[chain->last_count - 1];
    const double steps = (double)(chain->last_count - 1), half_cycle_s = (end.time_s - first->time_s) / steps;
    const struct decay_record part = part_from(record, first, (double)(end.index - first->index) / steps);
    const size_t before = *found, offset = first->index;
    struct extremum *extrema;
    size_t count, n = 0;
    if (part.count < record->count && extrema_find(&part, cancel, &extrema, &count) == VERDICT_OK) {
        while (n < count && extrema[n].time_s < end.time_s + 0.5 * half_cycle_s)
            n++;
        for (size_t k = 0; k < count; k++)
            extrema[k].index += offset;
        const bool in_step = n < count && extrema[n].time_s < end.time_s + 1.5 * half_cycle_s;
        for (size_t k = n; in_step && k < count; k++)
            append(&extrema[k], (*found)++, chain);
        if (in_step)
            note_last(extrema, count, chain);
        free(extrema);
    }
    return *found - before > PART / 2;
}

enum verdict extrema_chain_find(const struct decay_record *record, const atomic_bool *cancel,
                                struct extrema_chain *chain)
{
    bool more;
    *chain = (struct extrema_chain){.stride = 1};
    const enum verdict verdict = extrema_find_first(record, cancel, &chain->extrema, &chain->count, &more);
    size_t found = chain->count;
    if (verdict != VERDICT_OK || !more || found < 2)
        return verdict;
    struct extremum *room = realloc(chain->extrema, EXTREMA_MOST * sizeof *room);
    if (!room)
        return VERDICT_NO_MEMORY;
    chain->extrema = room;
    note_last(chain->extrema, chain->count, chain);
    while (extend(record, cancel, &found, chain))
        ;
    return cancel && atomic_load(cancel) ? VERDICT_CANCELLED : VERDICT_OK;
}

void extrema_chain_clear(struct extrema_chain *chain)
{
    free(chain->extrema);
    *chain = (struct extrema_chain){.stride = 1};
}
