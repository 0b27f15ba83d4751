/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop.h"

#include "identify/common/instrument_estimate.h"
#include "identify/common/sample_pass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fewer samples are no loop. */
enum { SAMPLES_LEAST = 20 };

/* A force that stands at its largest or smallest value for so many samples on end, and so often, is cut off there, if
 * it has noise of this share of its range between them and of a step of its converter: such noise gives its extreme
 * value once in a hundred samples of a plateau at most, and so many on end in none of any record. */
enum { CLIPPED_SAMPLES = 6, CLIPPED_STRETCHES = 2 };
static const double noise_share = 1e-6, noise_steps = 1;

/* An energy is there from so many of its standard uncertainties on, and from what the splines are off: 1e-5 of range
 * times stroke. */
static const double energy_noise = 3, energy_least = 1e-5;

/* The traces of a record as arrays. */
struct columns {
    double *room; /* owned */
    struct loop_signal signal;
};

/* The first may be a velocity, of which the displacement stands behind all of them. */
enum { DISPLACEMENT_TRACE, FORCE_TRACE, TIME_TRACE, NORMAL_TRACE };

static int take_velocity(double *displacement, struct loop_signal *signal)
{
    signal->velocity = signal->displacement;
    signal->displacement = displacement;
    return loop_displacement_of(signal->time_s, signal->velocity, signal->count, displacement);
}

static enum verdict take_columns(const struct record *record, struct columns *columns)
{
    int error = 0;
    const size_t count = record->count > TIME_TRACE ? record->traces[0].count : 0;
    *columns = (struct columns){.room = NULL};
    if (count < SAMPLES_LEAST)
        return VERDICT_TOO_FEW_SAMPLES;
    columns->room = calloc((record->count + 1) * count, sizeof *columns->room);
    if (!columns->room)
        return VERDICT_NO_MEMORY;
    for (size_t k = 0; k < record->count; k++)
        for (size_t i = 0; i < count; i++) {
            columns->room[k * count + i] = record_value(&record->traces[k], i);
            if (!isfinite(columns->room[k * count + i]))
                return VERDICT_NOT_FINITE;
        }
    columns->signal = (struct loop_signal){
        .time_s = columns->room + TIME_TRACE * count,
        .displacement = columns->room + DISPLACEMENT_TRACE * count,
        .force = columns->room + FORCE_TRACE * count,
        .normal = record->count > NORMAL_TRACE ? columns->room + NORMAL_TRACE * count : NULL,
        .count = count,
    };
    for (size_t i = 1; i < count; i++)
        if (!(columns->signal.time_s[i] > columns->signal.time_s[i - 1]))
            return VERDICT_TIME_NOT_INCREASING;
    const char *quantity = record->traces[0].quantity;
    if (quantity && strcmp(quantity, QUANTITY_VELOCITY) == 0)
        error = take_velocity(columns->room + record->count * count, &columns->signal);
    return error == 0 && loop_signal_look(&columns->signal) == 0 ? VERDICT_OK : VERDICT_NO_MEMORY;
}

/* Lowest and highest value; how often CLIPPED_SAMPLES on end are at one of them. */
struct extent {
    double lowest, highest;
    size_t stretches;
};

static struct extent extent_of(const double *values, size_t count)
{
    struct extent extent = {values[0], values[0], 0};
    size_t low = 0, high = 0;
    for (size_t i = 1; i < count; i++) {
        extent.lowest = fmin(extent.lowest, values[i]);
        extent.highest = fmax(extent.highest, values[i]);
    }
    for (size_t i = 0; i < count; i++) {
        low = values[i] > extent.lowest ? 0 : low + 1;
        high = values[i] < extent.highest ? 0 : high + 1;
        extent.stretches += low == CLIPPED_SAMPLES || high == CLIPPED_SAMPLES;
    }
    return extent;
}

