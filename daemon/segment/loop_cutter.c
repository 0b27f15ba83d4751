/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "segment/loop_cutter.h"

#include "identify/loop/loop_run.h"
#include "identify/loop/loop_signal.h"
#include "motion/zigzag.h"
#include "segment/loop_closing.h"
#include "segment/loop_end_prediction.h"
#include "segment/loop_mark.h"
#include "segment/tolerances.h"

#include <math.h>
#include <stdlib.h>

/* The noise floor is looked at when so many scans are there, then when twice as many are, and from the last number on
 * every so many: the median of 64 deviations is known to a seventh, that of 4096 to 2 %. */
enum { NOISE_FIRST = 64, NOISE_EVERY = 4096 };

/* Of few scans, noise that lasts seems less than it is, and swings of its own would count: reversals are looked for
 * from so many scans on, or when the displacement has come so many of the least swings far. A stroke with noise of 3 %
 * of its half is five and a half, and three where the noise of few samples seems twice as much. */
enum { SCANS_TOLD = NOISE_EVERY };
static const double swings_told = 3;

/* A loop may be told so long after it closed: until then nothing need be known of the noise. */
static const double told_from_s = 0.2;

/* Scans that were passed over are gone through once more, so many of them with each that comes: no call takes long. */
enum { LOOKED_AT_ONCE = 64 };

/* So many scans are kept when nothing moves, for the way to the first reversal. */
enum { SCANS_AT_REST = 1 << 16 };

/* A drive rests when it has not turned back for so many periods: one of a quarter of the speed would have. */
static const double resting_periods = 2;

/* From look to look noise floors fall to this share at most, and to half within seven of them, which are 28,000 scans:
 * a rest of the drive is quieter than its motion. */
static const double forgetting = 0.9;

struct loop_cutter {
    struct loop_cutter_settings settings;
    struct loop_cutter_listener listener;
    struct loop_scans scans; /* those that are held */
    uint64_t looked;         /* of the next one to be looked at: force and normal force reach further */
    uint64_t noise_due;      /* so many scans, and the noise floor is looked at again */
    struct zigzag zigzag;
    struct extreme turn;       /* the latest reversal */
    double turn_s, swing_s;    /* when it was, and how long after the one before; NAN: it is the first */
    struct small_swings small; /* since then */
    bool looked_closer;        /* behind it */
    double noise, known;       /* floor; the least swing that is more than it */
    double least;              /* that which counts: of few scans, one that is more than what may be noise */
    bool looks;                /* the floor is known well enough to look for reversals */
    struct loop_mark lower, upper;
    bool has_lower, has_upper; /* since when a loop runs, and its upper reversal */
    bool rested;               /* before the first reversal: it is one, and no way to it */
    uint64_t anew;             /* the scan from which on a first reversal is looked for */
    bool told;                 /* the loop that runs was told of: it closed */
    struct loop_end_prediction prediction;
    bool runs;
    struct loop_mark run_start;
    struct loop_figures latest; /* of the run, as far as the extreme samples tell */
    size_t run_loops;
    uint64_t run_number, loops;
};

static const struct loop_scan *scan_at(const struct loop_cutter *cutter, uint64_t number)
{
    return loop_scans_at(&cutter->scans, number);
}

/* --- what is handed on --- */

/* The scans from one to before another. False: memory is short. */
static bool copy_scans(const struct loop_cutter *cutter, uint64_t from, uint64_t to, struct loop_cut *cut)
{
    const struct loop_row_form form = {cutter->settings.columns, cutter->settings.force_late,
                                       cutter->settings.normal_late};
    from = scan_later(from, cutter->scans.first);
    cut->count = (size_t)(to - from);
    cut->rows = loop_scans_rows(&cutter->scans, &form, from, to);
    if (!cut->rows)
        cutter->listener.given_up(cutter->listener.context, "no_memory");
    return cut->rows;
}

/* The loop that runs, which ends with that sample; `now`: the latest that was looked at. */
static void tell_loop(struct loop_cutter *cutter, uint64_t end, uint64_t now)
{
    const uint64_t from = scan_later(cutter->lower.before, cutter->scans.first);
    struct loop_cut loop = {.number = cutter->loops + 1,
                            .loops = 1,
                            .start_s = cutter->lower.centre_s,
                            .reversals = {(size_t)(cutter->lower.sample - from), (size_t)(cutter->upper.sample - from),
                                          (size_t)(end - from)}};
    cutter->told = true;
    if (cutter->listener.loop && copy_scans(cutter, from, now + 1, &loop))
        cutter->listener.loop(cutter->listener.context, &loop);
}

