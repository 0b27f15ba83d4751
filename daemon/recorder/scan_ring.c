/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Plain circular arrays, one a channel, and a short list of where runs begin. */

#include "recorder/scan_ring.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Runs that are remembered. A stream that breaks more often keeps fewer rows. */
enum { RUNS = 1024 };

struct run {
    uint64_t row; /* its first */
    uint64_t first_index;
    double origin_s, period_s;
    uint64_t broken, lost;
};

struct scan_ring {
    size_t channels, rows;
    bool stamped, flagged; /* a flag was set once */
    uint64_t next;         /* row */
    uint64_t forgotten;    /* rows before it are not held, because their run is not remembered */
    uint64_t next_index;   /* of the scan that continues the run */
    bool breaks;           /* the next row begins a run */
    uint64_t broken, lost; /* of that run */
    uint64_t run_count;    /* that were ever begun; run i is runs[i % RUNS] */
    struct run runs[RUNS];
    void *memory;
    size_t bytes;
    double *time_s; /* NULL: uniform */
    double *values; /* channel by channel */
    uint8_t *flags; /* likewise */
};

size_t scan_ring_row_bytes(size_t channels, bool stamped)
{
    return channels * (sizeof(double) + sizeof(uint8_t)) + (stamped ? sizeof(double) : 0);
}

