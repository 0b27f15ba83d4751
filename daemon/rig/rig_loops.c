/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Scans of displacement and force on their way to the cutter, and runs of loops on theirs to the pipeline. */

#include "identify/loop/latest_loop.h"
#include "report/kinds/table_header.h"
#include "rig/rig_state.h"
#include "segment/scan_pace.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A cutter with fewer scans would not see a loop of 5000. */
static const double least_rows = 1 << 14;

/* A loop of more scans is thinned for the figures that are told at once: those of its run come from all of them. */
enum { LIVE_SCANS = 1 << 14 };

/* The inertia of a mass wants a window of neighbours about each of them, and the event loop waits meanwhile. */
enum { LIVE_SCANS_WITH_MASS = 1 << 11 };

/* The channel roles that a loop is made of, behind ROLE_NONE. */
enum { LOOP_ROLES = ROLE_VELOCITY };

struct rig_loops {
    struct rig *rig;
    struct loop_cutter *cutter;   /* NULL: made when the first scan comes, and never where units do not fit */
    const struct kind_form *form; /* of the records */
    enum channel_role motion;     /* ROLE_DISPLACEMENT, or ROLE_VELOCITY where no channel has that */
    size_t channel[LOOP_ROLES];   /* their numbers; SIZE_MAX: there is none */
    double scale[LOOP_ROLES];     /* to the units of the form */
    struct scan_pace pace;        /* of those scans that the cutter gets */
    double latest_s;              /* time of the latest scan; NAN: none since the last break */
    double velocity, way;         /* of that scan, where a velocity is measured: its integral since the last break */
    bool told;                    /* why there is no cutter */
    double driven_s[2];           /* from when to when the latest loops that dissipate energy follow each other */
    bool told_driven;
    enum channel_role clipped; /* of the latest sample at the limit of its sensor; ROLE_NONE: there was none */
    uint64_t scans;            /* taken in */
    struct live_loop live;     /* the latest that closed; number 0: none */
    struct form_name columns;  /* its text */
};

static size_t place_of(enum channel_role role)
{
    return (size_t)role - 1;
}

enum channel_role rig_channel_role(const struct rig *rig, size_t channel)
{
    const struct channel_configuration *configured =
        rig_channel_configuration(rig, rig->description->channels[channel].name);
    return configured ? configured->role : ROLE_NONE;
}

bool rig_channel_decays(const struct rig *rig, size_t channel)
{
    const enum channel_role role = rig_channel_role(rig, channel);
    return role == ROLE_NONE || role == ROLE_DISPLACEMENT;
}

/* --- what was found --- */

static const struct source_channel *channel_of(const struct rig_loops *loops, enum channel_role role)
{
    return &loops->rig->description->channels[loops->channel[place_of(role)]];
}

static const struct source_channel *motion_of(const struct rig_loops *loops)
{
    return channel_of(loops, loops->motion);
}

static struct decay_origin origin_of(const struct rig_loops *loops, double start_s)
{
    const struct rig *rig = loops->rig;
    const struct kind_column *column = &loops->form->column[0];
    const struct form_name columns = kind_form_name(loops->form);
    const struct decay_origin_names names = {.rig = rig_name(rig),
                                             .channel = motion_of(loops)->name,
                                             .source_kind = rig_source_kind(rig),
                                             .device = rig->description->device,
                                             .config_id = rig->config_id,
                                             .unit = column->unit,
                                             .board = rig->description->board,
                                             .driver = rig->description->driver,
                                             .serial = rig->description->serial,
                                             .read_as = rig->description->read_as,
                                             .kind = "loop",
                                             .columns = columns.text,
                                             .quantity = column->quantity};
    struct decay_origin origin = decay_origin_make(&names, &rig->configuration->physical, NAN);
    decay_origin_add_clock(&origin, 1e6 * rig_clock_uncertainty(rig));
    if (rig->description->wall_clock)
        origin.released_at_ns = clock_anchor_realtime_ns(&rig->anchor, start_s);
    else if (rig->description->dated)
        origin.released_at_ns = decay_released_at_ns(rig->description->zero_at_ns, start_s);
    return origin;
}

