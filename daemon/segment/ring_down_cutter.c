/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "segment/ring_down_cutter.h"

#include "identify/ring_down/blow_blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A ring-down is over in the noise when for a quarter of a second no block of any sensor goes so many times as far as
 * the furthest before the blow did, or than this share of the furthest since: three steps of a converter of 16 bits. */
static const double over_noise = 1.5, over_all = 1e-4;

/* Then it is kept for as long again, for the band of one mode shows it further than the eye does, or at least for so
 * many quarters of a second. */
enum { LEAST_QUARTERS = 4 };

struct ring_down_cutter {
    struct ring_down_cutter_settings settings;
    struct ring_down_cut_listener listener;
    struct blow_blocks *blocks;    /* one a sensor */
    double *quiet, *furthest;      /* of each sensor: before the blow, and since */
    double *scratch;               /* one sensor's samples of as many blocks as a blow takes to rise */
    double *values, *time_s;       /* rows that are held: `sensors` figures each; their times */
    uint8_t *flags;                /* as values */
    size_t held, capacity;         /* rows */
    uint64_t first;                /* number of the first row held, since the stretch began; a multiple of a block */
    size_t before;                 /* blocks that are kept for what comes before a blow */
    bool runs;                     /* a ring-down does */
    uint64_t from, onset;          /* rows: where its record begins, and the blow */
    size_t blow_block, loud_block; /* that showed the blow, and the latest above the noise */
    size_t free_from;              /* the first block that may show another blow */
};

static size_t length_of(const struct ring_down_cutter *cutter)
{
    return cutter->blocks[0].length;
}

/* --- rows --- */

static bool resize(struct ring_down_cutter *cutter, size_t rows)
{
    const size_t sensors = cutter->settings.sensors;
    double *values = realloc(cutter->values, rows * sensors * sizeof *values);
    cutter->values = values ? values : cutter->values;
    double *time_s = realloc(cutter->time_s, rows * sizeof *time_s);
    cutter->time_s = time_s ? time_s : cutter->time_s;
    uint8_t *flags = realloc(cutter->flags, rows * sensors);
    cutter->flags = flags ? flags : cutter->flags;
    if (!values || !time_s || !flags)
        return false;
    cutter->capacity = rows;
    return true;
}

/* Rows from the first one held on that nobody needs any more. */
static void drop_rows(struct ring_down_cutter *cutter, size_t rows)
{
    const size_t sensors = cutter->settings.sensors, left = cutter->held - rows;
    memmove(cutter->values, cutter->values + rows * sensors, left * sensors * sizeof *cutter->values);
    memmove(cutter->time_s, cutter->time_s + rows, left * sizeof *cutter->time_s);
    memmove(cutter->flags, cutter->flags + rows * sensors, left * sensors);
    cutter->held = left;
    cutter->first += rows;
}

/* What nobody needs stays until there is as much of it as is kept: moving costs little then. */
static void drop_old(struct ring_down_cutter *cutter)
{
    const size_t kept = cutter->before * length_of(cutter);
    const size_t needed = cutter->runs ? cutter->held - (size_t)(cutter->from - cutter->first) : kept;
    if (cutter->held >= needed + kept)
        drop_rows(cutter, cutter->held - needed);
}

static double time_of(const struct ring_down_cutter *cutter, uint64_t row)
{
    return cutter->time_s[row - cutter->first];
}

/* --- records --- */

/* A time for each figure of the rows; NULL: memory is short. */
static double *stamps_of(const struct ring_down_cutter *cutter, size_t first, size_t rows)
{
    const size_t sensors = cutter->settings.sensors;
    double *stamps = calloc(rows * sensors, sizeof *stamps);
    for (size_t i = 0; stamps && i < rows * sensors; i++)
        stamps[i] = cutter->time_s[first + i / sensors];
    return stamps;
}

static struct decay *record_of(const struct ring_down_cutter *cutter, uint64_t to)
{
    const size_t sensors = cutter->settings.sensors;
    const size_t first = (size_t)(cutter->from - cutter->first), rows = (size_t)(to - cutter->from);
    const uint8_t *flags = cutter->flags + first * sensors;
    double *stamps = cutter->settings.stamped ? stamps_of(cutter, first, rows) : NULL;
    bool flagged = false;
    for (size_t i = 0; i < rows * sensors && !flagged; i++)
        flagged = flags[i];
    struct decay *decay = NULL;
    if (stamps || !cutter->settings.stamped)
        decay = decay_from_whole(cutter->values + first * sensors, stamps, flagged ? flags : NULL, rows * sensors,
                                 time_of(cutter, cutter->from), cutter->settings.period_s, 0);
    free(stamps);
    return decay;
}