/* Ends the run, if one runs. Its record goes on to the scan before `to`, for only the way behind its last reversal
 * shows that this is one. */
static void end_run(struct loop_cutter *cutter, enum loop_cut_end reason, uint64_t to)
{
    struct loop_cut run = {.number = cutter->run_number,
                           .loops = cutter->run_loops,
                           .start_s = cutter->run_start.centre_s,
                           .ended_by = reason};
    if (cutter->runs && copy_scans(cutter, cutter->run_start.before, to, &run))
        cutter->listener.run(cutter->listener.context, &run);
    cutter->runs = false;
    loop_end_prediction_begin_run(&cutter->prediction);
}

/* A slow way up shows later than a fast way down that there was a reversal between them: the record goes on to half of
 * the stroke, for half a period at most, where the displacement goes there. */
static uint64_t way_up(const struct loop_cutter *cutter, uint64_t end)
{
    const struct loop_scan *lower = scan_at(cutter, cutter->lower.sample);
    const double until_s = lower->time_s + 0.5 * cutter->latest.value[LOOP_PERIOD];
    const double until = lower->displacement + 0.5 * cutter->latest.value[LOOP_STROKE];
    uint64_t on = end;
    while (on < cutter->looked && scan_at(cutter, on)->time_s < until_s && scan_at(cutter, on)->displacement < until)
        on++;
    return scan_at(cutter, on - 1)->displacement - lower->displacement > cutter->least ? on : end;
}

/* Of a run that runs: its latest lower reversal, and as many scans behind it as before it, or for as long, or more. */
static uint64_t end_of_record(const struct loop_cutter *cutter)
{
    if (!cutter->runs)
        return cutter->looked;
    const uint64_t lower = cutter->lower.sample, before = scan_later(cutter->lower.before, cutter->scans.first);
    const double end_s = 2 * scan_at(cutter, lower)->time_s - scan_at(cutter, before)->time_s;
    uint64_t end = scan_earlier(cutter->looked, lower + (lower - before) + 1);
    while (end < cutter->looked && scan_at(cutter, end)->time_s < end_s)
        end++;
    return way_up(cutter, end);
}

/* --- loops --- */

static struct running_loop running_loop(const struct loop_cutter *cutter)
{
    return (struct running_loop){&cutter->scans, &cutter->lower, &cutter->upper, cutter->noise, cutter->least};
}

/* It tells whether the loop that runs is unlike the latest one. Where only its period or its rest is, the drive may
 * have become slower or stopped behind it: it is the same if it was alike up to where a sine like the latest would have
 * arrived. */
static enum loop_run_end differs(const struct loop_cutter *cutter, const struct loop_mark *end,
                                 struct loop_figures *figures)
{
    if (!cutter->runs)
        return LOOP_RUN_RECORD_ENDS;
    const enum loop_run_end as_whole = loops_differ(&cutter->latest, figures);
    if (as_whole != LOOP_RUN_PERIOD && as_whole != LOOP_RUN_REST)
        return as_whole;
    struct loop_mark arrived = *end;
    loop_mark_arrives(&arrived, &cutter->latest);
    const struct running_loop loop = running_loop(cutter);
    const struct loop_figures until = running_loop_figures(&loop, &arrived);
    if (loops_differ(&cutter->latest, &until) != LOOP_RUN_RECORD_ENDS)
        return as_whole;
    *figures = until;
    return LOOP_RUN_RECORD_ENDS;
}

/* Ends the running loop with that mark. */
static void close_loop(struct loop_cutter *cutter, const struct loop_mark *end, uint64_t now)
{
    const struct running_loop loop = running_loop(cutter);
    struct loop_figures figures = running_loop_figures(&loop, end);
    const enum loop_run_end other = differs(cutter, end, &figures);
    if (!cutter->told)
        tell_loop(cutter, end->sample, now);
    if (other != LOOP_RUN_RECORD_ENDS)
        end_run(cutter, loop_cut_end_of(other), (cutter->lower.sample + cutter->upper.sample) / 2);
    if (!cutter->runs) {
        cutter->runs = true;
        cutter->run_start = cutter->lower;
        cutter->run_loops = 0;
        cutter->run_number = cutter->loops + 1;
    }
    loop_end_prediction_learn(&cutter->prediction, &loop, end);
    cutter->loops++;
    cutter->run_loops++;
    cutter->latest = figures;
}