static enum verdict look_at_limits(const struct loop_signal *signal, const struct extent *force)
{
    const double between = loop_noise(signal->time_s, signal->force, signal->count, force->lowest, force->highest);
    const double step = smallest_step(lanes_widest(), signal->force, signal->count);
    const double least = fmax(noise_share * (force->highest - force->lowest), noise_steps * step);
    return isnan(between) ? VERDICT_NO_MEMORY : between > least ? VERDICT_FORCE_CLIPPED : VERDICT_OK;
}

static enum verdict look_at_channels(const struct loop_signal *signal)
{
    const struct extent way = extent_of(signal->displacement, signal->count);
    const struct extent force = extent_of(signal->force, signal->count);
    if (!(way.highest - way.lowest > signal->least_swing))
        return VERDICT_NO_MOTION;
    if (!(force.highest > force.lowest))
        return VERDICT_FORCE_CONSTANT;
    return force.stretches >= CLIPPED_STRETCHES ? look_at_limits(signal, &force) : VERDICT_OK;
}

/* --- loops and runs --- */

/* All loops of the signal. */
struct loops {
    struct loop_figures *loop; /* owned */
    size_t count;
};

static enum verdict find_loops(const struct loop_signal *signal, const struct identify_settings *settings,
                               struct loops *loops)
{
    struct loop_reversals reversals;
    struct loop_curves curves = {NULL, NULL, NULL};
    enum verdict verdict = loop_reversals_of(signal, &reversals) == 0 ? VERDICT_OK : VERDICT_NO_MEMORY;
    loops->loop = verdict == VERDICT_OK ? calloc(reversals.count / 2 + 1, sizeof *loops->loop) : NULL;
    if (!loops->loop || loop_curves_make(signal, &curves) != 0)
        verdict = VERDICT_NO_MEMORY;
    for (size_t k = 0; k + 2 < reversals.count && verdict == VERDICT_OK; k++) {
        if (settings->cancel && atomic_load(settings->cancel))
            verdict = VERDICT_CANCELLED;
        else if (!reversals.reversal[k].upper)
            loops->loop[loops->count++] = loop_figures_of(signal, &curves, &reversals.reversal[k]);
    }
    loop_curves_clear(&curves);
    loop_reversals_clear(&reversals);
    return verdict;
}

/* The run that begins with a loop. */
static void follow_run(const struct loops *loops, size_t first, struct loop_run *run)
{
    size_t next = first + 1;
    run->first = first;
    run->ended_by = LOOP_RUN_RECORD_ENDS;
    while (next < loops->count && run->ended_by == LOOP_RUN_RECORD_ENDS) {
        run->ended_by = loops_differ(&loops->loop[next - 1], &loops->loop[next]);
        next += run->ended_by == LOOP_RUN_RECORD_ENDS;
    }
    loop_run_summarise(loops->loop + first, next - first, run);
}

/* By which powers of time and displacement the figures go that have no force in them: nobody configures how well a
 * force is calibrated. The forces of a loss factor cancel. */
static const struct {
    enum loop_figure figure;
    double time, displacement;
} calibrated[] = {{LOOP_STROKE, 0, 1}, {LOOP_PERIOD, 1, 0}, {LOOP_LOSS_FACTOR, 0, 0}};

/* With what the instrument adds, as far as it is configured; a single loop has values without uncertainties. */
static void combine(const struct physical_settings *settings, struct loop_findings *findings)
{
    const struct instrument instrument = instrument_of(settings);
    for (size_t k = 0; k < sizeof calibrated / sizeof calibrated[0]; k++) {
        struct estimate *figure = &findings->figure[calibrated[k].figure];
        if (isfinite(figure->se))
            *figure = estimate_combined(*figure, &instrument, calibrated[k].time, calibrated[k].displacement);
    }
}

static void take_run(const struct loop_run *run, struct loop_findings *findings)
{
    for (int k = 0; k < LOOP_FIGURES; k++) {
        findings->figure[k] = run->figure[k];
        findings->drift[k] = run->drift[k];
    }
}