static void on_given_up(void *context, const char *reason)
{
    struct rig_loops *loops = context;
    rig_tell(loops->rig, motion_of(loops)->name, "loop_given_up", reason, 0,
             strcmp(reason, "no_memory") == 0
                 ? "there is not enough memory for the loop that runs"
                 : "a loop does not close within max_samples and max_duration_s of the displacement's `segment`: slow "
                   "drives need more, or fewer samples a second");
}

/* The channel whose motion it is tells of it. */
static void tell_state(struct rig_loops *loops)
{
    struct rig *rig = loops->rig;
    const size_t c = loops->channel[place_of(loops->motion)];
    segmenter_state(rig->channels[c].segmenter, &rig->statuses[c].segment);
    rig_loops_state(rig, c, &rig->statuses[c].segment);
    rig->listener.progress(rig->listener.context, rig, &rig->statuses[c]);
}

/* 0, or as latest_loop_figures(). */
static int live_figures(const struct rig_loops *loops, const struct loop_cut *cut, struct loop_figures *figures)
{
    const struct contact_settings *contact = &loops->rig->configuration->physical.contact;
    const size_t most = contact->moving_mass_kg > 0 ? LIVE_SCANS_WITH_MASS : LIVE_SCANS;
    const size_t columns = loops->form->count, step = cut->count / most + 1;
    const size_t count = (cut->count + step - 1) / step;
    double *room = calloc((columns + 1) * count, sizeof *room);
    if (!room)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < columns; c++)
            room[c * count + i] = cut->rows[i * step * columns + c];
    struct loop_signal signal = {.displacement = room,
                                 .force = room + count,
                                 .time_s = room + 2 * count,
                                 .normal = columns > 3 ? room + 3 * count : NULL,
                                 .count = count};
    const size_t *at = cut->reversals, extreme[3] = {at[0] / step, at[1] / step, at[2] / step};
    int error = 0;
    if (loops->motion == ROLE_VELOCITY) {
        signal.velocity = room;
        signal.displacement = room + columns * count;
        error = loop_displacement_of(signal.time_s, room, count, room + columns * count);
    }
    if (!error)
        error = latest_loop_figures(&signal, contact, extreme, figures);
    free(room);
    return error;
}

/* An energy is one from so many of its standard uncertainties on, and loops that follow each other leave less than a
 * period between them. */
static const double energy_noise = 3, next_periods = 1;

static void note_drive(struct rig_loops *loops, const struct loop_figures *loop)
{
    if (!(loop->value[LOOP_ENERGY] > energy_noise * loop->se[LOOP_ENERGY]))
        return;
    if (!(loop->start_s - loops->driven_s[1] < next_periods * loop->value[LOOP_PERIOD]))
        loops->driven_s[0] = loop->start_s;
    loops->driven_s[1] = loop->end_s;
}

bool rig_loops_drive(struct rig *rig, size_t channel, double begin_s, double end_s)
{
    struct rig_loops *loops = rig->loops;
    if (!loops || channel != loops->channel[place_of(loops->motion)])
        return false;
    const double driven_s = fmin(end_s, loops->driven_s[1]) - fmax(begin_s, loops->driven_s[0]);
    const bool in_loops = driven_s > 0.5 * (end_s - begin_s), driven = rig->configuration->driven;
    if (in_loops && !driven && !loops->told_driven)
        rig_tell(rig, motion_of(loops)->name, "source_advice", "loop_driven", 0,
                 "the force goes round loops during the decay from %.3f s to %.3f s: if a drive moves the contact, and "
                 "the mass was not let go, say so with driven = true in the rig, and it makes no decay",
                 begin_s, end_s);
    loops->told_driven = loops->told_driven || in_loops;
    return in_loops && driven;
}

static void on_loop(void *context, struct loop_cut *cut)
{
    struct rig_loops *loops = context;
    struct loop_figures figures;
    const int error = live_figures(loops, cut, &figures);
    free(cut->rows);
    if (error == -ENOMEM)
        on_given_up(loops, "no_memory");
    if (error)
        return;
    note_drive(loops, &figures);
    loops->live = (struct live_loop){.number = cut->number, .figures = figures, .columns = loops->columns.text};
    tell_state(loops);
}

