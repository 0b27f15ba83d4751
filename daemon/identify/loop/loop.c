/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop.h"

#include "identify/loop/contact_correction.h"
#include "identify/loop/ladder_excerpt.h"
#include "identify/loop/loop_limits.h"
#include "identify/loop/loop_pieces.h"
#include "identify/loop/loop_stillness.h"
#include "identify/loop/loop_stribeck.h"
#include "identify/loop/loop_uncertainty.h"

#include <errno.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fewer samples are no loop. */
enum { SAMPLES_LEAST = 20 };

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

static enum verdict look_at_samples(const struct columns *columns, size_t traces)
{
    const struct loop_signal *signal = &columns->signal;
    for (size_t i = 0; i < traces * signal->count; i++)
        if (!isfinite(columns->room[i]))
            return VERDICT_NOT_FINITE;
    for (size_t i = 1; i < signal->count; i++)
        if (!(signal->time_s[i] > signal->time_s[i - 1]))
            return VERDICT_TIME_NOT_INCREASING;
    return signal->count < SAMPLES_LEAST ? VERDICT_TOO_FEW_SAMPLES : VERDICT_OK;
}

static enum verdict take_columns(const struct record *record, struct columns *columns)
{
    int error = 0;
    const size_t count = record->count > TIME_TRACE ? record->traces[0].count : 0;
    *columns = (struct columns){.room = NULL};
    if (count == 0)
        return VERDICT_TOO_FEW_SAMPLES;
    columns->room = calloc((record->count + 1) * count, sizeof *columns->room);
    if (!columns->room)
        return VERDICT_NO_MEMORY;
    for (size_t k = 0; k < record->count; k++)
        for (size_t i = 0; i < count; i++)
            columns->room[k * count + i] = record_value(&record->traces[k], i);
    columns->signal = (struct loop_signal){
        .time_s = columns->room + TIME_TRACE * count,
        .displacement = columns->room + DISPLACEMENT_TRACE * count,
        .force = columns->room + FORCE_TRACE * count,
        .normal = record->count > NORMAL_TRACE ? columns->room + NORMAL_TRACE * count : NULL,
        .count = count,
    };
    const enum verdict verdict = look_at_samples(columns, record->count);
    if (verdict != VERDICT_OK)
        return verdict;
    const char *quantity = record->traces[0].quantity;
    if (quantity && strcmp(quantity, QUANTITY_VELOCITY) == 0)
        error = take_velocity(columns->room + record->count * count, &columns->signal);
    return error == 0 && loop_signal_look(&columns->signal) == 0 ? VERDICT_OK : VERDICT_NO_MEMORY;
}

/* In numbers why a record has no loops. */
static void say_what_lacks(size_t samples, struct loop_findings *findings)
{
    snprintf(findings->lacks, sizeof findings->lacks, "the record has %zu samples, and loops need %d at least", samples,
             SAMPLES_LEAST);
}

/* Why there may be no coefficient of friction: the normal force in its mean, beside what it varies by. */
static const char *why_no_coefficient(const struct loop_signal *signal)
{
    double mean = 0, squares = 0;
    if (!signal->normal)
        return "no normal force was measured";
    for (size_t i = 0; i < signal->count; i++) {
        const double away = signal->normal[i] - mean;
        mean += away / (double)(i + 1);
        squares += away * (signal->normal[i] - mean);
    }
    const double varies = sqrt(squares / (double)signal->count);
    return mean > varies    ? "no plateau, or no normal force above 0, in many loops"
           : mean < -varies ? "the normal force is below 0: normal_sign is the other way round"
                            : "the normal force is 0 in its mean: is its sensor connected?";
}

static enum verdict look_at_channels(const struct loop_signal *signal, const struct contact_settings *contact)
{
    const struct loop_extent way = loop_extent_of(signal->displacement, signal->count);
    const struct loop_extent force = loop_extent_of(signal->force, signal->count);
    if (!(way.highest - way.lowest > signal->least_swing))
        return VERDICT_NO_MOTION;
    if (!(force.highest > force.lowest))
        return VERDICT_FORCE_CONSTANT;
    if (loop_force_stands_still(signal))
        return VERDICT_FORCE_STANDS_STILL;
    return loop_look_at_limits(signal, &way, &force, fmax(0, contact->force_delay_s));
}

/* --- loops and runs --- */

/* All loops of the signal. */
struct loops {
    struct loop_reversals reversals; /* owned */
    struct loop_figures *loop;       /* owned */
    size_t count;
    enum loop_run_end behind; /* why no further loop came, where who cut the record tells */
};