static void take_lower(struct loop_cutter *cutter, const struct loop_mark *mark, uint64_t now)
{
    if (cutter->has_lower && cutter->has_upper)
        close_loop(cutter, mark, now);
    loop_end_prediction_begin(&cutter->prediction);
    cutter->lower = *mark;
    cutter->has_lower = true;
    cutter->has_upper = cutter->told = false;
}

/* Closes a loop of which the listener was told already, although no later swing confirms its last reversal. */
static void close_told(struct loop_cutter *cutter, bool rests, uint64_t now)
{
    struct loop_mark end = loop_mark_of(&cutter->scans, cutter->least, cutter->zigzag.low, now, cutter->upper.sample);
    if (rests)
        loop_mark_arrives(&end, &cutter->latest);
    take_lower(cutter, &end, now);
}

/* The first turn after a rest is a reversal; the first of all may be but where the stream begins. */
static void take_reversal(struct loop_cutter *cutter, bool is_first, uint64_t now)
{
    const bool upper = cutter->zigzag.direction < 0;
    const struct extreme reversal = zigzag_reversal(&cutter->zigzag);
    const uint64_t sample = scan_later((uint64_t)reversal.at, cutter->scans.first);
    const struct extreme held = {(double)sample, reversal.value};
    const double turn_s = scan_at(cutter, sample)->time_s;
    cutter->swing_s = is_first ? (double)NAN : turn_s - cutter->turn_s;
    cutter->turn_s = turn_s;
    cutter->turn = held;
    cutter->small = (struct small_swings){.zigzag = zigzag_with(cutter->least)};
    cutter->looked_closer = false;
    if (is_first && !cutter->rested)
        return;
    const uint64_t before = is_first ? cutter->anew : upper ? cutter->lower.sample : cutter->upper.sample;
    const uint64_t turned = scan_later(scan_earlier(before, sample), cutter->scans.first);
    struct loop_mark mark = loop_mark_of(&cutter->scans, cutter->least, held, now, turned);
    if (is_first)
        loop_mark_leaves(&mark, &cutter->latest, now);
    if (!upper) {
        take_lower(cutter, &mark, now);
        return;
    }
    cutter->upper = mark;
    cutter->has_upper = cutter->has_lower;
}

/* --- when no further loop comes --- */

/* Looks for a first reversal again; the noise floor stays known. */
static void start_anew(struct loop_cutter *cutter, bool rested)
{
    cutter->zigzag = zigzag_with(cutter->least);
    cutter->has_lower = cutter->has_upper = cutter->told = false;
    cutter->rested = rested;
    cutter->anew = cutter->looked;
}

/* What the displacement did in the latest period tells why it did not turn back: it rests, goes further, or is slower.
 */
static enum loop_cut_end why_no_turn(const struct loop_cutter *cutter, uint64_t now, uint64_t turned)
{
    const double stroke = cutter->latest.value[LOOP_STROKE], here = scan_at(cutter, now)->displacement;
    const double since_s = scan_at(cutter, now)->time_s - cutter->latest.value[LOOP_PERIOD];
    uint64_t before = now;
    while (before > turned && scan_at(cutter, before)->time_s > since_s)
        before--;
    if (fabs(here - scan_at(cutter, before)->displacement) <= fmax(LOOP_CLOSING_SHARE * stroke, cutter->least))
        return LOOP_CUT_REST;
    return fabs(here - scan_at(cutter, turned)->displacement) > (1 + LOOP_CLOSING_SHARE) * stroke ? LOOP_CUT_STROKE
                                                                                                  : LOOP_CUT_PERIOD;
}

static void see_rest(struct loop_cutter *cutter, uint64_t now)
{
    const struct loop_mark *turn = cutter->has_upper ? &cutter->upper : &cutter->lower;
    if (scan_at(cutter, now)->time_s - turn->centre_s <= resting_periods * cutter->latest.value[LOOP_PERIOD])
        return;
    const enum loop_cut_end why = why_no_turn(cutter, now, turn->sample);
    if (why == LOOP_CUT_REST && cutter->told)
        close_told(cutter, true, now);
    end_run(cutter, why, end_of_record(cutter));
    /* The loop that runs goes on while the drive moves, and is of another run. */
    if (why == LOOP_CUT_REST)
        start_anew(cutter, true);
}