static void on_run(void *context, struct loop_cut *run)
{
    struct rig_loops *loops = context;
    struct rig *rig = loops->rig;
    const struct decay_origin origin = origin_of(loops, run->start_s);
    struct decay *decay = decay_from_whole(run->rows, NULL, NULL, run->count * loops->form->count, 0, 0, 0);
    free(run->rows);
    rig_tell(rig, motion_of(loops)->name, "loop_run", loop_cut_end_name(run->ended_by), run->loops,
             "loops %" PRIu64 " to %" PRIu64 " from %.3f s on are a run, which ended by: %s", run->number,
             run->number + run->loops - 1, run->start_s, loop_cut_end_name(run->ended_by));
    if (decay)
        decay->ended_by = loop_cut_decay_end(run->ended_by);
    else
        on_given_up(loops, "no_memory");
    if (!decay || pipeline_submit(rig->pipeline, &origin, decay, rig->description->may_pause,
                                  rig->description->kind == SOURCE_RECORDING) != 0)
        rig->decays_lost++;
    tell_state(loops);
}

/* --- from a description to a cutter --- */

/* The form whose units those of the channels can be told in; NULL: there is none. */
static const struct kind_form *form_of(struct rig_loops *loops)
{
    const struct record_kind *kind = record_kind_named("loop");
    const enum channel_role roles[] = {loops->motion, ROLE_FORCE, ROLE_NONE, ROLE_NORMAL};
    const size_t columns = loops->channel[place_of(ROLE_NORMAL)] == SIZE_MAX ? 3 : 4;
    for (size_t f = 0; f < kind->form_count; f++) {
        const struct kind_form *form = &kind->forms[f];
        const bool of_velocity = strcmp(form->column[0].quantity, QUANTITY_VELOCITY) == 0;
        bool fits = form->count == columns && of_velocity == (loops->motion == ROLE_VELOCITY);
        for (size_t c = 0; c < form->count && fits; c++) {
            if (roles[c] == ROLE_NONE)
                continue;
            const size_t place = place_of(roles[c]);
            const char *unit = loops->rig->description->channels[loops->channel[place]].unit;
            loops->scale[place] = table_unit_scale(form->column[c].unit, unit);
            fits = isfinite(loops->scale[place]);
        }
        if (fits)
            return form;
    }
    return NULL;
}

static double delay_of(const struct scan_block *block, size_t channel)
{
    for (size_t i = 0; i < block->channel_count; i++)
        if (block->channels[i].channel == channel)
            return block->channels[i].delay_s;
    return 0;
}

/* By how many scans the figure of a role is true later than the displacement of its scan. */
static double late_by(const struct rig_loops *loops, const struct scan_block *block, enum channel_role role)
{
    const size_t channel = loops->channel[place_of(role)];
    if (channel == SIZE_MAX || !(block->period_s > 0))
        return 0;
    return (delay_of(block, channel) - delay_of(block, loops->channel[place_of(loops->motion)])) / block->period_s;
}

static struct loop_cutter *make_cutter(struct rig_loops *loops, const struct scan_block *block)
{
    const struct segment_settings segment = rig_segment_settings(loops->rig, motion_of(loops));
    const double rows = (double)segment.max_samples / (double)loops->form->count;
    const double lasting = block->period_s > 0 ? segment.max_duration_s / block->period_s : rows;
    const struct loop_cutter_settings settings = {
        .columns = loops->form->count,
        .most_rows = (size_t)fmax(least_rows, fmin(rows, lasting)),
        .resolution =
            loops->motion == ROLE_DISPLACEMENT ? segment.resolution * loops->scale[place_of(loops->motion)] : 0,
        .force_late = late_by(loops, block, ROLE_FORCE),
        .normal_late = late_by(loops, block, ROLE_NORMAL),
    };
    const struct loop_cutter_listener listener = {
        .loop = on_loop, .run = on_run, .given_up = on_given_up, .context = loops};
    return loop_cutter_create(&settings, &listener);
}