/* Not from the heap: the kernel gives pages when they are written to, and takes them back at the end. */
struct scan_ring *scan_ring_create(size_t channels, bool stamped, size_t rows)
{
    size_t row_bytes = scan_ring_row_bytes(channels, stamped);
    if (rows == 0 || rows > SIZE_MAX / 2 / row_bytes)
        return NULL;
    struct scan_ring *ring = calloc(1, sizeof *ring);
    if (!ring)
        return NULL;
    ring->bytes = rows * row_bytes;
    ring->memory = mmap(NULL, ring->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (ring->memory == MAP_FAILED) {
        free(ring);
        return NULL;
    }
    double *numbers = ring->memory;
    ring->channels = channels;
    ring->rows = rows;
    ring->stamped = stamped;
    ring->time_s = stamped ? numbers : NULL;
    ring->values = stamped ? numbers + rows : numbers;
    ring->flags = (uint8_t *)(ring->values + channels * rows);
    ring->breaks = true;
    return ring;
}

void scan_ring_destroy(struct scan_ring *ring)
{
    if (!ring)
        return;
    munmap(ring->memory, ring->bytes);
    free(ring);
}

uint64_t scan_ring_next(const struct scan_ring *ring)
{
    return ring->next;
}

uint64_t scan_ring_oldest(const struct scan_ring *ring)
{
    uint64_t oldest = ring->next > ring->rows ? ring->next - ring->rows : 0;
    return oldest > ring->forgotten ? oldest : ring->forgotten;
}

size_t scan_ring_rows(const struct scan_ring *ring)
{
    return ring->rows;
}

bool scan_ring_stamped(const struct scan_ring *ring)
{
    return ring->stamped;
}

/* --- taking in --- */

/* Also before the first scan: what is said there belongs to a run that nobody needs to know of. */
void scan_ring_break(struct scan_ring *ring, uint64_t channels, uint64_t lost)
{
    ring->breaks = true;
    ring->broken |= channels;
    ring->lost += lost;
}

static const struct run *latest_run(const struct scan_ring *ring)
{
    return &ring->runs[(ring->run_count - 1) % RUNS];
}

static bool begins_run(const struct scan_ring *ring, const struct scan_block *block)
{
    if (ring->breaks || block->first_index != ring->next_index)
        return true;
    const struct run *run = latest_run(ring);
    return run->origin_s != block->origin_s || run->period_s != block->period_s;
}

static void begin_run(struct scan_ring *ring, const struct scan_block *block)
{
    if (ring->run_count >= RUNS)
        ring->forgotten = ring->runs[(ring->run_count + 1) % RUNS].row;
    ring->runs[ring->run_count++ % RUNS] = (struct run){.row = ring->next,
                                                        .first_index = block->first_index,
                                                        .origin_s = block->origin_s,
                                                        .period_s = block->period_s,
                                                        .broken = ring->broken,
                                                        .lost = ring->lost};
    ring->breaks = false;
    ring->broken = ring->lost = 0;
}

static bool any_flag(const uint8_t *flags, size_t count)
{
    for (size_t i = 0; flags && i < count; i++)
        if (flags[i])
            return true;
    return false;
}

/* Pages of flags are not touched before there is one to set; later, old ones must be wiped. */
static void copy_flags(struct scan_ring *ring, size_t channel, size_t place, const uint8_t *flags, size_t count)
{
    uint8_t *to = ring->flags + channel * ring->rows + place;
    ring->flagged = ring->flagged || any_flag(flags, count);
    if (ring->flagged && flags)
        memcpy(to, flags, count);
    else if (ring->flagged)
        memset(to, 0, count);
}

/* Scans [from, from + count) of the block, which fit in before the end of the arrays. */
static void copy(struct scan_ring *ring, const struct scan_block *block, size_t from, size_t count)
{
    size_t place = (size_t)(ring->next % ring->rows);
    if (ring->stamped)
        memcpy(ring->time_s + place, block->time_s + from, count * sizeof(double));
    for (size_t c = 0; c < ring->channels; c++) {
        const struct channel_samples *samples = &block->channels[c];
        memcpy(ring->values + c * ring->rows + place, samples->displacement + from, count * sizeof(double));
        copy_flags(ring, c, place, samples->flags ? samples->flags + from : NULL, count);
    }
    ring->next += count;
}

void scan_ring_put(struct scan_ring *ring, const struct scan_block *block)
{
    if (begins_run(ring, block))
        begin_run(ring, block);
    for (size_t done = 0; done < block->scan_count;) {
        size_t room = ring->rows - (size_t)(ring->next % ring->rows), left = block->scan_count - done;
        size_t count = left < room ? left : room;
        copy(ring, block, done, count);
        done += count;
    }
    ring->next_index = block->first_index + block->scan_count;
}

/* --- looking --- */

/* The number of the run that a held row belongs to. */
static uint64_t find_run(const struct scan_ring *ring, uint64_t row)
{
    uint64_t low = ring->run_count > RUNS ? ring->run_count - RUNS : 0, high = ring->run_count;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (ring->runs[middle % RUNS].row <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

double scan_ring_time(const struct scan_ring *ring, uint64_t row)
{
    const struct run *run = &ring->runs[find_run(ring, row) % RUNS];
    if (ring->stamped)
        return ring->time_s[row % ring->rows];
    return run->origin_s + (double)(run->first_index + (row - run->row)) * run->period_s;
}

uint64_t scan_ring_at(const struct scan_ring *ring, double time_s)
{
    uint64_t low = scan_ring_oldest(ring), high = ring->next;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (scan_ring_time(ring, middle) < time_s)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct scan_piece scan_ring_piece(const struct scan_ring *ring, uint64_t row, size_t most)
{
    if (row >= ring->next)
        return (struct scan_piece){.row = row};
    uint64_t number = find_run(ring, row);
    const struct run *run = &ring->runs[number % RUNS];
    uint64_t end = number + 1 < ring->run_count ? ring->runs[(number + 1) % RUNS].row : ring->next;
    size_t place = (size_t)(row % ring->rows);
    uint64_t count = end - row < ring->rows - place ? end - row : ring->rows - place;
    struct scan_piece piece = {.row = row,
                               .count = count < most ? (size_t)count : most,
                               .index = run->first_index + (row - run->row),
                               .origin_s = run->origin_s,
                               .period_s = run->period_s,
                               .begins = row == run->row,
                               .time_s = ring->stamped ? ring->time_s + place : NULL};
    if (piece.begins) {
        piece.broken = run->broken;
        piece.lost = run->lost;
    }
    return piece;
}

const double *scan_ring_values(const struct scan_ring *ring, size_t channel, uint64_t row)
{
    return ring->values + channel * ring->rows + row % ring->rows;
}

const uint8_t *scan_ring_flags(const struct scan_ring *ring, size_t channel, uint64_t row)
{
    return ring->flagged ? ring->flags + channel * ring->rows + row % ring->rows : NULL;
}