static void find_runs(const struct loops *loops, struct loop_findings *findings)
{
    struct loop_run run, most = {.count = 0};
    for (size_t first = 0; first < loops->count; first = run.first + run.count) {
        run = (struct loop_run){.first = first, .count = 1};
        if (loops->loop[first].gap)
            continue;
        follow_run(loops, first, &run);
        findings->runs++;
        if (findings->listed_runs < LOOP_RUNS)
            findings->run[findings->listed_runs++] = run;
        if (run.count > most.count) {
            most = run;
            findings->main_run = findings->runs;
        }
    }
    if (most.count > 0)
        take_run(&most, findings);
}

static void list_loops(const struct loops *loops, struct loop_findings *findings)
{
    size_t stride = 1;
    while (loops->count > stride * LOOPS_LISTED)
        stride *= 2;
    for (size_t i = 0; i < loops->count; i++) {
        findings->loops += !loops->loop[i].gap;
        if (i % stride == 0 && !loops->loop[i].gap)
            findings->loop[findings->listed_loops++] = (struct listed_loop){i + 1, loops->loop[i]};
    }
}

static enum verdict judge(const struct loop_signal *signal, const struct loop_findings *findings)
{
    const struct estimate *energy = &findings->figure[LOOP_ENERGY];
    const struct extent force = extent_of(signal->force, signal->count);
    if (findings->loops == 0)
        return VERDICT_NO_LOOP;
    const double least = fmax(isfinite(energy->se) ? energy_noise * energy->se : 0,
                              energy_least * (force.highest - force.lowest) * findings->figure[LOOP_STROKE].value);
    return energy->value < -least ? VERDICT_NEGATIVE_ENERGY : energy->value > least ? VERDICT_OK : VERDICT_NO_SLIP;
}

static enum verdict look_at(const struct record *record, const struct identify_settings *settings,
                            struct loop_findings *findings)
{
    struct columns columns;
    struct loops loops = {NULL, 0};
    enum verdict verdict = take_columns(record, &columns);
    if (verdict == VERDICT_OK) {
        findings->noise_displacement = columns.signal.noise_displacement;
        findings->noise_force = columns.signal.noise_force;
        verdict = look_at_channels(&columns.signal);
    }
    if (verdict == VERDICT_OK)
        verdict = find_loops(&columns.signal, settings, &loops);
    if (verdict == VERDICT_OK) {
        list_loops(&loops, findings);
        find_runs(&loops, findings);
        verdict = judge(&columns.signal, findings);
        combine(&settings->physical, findings);
    }
    if (verdict == VERDICT_OK && settings->ladder)
        friction_ladder_identify(&columns.signal, settings->cancel, &findings->ladder);
    else
        friction_ladder_not_made(&findings->ladder, verdict == VERDICT_OK ? VERDICT_NOT_COMPUTED : verdict);
    if (findings->ladder.verdict == VERDICT_CANCELLED)
        verdict = VERDICT_CANCELLED;
    free(loops.loop);
    free(columns.room);
    return verdict;
}

enum verdict analyse_loop(const struct record *record, enum verdict left_for, const struct identify_settings *settings,
                          void *found)
{
    static const struct estimate unknown = {.value = NAN, .se = NAN, .low = NAN, .high = NAN};
    struct loop_findings *findings = found;
    *findings = (struct loop_findings){.noise_displacement = NAN, .noise_force = NAN};
    for (int k = 0; k < LOOP_FIGURES; k++) {
        findings->figure[k] = unknown;
        findings->drift[k] = (struct loop_drift){(enum loop_figure)k, NAN, NAN, NAN};
    }
    friction_ladder_not_made(&findings->ladder, left_for);
    findings->verdict = left_for != VERDICT_OK ? left_for : look_at(record, settings, findings);
    return findings->verdict;
}