/* Units and delays are known when the source delivers. False: there are no loops to be cut. */
static bool is_ready(struct rig_loops *loops, const struct scan_block *block)
{
    if (loops->cutter || loops->told)
        return loops->cutter;
    loops->form = form_of(loops);
    if (loops->form)
        loops->columns = kind_form_name(loops->form);
    loops->cutter = loops->form ? make_cutter(loops, block) : NULL;
    loops->told = !loops->cutter;
    if (!loops->form)
        rig_tell(
            loops->rig, NULL, "source_advice", "loop_units", 0,
            "no loops are made: displacement and force need the units of a length and a force, such as mm and N, or "
            "rad and N*m without a normal force; a velocity those of a length and s, such as mm/s");
    else if (!loops->cutter)
        on_given_up(loops, "no_memory");
    return loops->cutter;
}

int rig_loops_create(struct rig *rig)
{
    struct rig_loops *loops = calloc(1, sizeof *loops);
    if (!loops)
        return -ENOMEM;
    *loops = (struct rig_loops){.rig = rig, .latest_s = NAN, .driven_s = {INFINITY, -INFINITY}};
    scan_pace_begin(&loops->pace);
    for (size_t k = 0; k < LOOP_ROLES; k++)
        loops->channel[k] = SIZE_MAX;
    for (size_t c = 0; c < rig->description->channel_count; c++) {
        const enum channel_role role = rig_channel_role(rig, c);
        if (role != ROLE_NONE && role != ROLE_ACCELEROMETER)
            loops->channel[place_of(role)] = c;
    }
    loops->motion = loops->channel[place_of(ROLE_DISPLACEMENT)] != SIZE_MAX ? ROLE_DISPLACEMENT : ROLE_VELOCITY;
    if (loops->channel[place_of(loops->motion)] == SIZE_MAX || loops->channel[place_of(ROLE_FORCE)] == SIZE_MAX)
        free(loops);
    else
        rig->loops = loops;
    return 0;
}

void rig_loops_destroy(struct rig *rig)
{
    if (rig->loops)
        loop_cutter_destroy(rig->loops->cutter);
    free(rig->loops);
    rig->loops = NULL;
}

/* --- scans --- */

static const struct channel_samples *samples_of(const struct rig_loops *loops, const struct scan_block *block,
                                                enum channel_role role)
{
    for (size_t i = 0; i < block->channel_count; i++)
        if (block->channels[i].channel == loops->channel[place_of(role)])
            return &block->channels[i];
    return NULL;
}

static bool is_clipped(const struct channel_samples *samples, size_t i)
{
    return samples && samples->flags && samples->flags[i] & SAMPLE_CLIPPED;
}

static double figure_of(const struct rig_loops *loops, const struct channel_samples *samples, enum channel_role role,
                        size_t i)
{
    return samples ? samples->displacement[i] * loops->scale[place_of(role)] : 0;
}

static void cut(struct rig_loops *loops, const struct paced_scan *due, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (due[i].behind_gap)
            loop_cutter_break(loops->cutter, LOOP_CUT_GAP);
        loop_cutter_feed(loops->cutter, &due[i].scan);
    }
}

static void break_off(struct rig_loops *loops, enum loop_cut_end reason)
{
    struct paced_scan due[SAMPLING_PACE_STEPS];
    cut(loops, due, scan_pace_end(&loops->pace, due));
    loop_cutter_break(loops->cutter, reason);
    loops->latest_s = NAN;
    loops->way = 0;
}

/* A velocity is summed up by trapezoids, which is as good as finding its loops wants. */
static double displacement_at(const struct rig_loops *loops, double motion, double time_s)
{
    if (loops->motion == ROLE_DISPLACEMENT)
        return motion;
    return isnan(loops->latest_s) ? 0 : loops->way + 0.5 * (motion + loops->velocity) * (time_s - loops->latest_s);
}