/* After a long way in one direction, as a stage goes to where it then is driven to and fro, and after larger loops,
 * small swings are looked for once more. Where a run seems to rest, any of them counts. */
static void look_closer(struct loop_cutter *cutter, uint64_t now)
{
    const uint64_t turned = (uint64_t)cutter->turn.at;
    const struct loop_scan *scan = scan_at(cutter, now);
    const double since_s = scan->time_s - cutter->turn_s;
    const bool rests = cutter->runs && since_s > resting_periods * cutter->latest.value[LOOP_PERIOD];
    small_swings_take(&cutter->small, (double)now, scan->displacement);
    if (cutter->zigzag.direction == 0 || cutter->looked_closer || turned < cutter->scans.first ||
        !(rests || small_swings_count(&cutter->small, &cutter->zigzag, since_s, cutter->swing_s)))
        return;
    cutter->looked_closer = true;
    if (!(cutter->zigzag.hysteresis > cutter->least))
        return;
    zigzag_look_closer(&cutter->zigzag, cutter->turn, cutter->least);
    cutter->looked = turned + 1;
}

static void see_closing(struct loop_cutter *cutter, uint64_t now)
{
    const struct running_loop loop = running_loop(cutter);
    const struct extreme low = cutter->zigzag.low;
    if (running_loop_came_back(&loop, low.value) &&
        running_loop_closed(&loop, low.value, loop_end_prediction_s(&cutter->prediction, &loop, now), now))
        tell_loop(cutter, (uint64_t)low.at, now);
}

/* --- scans --- */

static bool moves_far(const struct loop_cutter *cutter)
{
    double lowest = INFINITY, highest = -INFINITY;
    for (size_t i = 0; i < cutter->scans.held; i++) {
        lowest = fmin(lowest, cutter->scans.scan[i].displacement);
        highest = fmax(highest, cutter->scans.scan[i].displacement);
    }
    return highest - lowest > swings_told * cutter->least;
}

/* Few scans tell too little of noise that lasts, and what was taken for reversals may be some of it: until a loop was
 * found all of them are gone through once more. */
static void look_again(struct loop_cutter *cutter)
{
    cutter->looked = scan_later(cutter->anew, cutter->scans.first);
    cutter->lower = cutter->upper = (struct loop_mark){.sample = cutter->looked};
    start_anew(cutter, cutter->rested);
}

static bool noise_is_known(const struct loop_cutter *cutter)
{
    const struct loop_scans *scans = &cutter->scans;
    const double passed_s = scans->scan[scans->held - 1].time_s - scans->scan[0].time_s;
    return passed_s >= told_from_s && (scans->next >= SCANS_TOLD || moves_far(cutter));
}

/* Where no loop came for so long, what seems noise may be loops that are small and fast against a way before them. */
enum { SCANS_WITHOUT = 4 * NOISE_EVERY };

static void look_at_noise(struct loop_cutter *cutter)
{
    struct loop_noises seen;
    const uint64_t next = cutter->scans.next;
    const bool begins = cutter->loops == 0 && !cutter->told && next <= SCANS_WITHOUT, doubts = next < SCANS_WITHOUT;
    cutter->noise_due = next < NOISE_EVERY ? 2 * next : next + NOISE_EVERY;
    if (!loop_scans_noise(&cutter->scans, &seen))
        return;
    cutter->noise = fmax(seen.noise, forgetting * cutter->noise);
    cutter->known =
        fmax(fmax(seen.least, forgetting * cutter->known), LOOP_FLICKER_STEPS * cutter->settings.resolution);
    cutter->least = fmax(cutter->known, !begins ? forgetting * cutter->least : doubts ? seen.most : 0);
    cutter->looks = cutter->looks || noise_is_known(cutter);
    if (begins)
        look_again(cutter);
    else
        cutter->zigzag.hysteresis = fmax(cutter->least, cutter->zigzag.hysteresis);
}

static void look_at_scan(struct loop_cutter *cutter)
{
    const uint64_t now = cutter->looked++;
    const double displacement = scan_at(cutter, now)->displacement;
    const bool is_first = cutter->zigzag.direction == 0;
    if (zigzag_take_adapting(&cutter->zigzag, (double)now, displacement, cutter->least))
        take_reversal(cutter, is_first, now);
    else if (cutter->has_upper && !cutter->told && cutter->zigzag.direction < 0)
        see_closing(cutter, now);
    look_closer(cutter, now);
    /* What seems to rest may go on in swings that are too small to count yet: only behind the closer look is it a rest,
     * and while the scans are gone through once more, the present one tells nothing. */
    if (cutter->runs && cutter->looked_closer && cutter->looked > now)
        see_rest(cutter, now);
}