/* The ring-down that runs ends before that row. */
static void end(struct ring_down_cutter *cutter, enum decay_end reason, uint64_t to)
{
    struct decay *decay = record_of(cutter, to);
    cutter->runs = false;
    if (!decay) {
        cutter->listener.given_up(cutter->listener.context);
        return;
    }
    decay->ended_by = reason;
    decay->released_s = decay->record.first_extremum_s = time_of(cutter, cutter->onset);
    cutter->listener.ring_down(cutter->listener.context, decay);
}

/* --- blows --- */

static void gather(const struct ring_down_cutter *cutter, size_t sensor, uint64_t row, size_t count)
{
    const double *value = cutter->values + (size_t)(row - cutter->first) * cutter->settings.sensors + sensor;
    for (size_t i = 0; i < count; i++)
        cutter->scratch[i] = value[i * cutter->settings.sensors];
}

/* The row at which the first of the sensors shows a blow in that block; UINT64_MAX: none does. */
static uint64_t onset_in(const struct ring_down_cutter *cutter, size_t block)
{
    const size_t length = length_of(cutter);
    uint64_t earliest = UINT64_MAX;
    for (size_t s = 0; s < cutter->settings.sensors && block >= cutter->free_from; s++) {
        if (!blow_blocks_rise(&cutter->blocks[s], block) ||
            (cutter->runs && !blow_blocks_leap(&cutter->blocks[s], block, cutter->blow_block)))
            continue;
        gather(cutter, s, (uint64_t)(block - BLOW_RISING) * length, (BLOW_RISING + 1) * length);
        const uint64_t onset = blow_blocks_onset(&cutter->blocks[s], block, cutter->scratch);
        earliest = onset < earliest ? onset : earliest;
    }
    return earliest;
}

/* A blow ends the ring-down of the one before it, which had the noise before it. */
static void begin(struct ring_down_cutter *cutter, size_t block, uint64_t onset)
{
    const uint64_t first_block = block > cutter->before ? block - cutter->before : 0;
    const uint64_t from = first_block * length_of(cutter);
    for (size_t s = 0; s < cutter->settings.sensors; s++) {
        if (!cutter->runs)
            cutter->quiet[s] = blow_blocks_before(&cutter->blocks[s], block);
        cutter->furthest[s] = 0;
    }
    if (cutter->runs)
        end(cutter, DECAY_END_NEW_EXCITATION, onset);
    cutter->runs = true;
    cutter->onset = onset;
    cutter->from = from > cutter->first ? from : cutter->first;
    cutter->blow_block = cutter->loud_block = block;
    cutter->free_from = block + cutter->blocks[0].contact;
}

/* Notes how far each sensor went in a block, and returns whether one of them went out of its noise. */
static bool note_peaks(struct ring_down_cutter *cutter, size_t block)
{
    bool loud = false;
    for (size_t s = 0; s < cutter->settings.sensors; s++) {
        const double peak = blow_blocks_largest(&cutter->blocks[s], block, block + 1);
        cutter->furthest[s] = fmax(cutter->furthest[s], peak);
        loud = loud || peak > fmax(over_noise * cutter->quiet[s], over_all * cutter->furthest[s]);
    }
    return loud;
}

/* Notes a block of the ring-down that runs, and returns whether it has been in the noise for long enough. */
static bool note_block_ends(struct ring_down_cutter *cutter, size_t block)
{
    const size_t quarter = cutter->blocks[0].look_back;
    if (note_peaks(cutter, block))
        cutter->loud_block = block;
    const size_t took = cutter->loud_block - cutter->blow_block, silent = block - cutter->loud_block;
    return silent >= LEAST_QUARTERS * quarter && silent >= took;
}

