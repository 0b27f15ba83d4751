/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/ring_down/ring_down_sensors.h"

#include "identify/ring_down/copied_sensor.h"
#include "identify/ring_down/dropout.h"

/* A hammer touches for a fiftieth of a second at most, and a cable that it tears is off within half as long again. */
#define TEARS_S 0.03

static void add_dead(const char *name, enum verdict verdict, struct ring_down *ring_down)
{
    size_t k = 0;
    while (k < ring_down->dead_count && ring_down->dead[k].name != name)
        k++;
    if (k == ring_down->dead_count)
        ring_down->dead[ring_down->dead_count++] = (struct dead_sensor){name, verdict};
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
            add_dead(ring_down->name[m], adds, ring_down);
    }
    return of->sensors > 0 ? VERDICT_OK : VERDICT_NO_OSCILLATION;
}

/* The strongest sensor may be a broken one, of whose noise no blow stands out: the first that sees one comes first. */
static enum verdict find_blows(struct ring_down_sensors *of, const struct record_seen *seen,
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

/* Whether a sensor's samples stand still from the time of a blow on, and not because its motion died out. 0 or
 * -ENOMEM. */
static int is_torn_off(const struct stretch *stretch, size_t count, size_t onset, bool *torn)
{
    const double *behind = stretch->raw + onset;
    const size_t tears = (size_t)(TEARS_S * stretch->rate_hz);
    size_t still = count - onset;
    *torn = false;
    if (last_change(behind, still) > tears)
        return 0;
    const int error = dropout_start(behind, count - onset, stretch->rate_hz, &still);
    *torn = still <= tears;
    return error;
}

/* Leaves torn sensors out where others are not. */
static enum verdict leave_torn_off(struct ring_down_sensors *of, size_t onset, struct ring_down *ring_down)
{
    struct ring_down_sensors kept = {.sensors = 0};
    bool torn[PASS_SENSORS];
    double widest = 0;
    for (size_t m = 0; m < of->sensors; m++) {
        if (is_torn_off(of->stretch[m], of->count, onset, &torn[m]) != 0)
            return VERDICT_NO_MEMORY;
        if (!torn[m])
            use_sensor(&kept, of->stretch[m], of->name[m], &widest);
    }
    for (size_t m = 0; m < of->sensors && kept.sensors > 0; m++)
        if (torn[m])
            add_dead(of->name[m], VERDICT_DEAD_SENSOR, ring_down);
    *of = kept.sensors > 0 ? kept : *of;
    return VERDICT_OK;
}

enum verdict ring_down_sensors_find(struct ring_down_sensors *of, const struct record_seen *seen,
                                    struct ring_down *ring_down, struct blow blows[BLOWS_MOST])
{
    const size_t before = of->sensors;
    enum verdict verdict = find_blows(of, seen, blows, &ring_down->blows);
    if (verdict == VERDICT_OK)
        verdict = leave_torn_off(of, ring_down->blows > 0 ? blows[0].onset : 0, ring_down);
    return verdict == VERDICT_OK && of->sensors < before ? find_blows(of, seen, blows, &ring_down->blows) : verdict;
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
            add_dead(of->name[m], VERDICT_DEAD_SENSOR, ring_down);
            continue;
        }
        samples->name[samples->sensors] = of->name[m];
        samples->raw[samples->sensors] = raw[samples->sensors] = of->stretch[m]->raw + start;
        samples->level[samples->sensors] = levels[samples->sensors] = of->stretch[m]->level;
        samples->delay_s[samples->sensors] = of->stretch[m]->delay_s;
        samples->sensors++;
    }
}