void rig_loops_take(struct rig *rig, const struct scan_block *block)
{
    struct rig_loops *loops = rig->loops;
    if (!loops)
        return;
    const struct channel_samples *way = samples_of(loops, block, loops->motion);
    const struct channel_samples *force = samples_of(loops, block, ROLE_FORCE);
    const struct channel_samples *normal = samples_of(loops, block, ROLE_NORMAL);
    if ((way || force) && !(way && force) && !loops->told) {
        loops->told = true;
        rig_tell(rig, NULL, "source_advice", "loop_apart", 0,
                 "no loops are made: %s and force are not sampled together: stream both, or poll both",
                 loops->motion == ROLE_VELOCITY ? "velocity" : "displacement");
    }
    if (!way || !force || !is_ready(loops, block))
        return;
    loops->scans += block->scan_count;
    for (size_t i = 0; i < block->scan_count; i++) {
        const double time_s = block->time_s
                                  ? block->time_s[i]
                                  : block->origin_s + way->delay_s + (double)(block->first_index + i) * block->period_s;
        const double motion = figure_of(loops, way, loops->motion, i);
        const struct loop_scan scan = {.displacement = displacement_at(loops, motion, time_s),
                                       .force = figure_of(loops, force, ROLE_FORCE, i),
                                       .normal = figure_of(loops, normal, ROLE_NORMAL, i),
                                       .time_s = time_s,
                                       .motion = motion};
        const bool finite = isfinite(scan.displacement) && isfinite(scan.force) && isfinite(scan.normal);
        const enum channel_role clipped = is_clipped(way, i)      ? loops->motion
                                          : is_clipped(force, i)  ? ROLE_FORCE
                                          : is_clipped(normal, i) ? ROLE_NORMAL
                                                                  : ROLE_NONE;
        if (clipped != ROLE_NONE) {
            loops->clipped = clipped;
            break_off(loops, LOOP_CUT_CLIPPED);
        } else if (!finite || !(isnan(loops->latest_s) || time_s > loops->latest_s)) {
            break_off(loops, LOOP_CUT_GAP);
        } else {
            struct paced_scan due[SAMPLING_PACE_STEPS];
            cut(loops, due, scan_pace_take(&loops->pace, &scan, block->period_s, due));
            loops->latest_s = time_s;
            loops->velocity = motion;
            loops->way = scan.displacement;
        }
    }
}

void rig_loops_break(struct rig *rig, size_t channel, enum loop_cut_end reason)
{
    struct rig_loops *loops = rig->loops;
    for (size_t k = 0; loops && loops->cutter && k < LOOP_ROLES; k++)
        if (loops->channel[k] == channel)
            break_off(loops, reason);
}

void rig_loops_state(const struct rig *rig, size_t channel, struct segment_state *state)
{
    const struct rig_loops *loops = rig->loops;
    if (rig->configuration->driven)
        memset(state->drops, 0, sizeof state->drops);
    for (size_t k = 0; loops && loops->cutter && k < LOOP_ROLES; k++) {
        if (loops->channel[k] != channel)
            continue;
        const bool driven = loop_cutter_runs(loops->cutter);
        if (driven || k != place_of(loops->motion))
            state->phase = driven ? SEGMENT_DRIVEN : SEGMENT_IDLE;
        state->samples = loops->scans;
        state->loop = loops->live.number > 0 ? &loops->live : NULL;
    }
}

void rig_loops_finish(struct rig *rig, enum decay_end reason)
{
    if (rig->loops && rig->loops->cutter)
        break_off(rig->loops, reason == DECAY_END_RECONFIGURED ? LOOP_CUT_RECONFIGURED : LOOP_CUT_END_OF_SOURCE);
}

void rig_loops_tell_none(struct rig *rig)
{
    const struct rig_loops *loops = rig->loops;
    struct segment_state state;
    if (!loops || !loops->cutter || loop_cutter_loops(loops->cutter) > 0)
        return;
    segmenter_state(rig->channels[loops->channel[place_of(loops->motion)]].segmenter, &state);
    if (state.decays > 0)
        return;
    if (loops->clipped != ROLE_NONE)
        rig_tell(rig, channel_of(loops, loops->clipped)->name, "source_advice", "no_loop", 0,
                 "no loop was found, and samples are clipped, of which each ends the loop that it is in: the sensor is "
                 "at its limit: take a larger range, or drive less far");
    else
        rig_tell(rig, motion_of(loops)->name, "source_advice", "no_loop", 0,
                 "no loop was found: the motion does not come back from one lower reversal to another, or by no more "
                 "than its noise: was it driven, and is this the channel that sees it?");
}
