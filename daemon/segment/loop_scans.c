/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "segment/loop_scans.h"

#include "identify/loop/loop_signal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* There is room for so many at first; so many of the latest tell the noise. */
enum { FIRST_ROOM = 4096, LOOKED_AT = 4096 };

uint64_t loop_scans_middle(const struct loop_scans *scans, uint64_t from, uint64_t to)
{
    const double middle_s = 0.5 * (loop_scans_at(scans, from)->time_s + loop_scans_at(scans, to)->time_s);
    uint64_t middle = from + (to - from) / 2;
    while (middle > from && loop_scans_at(scans, middle)->time_s > middle_s)
        middle--;
    return middle;
}

bool loop_scans_are_full(const struct loop_scans *scans)
{
    return scans->held == scans->capacity;
}

static bool grow(struct loop_scans *scans)
{
    const size_t capacity = scans->capacity > 0 ? 2 * scans->capacity : FIRST_ROOM;
    struct loop_scan *moved = realloc(scans->scan, capacity * sizeof *moved);
    if (!moved)
        return false;
    scans->scan = moved;
    scans->capacity = capacity;
    return true;
}

bool loop_scans_add(struct loop_scans *scans, const struct loop_scan *scan)
{
    if (loop_scans_are_full(scans) && !grow(scans))
        return false;
    scans->scan[scans->held++] = *scan;
    scans->next++;
    return true;
}

void loop_scans_forget(struct loop_scans *scans, uint64_t number)
{
    const size_t gone = (size_t)(number - scans->first);
    scans->held -= gone;
    if (scans->held > 0)
        memmove(scans->scan, scans->scan + gone, scans->held * sizeof *scans->scan);
    scans->first = number;
}

void loop_scans_clear(struct loop_scans *scans)
{
    free(scans->scan);
    *scans = (struct loop_scans){.scan = NULL};
}

/* --- rows --- */

/* A figure of a scan between scans, by the cubic through the four about the place. Before the first and behind the last
 * one it stays as it is there: a cubic that is led on makes eight times its noise of it in one scan. */
static double between(const struct loop_scans *scans, size_t offset, double place)
{
    const double last = (double)(scans->held - 1), whole = floor(fmin(fmax(place, 1), fmax(last - 2, 1)));
    const double s = fmin(fmax(place, 0), last) - whole;
    const double weights[4] = {-s * (s - 1) * (s - 2) / 6, (s + 1) * (s - 1) * (s - 2) / 2, -(s + 1) * s * (s - 2) / 2,
                               (s + 1) * s * (s - 1) / 6};
    double sum = 0;
    for (size_t k = 0; k < 4; k++) {
        const size_t i = (size_t)fmin(whole - 1 + (double)k, last);
        double value;
        memcpy(&value, (const char *)&scans->scan[i] + offset, sizeof value);
        sum += weights[k] * value;
    }
    return sum;
}

static void fill_row(const struct loop_scans *scans, const struct loop_row_form *form, uint64_t number, double *row)
{
    const struct loop_scan *scan = loop_scans_at(scans, number);
    const double place = (double)(number - scans->first), late = form->force_late;
    const double normal_late = form->normal_late;
    row[0] = scan->motion;
    row[1] = late != 0 ? between(scans, offsetof(struct loop_scan, force), place - late) : scan->force;
    row[2] = scan->time_s;
    if (form->columns > 3)
        row[3] =
            normal_late != 0 ? between(scans, offsetof(struct loop_scan, normal), place - normal_late) : scan->normal;
}

double *loop_scans_rows(const struct loop_scans *scans, const struct loop_row_form *form, uint64_t from, uint64_t to)
{
    const size_t count = (size_t)(to - from);
    double *rows = calloc(count, form->columns * sizeof *rows);
    for (size_t i = 0; rows && i < count; i++)
        fill_row(scans, form, from + i, rows + i * form->columns);
    return rows;
}

/* --- noise --- */

bool loop_scans_noise(const struct loop_scans *scans, struct loop_noises *noises)
{
    double time_s[LOOKED_AT], displacement[LOOKED_AT], force[LOOKED_AT];
    const size_t count = scans->held < LOOKED_AT ? scans->held : LOOKED_AT;
    struct loop_signal signal = {.time_s = time_s, .displacement = displacement, .force = force, .count = count};
    for (size_t i = 0; i < count; i++) {
        const struct loop_scan *scan = &scans->scan[scans->held - count + i];
        time_s[i] = scan->time_s;
        displacement[i] = scan->displacement;
        force[i] = scan->force;
    }
    if (loop_signal_look(&signal) != 0)
        return false;
    *noises = (struct loop_noises){signal.wander, signal.least_swing, signal.most_swing};
    return true;
}
