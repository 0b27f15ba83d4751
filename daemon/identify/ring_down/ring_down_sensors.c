/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/ring_down/ring_down_sensors.h"

#include "identify/ring_down/copied_sensor.h"
#include "identify/ring_down/dropout.h"

#include <math.h>

/* Sensors that die within this of each other die of one cause, as a recorder that stops, which fills its blocks up or
 * takes its channels one behind the other: the record ends there for all. */
#define ONE_DEATH_S 0.03

static void add_dead(struct dead_sensor dead, struct ring_down *ring_down)
{
    size_t k = 0;
    while (k < ring_down->dead_count && ring_down->dead[k].name != dead.name)
        k++;
    if (k == ring_down->dead_count)
        ring_down->dead[ring_down->dead_count++] = dead;
}

static void lead_with(struct ring_down_sensors *of, size_t place)
{
    const struct stretch *stretch = of->stretch[place];
    const char *name = of->name[place];
    of->stretch[place] = of->stretch[0];
    of->name[place] = of->name[0];
    of->stretch[0] = stretch;
    of->name[0] = name;
}

/* The strongest tells when the blows were, so that it comes first. */
static void use_sensor(struct ring_down_sensors *of, const struct stretch *stretch, const char *name, double *widest)
{
    const size_t place = of->sensors++;
    const double span = stretch_span(stretch);
    of->stretch[place] = stretch;
    of->name[place] = name;
    of->count = place == 0 || stretch->count < of->count ? stretch->count : of->count;
    if (place > 0 && !(span > *widest))
        return;
    *widest = span;
    lead_with(of, place);
}

/* What a sensor says that those before it do not; VERDICT_OK: enough. One that is alone is looked at whatever it says,
 * for its verdict. */
static enum verdict what_it_adds(const struct ring_down_sensors *of, const struct stretch *stretch, bool alone)
{
    bool copied = false;
    if (!alone && !(stretch_span(stretch) > 0))
        return VERDICT_DEAD_SENSOR;
    for (size_t k = 0; k < of->sensors && !copied; k++)
        if (copied_sensor(of->stretch[k]->raw, stretch->raw, stretch->count < of->count ? stretch->count : of->count,
                          &copied) != 0)
            return VERDICT_NO_MEMORY;
    return copied ? VERDICT_COPIED_SENSOR : VERDICT_OK;
}

/* Leaves those out that stand still from some time on while others go on: the record would end there for all, and one
 * that leaps to the end of its range there looks like a blow. */
static enum verdict leave_died(struct ring_down_sensors *of, struct ring_down *ring_down)
{
    struct ring_down_sensors kept = {.sensors = 0};
    size_t lives[PASS_SENSORS], longest = 0;
    double widest = 0;
    for (size_t m = 0; m < of->sensors; m++) {
        if (dropout_for_good(of->stretch[m]->raw, of->count, of->stretch[m]->rate_hz, &lives[m]) != 0)
            return VERDICT_NO_MEMORY;
        longest = lives[m] > longest ? lives[m] : longest;
    }
    for (size_t m = 0; m < of->sensors; m++) {
        const struct stretch *stretch = of->stretch[m];
        if ((double)(longest - lives[m]) <= ONE_DEATH_S * stretch->rate_hz)
            use_sensor(&kept, stretch, of->name[m], &widest);
        else
            add_dead((struct dead_sensor){of->name[m], VERDICT_DEAD_SENSOR,
                                          stretch->start_s + (double)lives[m] / stretch->rate_hz},
                     ring_down);
    }
    *of = kept;
    return VERDICT_OK;
}

enum verdict ring_down_sensors_of(const struct stretch *stretches, size_t count, struct ring_down *ring_down,
                                  struct ring_down_sensors *of)
{
    double widest = 0;
    *of = (struct ring_down_sensors){.sensors = 0};
    for (size_t m = 0; m < count; m++) {
        const enum verdict adds = what_it_adds(of, &stretches[m], count == 1);
        if (adds == VERDICT_NO_MEMORY)
            return adds;
        if (adds == VERDICT_OK)
            use_sensor(of, &stretches[m], ring_down->name[m], &widest);
        else
            add_dead((struct dead_sensor){ring_down->name[m], adds, NAN}, ring_down);
    }
    return of->sensors == 0 ? VERDICT_NO_OSCILLATION : of->sensors > 1 ? leave_died(of, ring_down) : VERDICT_OK;
}

/* The strongest sensor may be a broken one, of whose noise no blow stands out: the first that sees one comes first. */
enum verdict ring_down_sensors_find(struct ring_down_sensors *of, const struct record_seen *seen,
                                    struct blow blows[BLOWS_MOST], size_t *found)
{
    enum verdict verdict = VERDICT_NO_BLOW;
    for (size_t place = 0; place < of->sensors && verdict == VERDICT_NO_BLOW; place++) {
        lead_with(of, place);
        const struct sensed_blows sensed = {of->stretch, of->sensors, of->count, seen};
        verdict = sensed_blows_find(&sensed, blows, found);
        if (verdict == VERDICT_NO_BLOW)
            lead_with(of, place);
    }
    return verdict;
}

/* The first of the samples that are alike up to the end. */
static size_t last_change(const double *samples, size_t count)
{
    size_t i = count;
    while (i > 1 && samples[i - 1] == samples[i - 2])
        i--;
    return i - 1;
}

/* Whether a sensor stands still in the last nine tenths of a ring-down, of which it then says nothing. */
static bool is_still(const double *raw, size_t count)
{
    return count < 2 || last_change(raw, count) <= count / 10;
}

void ring_down_sensors_behind(const struct ring_down_sensors *of, size_t start, struct ring_down_samples *samples,
                              double *raw[PASS_SENSORS], double *levels[PASS_SENSORS], struct ring_down *ring_down)
{
    bool still[PASS_SENSORS], moves = false;
    for (size_t m = 0; m < of->sensors; m++) {
        still[m] = is_still(of->stretch[m]->raw + start, samples->count);
        moves = moves || !still[m];
    }
    for (size_t m = 0; m < of->sensors; m++) {
        if (moves ? still[m] : m > 0) {
            add_dead((struct dead_sensor){of->name[m], VERDICT_DEAD_SENSOR, NAN}, ring_down);
            continue;
        }
        samples->name[samples->sensors] = of->name[m];
        samples->raw[samples->sensors] = raw[samples->sensors] = of->stretch[m]->raw + start;
        samples->level[samples->sensors] = levels[samples->sensors] = of->stretch[m]->level;
        samples->delay_s[samples->sensors] = of->stretch[m]->delay_s;
        samples->sensors++;
    }
}