static void look_at_block(struct ring_down_cutter *cutter)
{
    const size_t block = cutter->blocks[0].count, length = length_of(cutter);
    const uint64_t behind = (uint64_t)(block + 1) * length;
    for (size_t s = 0; s < cutter->settings.sensors; s++) {
        gather(cutter, s, (uint64_t)block * length, length);
        blow_blocks_take(&cutter->blocks[s], cutter->scratch);
    }
    const uint64_t onset = onset_in(cutter, block);
    if (onset != UINT64_MAX)
        begin(cutter, block, onset);
    else if (cutter->runs && note_block_ends(cutter, block))
        end(cutter, DECAY_END_NOISE_FLOOR, behind);
    else if (cutter->runs && behind - cutter->from + length > cutter->settings.most_rows)
        end(cutter, DECAY_END_MAX_LENGTH, behind);
    drop_old(cutter);
}

/* --- what others call --- */

static bool make(struct ring_down_cutter *cutter)
{
    const size_t sensors = cutter->settings.sensors;
    cutter->blocks = calloc(sensors, sizeof *cutter->blocks);
    cutter->quiet = calloc(2 * sensors, sizeof *cutter->quiet);
    if (!cutter->blocks || !cutter->quiet)
        return false;
    cutter->furthest = cutter->quiet + sensors;
    for (size_t s = 0; s < sensors; s++)
        if (!blow_blocks_plan(&cutter->blocks[s], 1 / cutter->settings.period_s) ||
            blow_blocks_make(&cutter->blocks[s], blow_blocks_least_room(&cutter->blocks[s])) != 0)
            return false;
    /* A record keeps as much before its blow as the search looked at, so that the blow is found in it as it was in the
     * stream: the means of the quarter of a second before the quarter of a second before it. */
    cutter->before = 2 * cutter->blocks[0].look_back + 2 * BLOW_RISING;
    const size_t least = 4 * cutter->before * length_of(cutter);
    cutter->settings.most_rows = cutter->settings.most_rows > least ? cutter->settings.most_rows : least;
    cutter->scratch = calloc((BLOW_RISING + 1) * length_of(cutter), sizeof *cutter->scratch);
    return cutter->scratch && resize(cutter, 2 * cutter->before * length_of(cutter));
}

struct ring_down_cutter *ring_down_cutter_create(const struct ring_down_cutter_settings *settings,
                                                 const struct ring_down_cut_listener *listener)
{
    struct ring_down_cutter *cutter = calloc(1, sizeof *cutter);
    if (!cutter)
        return NULL;
    cutter->settings = *settings;
    cutter->listener = *listener;
    if (make(cutter))
        return cutter;
    ring_down_cutter_destroy(cutter);
    return NULL;
}

void ring_down_cutter_destroy(struct ring_down_cutter *cutter)
{
    if (!cutter)
        return;
    for (size_t s = 0; cutter->blocks && s < cutter->settings.sensors; s++)
        blow_blocks_clear(&cutter->blocks[s]);
    free(cutter->blocks);
    free(cutter->quiet);
    free(cutter->scratch);
    free(cutter->values);
    free(cutter->time_s);
    free(cutter->flags);
    free(cutter);
}

static void restart(struct ring_down_cutter *cutter)
{
    for (size_t s = 0; s < cutter->settings.sensors; s++)
        blow_blocks_restart(&cutter->blocks[s]);
    cutter->runs = false;
    cutter->held = 0;
    cutter->first = 0;
    cutter->free_from = 0;
}

void ring_down_cutter_feed(struct ring_down_cutter *cutter, const double *values, const uint8_t *flags, double time_s)
{
    const size_t sensors = cutter->settings.sensors;
    if (cutter->held == cutter->capacity && !resize(cutter, 2 * cutter->capacity)) {
        cutter->listener.given_up(cutter->listener.context);
        restart(cutter);
    }
    memcpy(cutter->values + cutter->held * sensors, values, sensors * sizeof *values);
    memcpy(cutter->flags + cutter->held * sensors, flags, sensors);
    cutter->time_s[cutter->held++] = time_s;
    if ((cutter->first + cutter->held) % length_of(cutter) == 0)
        look_at_block(cutter);
}

void ring_down_cutter_break(struct ring_down_cutter *cutter, enum decay_end reason)
{
    if (cutter->runs)
        end(cutter, reason, cutter->first + cutter->held);
    restart(cutter);
}

bool ring_down_cutter_runs(const struct ring_down_cutter *cutter)
{
    return cutter->runs;
}