static enum loop_run_end end_behind(const struct record_seen *seen)
{
    switch (seen ? seen->ended : RECORD_JUST_ENDS) {
    case RECORD_GAP:
        return LOOP_RUN_GAP;
    case RECORD_REST:
        return LOOP_RUN_REST;
    case RECORD_OTHER_STROKE:
        return LOOP_RUN_STROKE;
    case RECORD_OTHER_PERIOD:
        return LOOP_RUN_PERIOD;
    case RECORD_OTHER_MEAN_FORCE:
        return LOOP_RUN_MEAN_FORCE;
    default:
        return LOOP_RUN_RECORD_ENDS;
    }
}

static enum verdict find_loops(const struct loop_signal *signal, const struct identify_settings *settings,
                               struct loops *loops)
{
    struct loop_reversals *reversals = &loops->reversals;
    struct loop_curves curves = {NULL, NULL, NULL};
    enum verdict verdict = loop_reversals_of(signal, reversals) == 0 ? VERDICT_OK : VERDICT_NO_MEMORY;
    loops->loop = verdict == VERDICT_OK ? calloc(reversals->count / 2 + 1, sizeof *loops->loop) : NULL;
    if (!loops->loop || loop_curves_make(signal, &curves) != 0)
        verdict = VERDICT_NO_MEMORY;
    if (verdict == VERDICT_OK)
        loops->count = loop_figures_of_all(signal, &curves, reversals, settings->cancel, loops->loop);
    if (verdict == VERDICT_OK && settings->cancel && atomic_load(settings->cancel))
        verdict = VERDICT_CANCELLED;
    loop_curves_clear(&curves);
    return verdict;
}

static void loops_clear(struct loops *loops)
{
    loop_reversals_clear(&loops->reversals);
    free(loops->loop);
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
    if (run->ended_by == LOOP_RUN_RECORD_ENDS)
        run->ended_by = loops->behind;
    loop_run_summarise(loops->loop + first, next - first, run);
}

static void take_run(const struct loop_run *run, struct loop_findings *findings)
{
    for (int k = 0; k < LOOP_FIGURES; k++) {
        findings->figure[k] = run->figure[k];
        findings->drift[k] = run->drift[k];
    }
}

/* Whether a run says more of the contact than another one: of runs of a single loop each, as while the drive starts or
 * in an earthquake, one that closes, and else that with the larger stroke. */