/* Force and normal force reach so many scans beyond the one that they belong to. */
static uint64_t reach_of(const struct loop_cutter *cutter)
{
    const double earliest = fmin(cutter->settings.force_late, cutter->settings.normal_late);
    const bool shifted = cutter->settings.force_late != 0 || cutter->settings.normal_late != 0;
    return shifted ? (uint64_t)ceil(fmax(0, -earliest)) + 2 : 0;
}

/* The first scan that may still be needed. */
static uint64_t needed_from(const struct loop_cutter *cutter)
{
    const uint64_t back = (uint64_t)ceil(fmax(0, fmax(cutter->settings.force_late, cutter->settings.normal_late))) + 2;
    const uint64_t rest = scan_earlier(SCANS_AT_REST, cutter->settings.most_rows / 2);
    const uint64_t at_rest = cutter->scans.next - scan_earlier(cutter->scans.next, rest);
    const uint64_t from = cutter->runs ? cutter->run_start.before : cutter->has_lower ? cutter->lower.before : at_rest;
    const uint64_t needed = scan_earlier(from, cutter->looked);
    return needed > cutter->scans.first + back ? needed - back : cutter->scans.first;
}

/* A run that is too long ends; a loop that is too long is given up. */
static void make_room(struct loop_cutter *cutter)
{
    if (cutter->scans.held >= cutter->settings.most_rows && cutter->runs)
        end_run(cutter, LOOP_CUT_MAX_LENGTH, end_of_record(cutter));
    if (cutter->scans.next - needed_from(cutter) > cutter->settings.most_rows - cutter->settings.most_rows / 4 &&
        !cutter->runs && cutter->has_lower) {
        cutter->listener.given_up(cutter->listener.context, "loop_too_long");
        start_anew(cutter, false);
        loop_scans_forget(&cutter->scans, cutter->looked);
    }
    if (needed_from(cutter) - cutter->scans.first > cutter->scans.held / 2)
        loop_scans_forget(&cutter->scans, needed_from(cutter));
}

void loop_cutter_feed(struct loop_cutter *cutter, const struct loop_scan *scan)
{
    if (cutter->scans.held >= cutter->settings.most_rows || loop_scans_are_full(&cutter->scans))
        make_room(cutter);
    if (!loop_scans_add(&cutter->scans, scan)) {
        cutter->listener.given_up(cutter->listener.context, "no_memory");
        loop_cutter_break(cutter, LOOP_CUT_GAP);
        return;
    }
    if (cutter->scans.next >= cutter->noise_due)
        look_at_noise(cutter);
    for (int i = 0; i < LOOKED_AT_ONCE && cutter->looked + reach_of(cutter) < cutter->scans.next; i++)
        if (cutter->looks)
            look_at_scan(cutter);
}

void loop_cutter_break(struct loop_cutter *cutter, enum loop_cut_end reason)
{
    const bool noise_was_looked_at = cutter->noise_due > NOISE_FIRST;
    while (noise_was_looked_at && cutter->looked < cutter->scans.next)
        look_at_scan(cutter);
    if (cutter->told)
        close_told(cutter, false, cutter->looked - 1);
    end_run(cutter, reason, end_of_record(cutter));
    loop_scans_forget(&cutter->scans, cutter->scans.next);
    cutter->looked = cutter->scans.next;
    start_anew(cutter, false);
}

struct loop_cutter *loop_cutter_create(const struct loop_cutter_settings *settings,
                                       const struct loop_cutter_listener *listener)
{
    struct loop_cutter *cutter = calloc(1, sizeof *cutter);
    if (!cutter)
        return NULL;
    cutter->settings = *settings;
    cutter->listener = *listener;
    cutter->noise_due = NOISE_FIRST;
    start_anew(cutter, false);
    return cutter;
}

void loop_cutter_destroy(struct loop_cutter *cutter)
{
    if (cutter)
        loop_scans_clear(&cutter->scans);
    free(cutter);
}

bool loop_cutter_runs(const struct loop_cutter *cutter)
{
    return cutter->runs || cutter->told;
}

uint64_t loop_cutter_loops(const struct loop_cutter *cutter)
{
    return cutter->loops;
}