static bool says_more(const struct loops *loops, const struct loop_run *run, const struct loop_run *other)
{
    if (run->count != other->count || run->count > 1)
        return run->count > other->count;
    const struct loop_figures *one = &loops->loop[run->first], *two = &loops->loop[other->first];
    return one->closes != two->closes ? one->closes : one->value[LOOP_STROKE] > two->value[LOOP_STROKE];
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
        if (says_more(loops, &run, &most)) {
            most = run;
            findings->main_run = findings->runs;
            findings->main_first = run.first;
            findings->main_count = run.count;
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

/* The work of the whole record, but for that of the mean force, which a motion that ends elsewhere does not give back.
 */
static double whole_work(const struct loop_signal *signal)
{
    const double mean = gsl_stats_mean(signal->force, 1, signal->count);
    double work = 0;
    for (size_t i = 1; i < signal->count; i++)
        work += (0.5 * (signal->force[i] + signal->force[i - 1]) - mean) *
                (signal->displacement[i] - signal->displacement[i - 1]);
    return work;
}

/* A stroke of four steps draws no loop, whoever makes them: energies are up to half off. It is known to half a step. An
 * even motion that is told by ten samples a loop, which are the fewest, has five of them. */
static const double steps_least = 4.5;

static enum verdict judge(const struct loop_signal *signal, const struct loop_findings *findings)
{
    const struct estimate *energy = &findings->figure[LOOP_ENERGY];
    const struct loop_extent force = loop_extent_of(signal->force, signal->count);
    if (findings->loops == 0)
        return VERDICT_NO_LOOP;
    if (findings->figure[LOOP_STROKE].value < steps_least * signal->step)
        return VERDICT_DISPLACEMENT_COARSE;
    /* Swings that noise must help to be seen are missed now and then: three loops would be one. */
    if (findings->figure[LOOP_STROKE].value < signal->least_swing)
        return VERDICT_NO_MOTION;
    const struct loop_extent displacement = loop_extent_of(signal->displacement, signal->count);
    const double range = force.highest - force.lowest, work = whole_work(signal);
    /* Loops that do not close, as those of motions of two frequencies, differ, and one may give back what another one
     * stored. Of work that is more than any spring stores the whole record tells. */
    if (fabs(work) > 0.5 * range * (displacement.highest - displacement.lowest))
        return work < 0 ? VERDICT_NEGATIVE_ENERGY : VERDICT_OK;
    const double least = fmax(isfinite(energy->se) ? energy_noise * energy->se : 0,
                              energy_least * range * findings->figure[LOOP_STROKE].value);
    return energy->value < -least ? VERDICT_NEGATIVE_ENERGY : energy->value > least ? VERDICT_OK : VERDICT_NO_SLIP;
}

/* With what the instruments add; a single loop has values without uncertainties. */
static enum verdict combine(const struct loop_signal *measured, const struct loop_signal *signal,
                            const struct loops *loops, const struct identify_settings *identify,
                            struct loop_findings *findings)
{
    const struct physical_settings *settings = &identify->physical;
    const struct loops_seen seen = {.settings = &settings->contact,
                                    .measured = measured,
                                    .corrected = signal,
                                    .reversals = &loops->reversals,
                                    .loop = loops->loop,
                                    .count = loops->count,
                                    .cancel = identify->cancel};
    struct loops_mean means[LOOP_RUNS + 1];
    size_t count = 0;
    for (size_t r = 0; r < findings->listed_runs; r++)
        means[count++] =
            (struct loops_mean){findings->run[r].first, findings->run[r].count, findings->run[r].figure, {0}};
    if (findings->main_run > 0)
        means[count++] = (struct loops_mean){findings->main_first, findings->main_count, findings->figure, {0}};
    const int error = loops_mean_variances(&seen, means, count);
    if (error)
        return error == -ECANCELED ? VERDICT_CANCELLED : VERDICT_NO_MEMORY;
    for (size_t k = 0; k < count; k++) {
        loops_mean_add_steps(measured, &means[k]);
        loops_mean_add_between(loops->loop, &means[k]);
        loops_mean_add_cuts(loops->loop, &means[k]);
        loops_mean_add_shapes(loops->loop, &means[k]);
        loops_mean_add_hidden_rests(loops->loop, &means[k]);
        loops_mean_combine(settings, &means[k]);
    }
    findings->zeta = loop_damping_ratio(settings, &findings->figure[LOOP_C_EQ]);
    return VERDICT_OK;
}

static double known_or_zero(double value)
{
    return isfinite(value) ? value : 0;
}

/* The way on which friction is built up grows with the level that it comes to; an element of Maxwell-slip slides behind
 * twice its slip length. NAN: nothing is known of it. */
static double presliding_of(const struct friction_ladder *ladder)
{
    const double level = ladder->figure[FRICTION_F_S].value / ladder->figure[FRICTION_F_C].value;
    double length = ladder->figure[FRICTION_X_D].value * (level > 1 ? level : 1);
    for (size_t i = 0; i < ladder->spectrum.count; i++)
        length = fmax(length, 2 * ladder->spectrum.element[i].slip_length.value / SLIDING_LENGTHS);
    return length;
}

/* Beside what the ladder found of the contact, as far as there is one. */
static enum verdict look_at_sliding(const struct loop_signal *corrected, const struct loops *loops,
                                    const struct physical_settings *settings, struct loop_findings *findings)
{
    unsigned char *begins = calloc(corrected->count, sizeof *begins);
    struct loop_signal signal = *corrected;
    if (!begins || loop_pieces_of(&signal, begins) != 0) {
        free(begins);
        return VERDICT_NO_MEMORY;
    }
    signal.begins = begins;
    const struct friction_figure *known = findings->ladder.figure;
    const struct sliding sliding = {.signal = &signal,
                                    .reversals = &loops->reversals,
                                    .from_s = loops->loop[findings->main_first].start_s,
                                    .to_s = loops->loop[findings->main_first + findings->main_count - 1].end_s,
                                    .presliding = presliding_of(&findings->ladder),
                                    .spring = known_or_zero(known[FRICTION_K_X].value),
                                    .mass = known_or_zero(known[FRICTION_MOVED_MASS].value),
                                    .path_slope = known_or_zero(known[FRICTION_PATH_SLOPE].value),
                                    .path_curvature = known_or_zero(known[FRICTION_PATH_CURVATURE].value),
                                    .path_middle = known_or_zero(known[FRICTION_PATH_MIDDLE].value)};
    loop_stribeck(&sliding, &findings->stribeck);
    loop_curve_combine(settings, &findings->stribeck);
    free(begins);
    return VERDICT_OK;
}

static enum verdict climb_ladder(const struct loop_signal *signal, const atomic_bool *cancel,
                                 struct loop_findings *findings)
{
    struct ladder_excerpt excerpt;
    const int error = ladder_excerpt_make(signal, findings->loops, &excerpt);
    if (!error)
        friction_ladder_identify(&excerpt.signal, cancel, &findings->ladder);
    findings->ladder.every = excerpt.every;
    findings->ladder.samples_left_out = excerpt.left_out;
    ladder_excerpt_clear(&excerpt);
    return error ? VERDICT_NO_MEMORY : VERDICT_OK;
}

/* Of what happened at the contact. */
static enum verdict look_at_contact(const struct loop_signal *measured, const struct loop_signal *signal,
                                    const struct record_seen *seen, const struct identify_settings *settings,
                                    struct loop_findings *findings)
{
    const struct loop_signal rounded = loop_signal_rounded(signal);
    struct loops loops = {.behind = end_behind(seen)};
    enum verdict verdict = find_loops(&rounded, settings, &loops);
    if (verdict == VERDICT_OK) {
        list_loops(&loops, findings);
        find_runs(&loops, findings);
        verdict = combine(measured, &rounded, &loops, settings, findings);
    }
    if (verdict == VERDICT_OK)
        verdict = judge(&rounded, findings);
    if (verdict == VERDICT_OK && settings->more_follows)
        friction_ladder_not_made(&findings->ladder, VERDICT_PENDING);
    else if (verdict == VERDICT_OK && settings->ladder)
        verdict = climb_ladder(signal, settings->cancel, findings);
    if (settings->stopped)
        *settings->stopped = findings->ladder.verdict == VERDICT_CANCELLED;
    if (verdict == VERDICT_OK && findings->main_count > 0)
        verdict = look_at_sliding(signal, &loops, &settings->physical, findings);
    loops_clear(&loops);
    return verdict;
}

static enum verdict look_at(const struct record *record, const struct identify_settings *settings,
                            struct loop_findings *findings)
{
    const struct contact_settings *contact = &settings->physical.contact;
    struct columns columns;
    struct contact_correction correction = {.room = NULL};
    enum verdict verdict = take_columns(record, &columns);
    if (verdict == VERDICT_TOO_FEW_SAMPLES)
        say_what_lacks(columns.signal.count, findings);
    if (verdict == VERDICT_OK) {
        const struct loop_signal rounded = loop_signal_rounded(&columns.signal);
        findings->noise_displacement = rounded.wander;
        findings->noise_force = columns.signal.noise_force;
        verdict = look_at_channels(&rounded, contact);
    }
    if (verdict == VERDICT_OK) {
        const int error = contact_correct(contact, contact, &columns.signal, settings->cancel, &correction);
        verdict = error == -ERANGE      ? VERDICT_TOO_FEW_SAMPLES
                  : error == -ECANCELED ? VERDICT_CANCELLED
                  : error               ? VERDICT_NO_MEMORY
                                        : VERDICT_OK;
    }
    if (verdict == VERDICT_OK)
        findings->no_coefficient = why_no_coefficient(&correction.signal);
    friction_ladder_not_made(&findings->ladder, verdict == VERDICT_OK ? VERDICT_NOT_COMPUTED : verdict);
    if (verdict == VERDICT_OK)
        verdict = look_at_contact(&columns.signal, &correction.signal, record->seen, settings, findings);
    if (verdict != VERDICT_OK) {
        friction_ladder_not_made(&findings->ladder, verdict);
        analyse_curve(record, verdict, settings, &findings->stribeck);
    }
    friction_ladder_combine(&settings->physical, &findings->ladder);
    contact_correction_clear(&correction);
    free(columns.room);
    return verdict;
}

enum verdict analyse_loop(const struct record *record, enum verdict left_for, const struct identify_settings *settings,
                          void *found)
{
    static const struct estimate unknown = {.value = NAN, .se = NAN, .low = NAN, .high = NAN};
    struct loop_findings *findings = found;
    *findings = (struct loop_findings){.noise_displacement = NAN, .noise_force = NAN, .zeta = unknown};
    findings->contact = settings->physical.contact;
    for (int k = 0; k < LOOP_FIGURES; k++) {
        findings->figure[k] = unknown;
        findings->drift[k] = (struct loop_drift){(enum loop_figure)k, NAN, NAN, NAN};
    }
    friction_ladder_not_made(&findings->ladder, left_for);
    analyse_curve(record, left_for != VERDICT_OK ? left_for : VERDICT_NOT_COMPUTED, settings, &findings->stribeck);
    findings->verdict = left_for != VERDICT_OK ? left_for : look_at(record, settings, findings);
    return findings->verdict;
}
