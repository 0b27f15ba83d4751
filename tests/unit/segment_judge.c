/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "segment_judge.h"

#include "identify/decay/record.h"

#include <math.h>
#include <stdio.h>

enum { MIN_HALF_CYCLES = 3 };

static double record_end(const struct decay *decay)
{
    return (double)decay->first_index + (double)decay->record.count - 1;
}

static double record_middle(const struct decay *decay)
{
    return (double)decay->first_index + (double)decay->record.count / 2;
}

/* What shows of X_0, which is about 1, when there is no noise at all: an asymptotic motion never ends, but the rounding
 * of numbers that carry an offset of up to 50 leaves no more than this to be asked for. */
#define EIGHT_DECADES 1e-8

/* The smallest swing that anybody could ask to be told from all that the electronics do. Of drift it is what that moves
 * in a cycle: twice what it adds to every other swing and takes from those between, as with hum. */
static double least_swing(const struct stream *stream)
{
    double cycle_s = stream->samples_per_cycle * stream->dt;
    double shows = fmax(swing_that_shows(&stream->sensor), fabs(stream->sensor.drift_per_s) * cycle_s);
    return fmax(shows, EIGHT_DECADES);
}

/* The extrema at which a record may begin: [first, last] of decay->extremum. */
struct starts {
    size_t first, last;
};

static size_t first_after(const struct true_decay *decay, double position)
{
    size_t j = 0;
    while (j < decay->extrema && decay->extremum[j] < position)
        j++;
    return j;
}

static struct starts allowed_starts(const struct stream *stream, const struct true_decay *decay)
{
    double cycle = stream->samples_per_cycle;
    bool free_at_once = decay->start == START_BLOW || decay->start == START_GAP;
    size_t released = first_after(decay, decay->released + (free_at_once ? 0 : 0.25 * cycle));
    struct starts starts = {released, released + (decay->start != START_HELD)};
    if (decay->usable > decay->released) {
        size_t usable = first_after(decay, decay->usable);
        starts.first = usable > released ? usable : released;
        starts.last = usable + 1 > starts.last ? usable + 1 : starts.last;
    }
    return starts;
}

static double swing_after(const struct true_decay *decay, size_t j)
{
    return j + 1 < decay->extrema ? fabs(decay->level[j + 1] - decay->level[j]) : 0;
}

/* Half cycles from extremum j on that show. */
static size_t half_cycles_to_see(const struct stream *stream, const struct true_decay *decay, size_t j, double times)
{
    double least = times * least_swing(stream);
    size_t n = 0;
    while (j + n + 1 < decay->extrema && swing_after(decay, j + n) >= least)
        n++;
    return n;
}

/* Whether the record begins at an extremum of the free motion, but within the half cycle that was to be dropped. */
static bool starts_early(const struct stream *stream, const struct true_decay *decay, const struct decay *piece)
{
    double first = piece->record.first_extremum_s / stream->dt, slack = 0.1 * stream->samples_per_cycle;
    size_t allowed = allowed_starts(stream, decay).first;
    double from = fmax(decay->released, decay->usable);
    for (size_t j = 0; j < allowed && j < decay->extrema; j++)
        if (decay->extremum[j] > from && fabs(first - decay->extremum[j]) <= slack && first >= from - slack)
            return true;
    return false;
}

static bool starts_well(const struct stream *stream, const struct true_decay *decay, const struct decay *piece)
{
    double first = piece->record.first_extremum_s / stream->dt;
    struct starts starts = allowed_starts(stream, decay);
    for (size_t j = starts.first; j <= starts.last && j < decay->extrema; j++)
        if (fabs(first - decay->extremum[j]) <= 0.1 * stream->samples_per_cycle)
            return true;
    return false;
}

/* The last full swing before the stop. */
static double last_swing(const struct true_decay *decay)
{
    return decay->extrema > 1 ? swing_after(decay, decay->extrema - 2) : 0;
}

/* Whether nothing happens for two cycles after the stop. */
static bool left_alone(const struct stream *stream, const struct true_decay *decay)
{
    size_t stop = (size_t)decay->stopped + 1, end = stop + (size_t)(2 * stream->samples_per_cycle);
    for (size_t i = stop; i < end && i < stream->count; i++)
        if ((stream->flags[i] & STREAM_LOST) || stream->marks[i] || fabs(stream->clean[i] - stream->clean[stop]) > 0)
            return false;
    return end < stream->count;
}

static bool is(const struct decay *piece, enum decay_end end)
{
    return piece->ended_by == end;
}

/* Whether a sample still arrives. Of a gap that nothing follows nobody hears. */
static bool goes_on_after(const struct stream *stream, double position)
{
    for (size_t i = (size_t)position + 1; i < stream->count; i++)
        if (!(stream->flags[i] & STREAM_LOST))
            return true;
    return false;
}

/* The name of the incident itself. */
static bool names_incident(const struct stream *stream, const struct true_decay *decay, const struct decay *piece)
{
    enum true_end end = decay->end;
    switch (end) {
    case END_REST:
        return is(piece, DECAY_END_REST);
    case END_CAUGHT:
    case END_BLOW: /* a blow may drive the sensor to its limit at once */
        return is(piece, DECAY_END_NEW_EXCITATION) || (end == END_BLOW && is(piece, DECAY_END_CLIPPED));
    case END_GAP:
        return is(piece, goes_on_after(stream, decay->stopped) ? DECAY_END_GAP : DECAY_END_END_OF_SOURCE);
    case END_STREAM:
        return is(piece, DECAY_END_END_OF_SOURCE);
    default: /* a sensor that stands still: no name is the right one */
        return true;
    }
}

/* Beyond doubt is: what happened while the motion showed twice as much as it must. Below that, a motion that sinks
 * into the noise may have ended by any of the two, but one without friction does not come to rest. */
static bool judge_name(const struct stream *stream, const struct true_decay *decay, const struct decay *piece)
{
    const struct plant *plant = &stream->plant;
    bool clear = last_swing(decay) >= 2 * least_swing(stream);
    bool stopped = is(piece, DECAY_END_NOISE_FLOOR) || (plant->x_k > 0 && is(piece, DECAY_END_REST));
    if (decay->end == END_REST && !left_alone(stream, decay))
        return true;
    /* Caught where friction might have held it. */
    bool might_rest = decay->end == END_CAUGHT && fabs(stream->clean[(size_t)decay->stopped]) < 2 * plant->x_s;
    if (clear)
        return names_incident(stream, decay, piece) || (might_rest && is(piece, DECAY_END_REST));
    return stopped || names_incident(stream, decay, piece);
}

/* Whether a record that goes on behind the end holds samples of another motion. A hand that takes the mass shortly
 * before an extremum slows it down as its spring does; until it leaves the free motion by half of what shows, or by a
 * hundredth of the last swing, nobody can tell. A sensor that stands still shows nothing of a mass that turns. Of a
 * motion that had sunk below what shows nobody can tell in which half cycle it came to rest. */
static bool runs_over(const struct stream *stream, const struct true_decay *decay, const struct decay *piece)
{
    enum { MOST = 4096 };
    double free_motion[MOST], most = fmax(least_swing(stream) / 2, 0.01 * last_swing(decay));
    size_t stop = (size_t)decay->stopped, end = (size_t)record_end(piece);
    if (!(record_end(piece) > decay->stopped + 0.1 * stream->samples_per_cycle))
        return false;
    if (decay->end == END_REST && record_end(piece) < decay->stopped + stream->samples_per_cycle)
        return last_swing(decay) >= least_swing(stream);
    if (end - stop > MOST || decay->end == END_REST || decay->end == END_GAP)
        return true;
    stream_left_alone(stream, decay, free_motion, end - stop);
    for (size_t i = 0; i < end - stop; i++) {
        double seen = stream->clean[decay->end == END_STUCK ? stop : stop + 1 + i];
        double free = decay->end == END_STUCK ? stream->clean[stop + 1 + i] : free_motion[i];
        if (fabs(seen - free) > most)
            return true;
    }
    return false;
}

/* The last extremum up to which twice the least swing shows. */
static bool is_cut_short(const struct stream *stream, const struct true_decay *decay, const struct decay *piece)
{
    size_t first = allowed_starts(stream, decay).last;
    size_t shows = first + half_cycles_to_see(stream, decay, first, 2);
    return shows < decay->extrema && record_end(piece) < decay->extremum[shows] - stream->samples_per_cycle;
}

/* Periods from the end of the decay, or of the record if that goes on for longer, to the decision. Only samples that
 * arrived count: nobody knows of a gap before it is over. */
static double lateness(const struct stream *stream, const struct true_decay *decay, const struct decay *piece,
                       size_t decided)
{
    double end = record_end(piece);
    if (piece->ended_by != DECAY_END_NOISE_FLOOR)
        end = fmax(end, decay->stopped);
    double arrived = (double)decided - end;
    for (size_t i = (size_t)end; i < decided; i++)
        arrived -= (stream->flags[i] & STREAM_LOST) != 0;
    return arrived / stream->samples_per_cycle;
}

/* The decay that a record is of: the one in which its middle lies. -1: none. */
static int decay_of(const struct stream *stream, const struct decay *piece)
{
    for (size_t i = 0; i < stream->decay_count; i++) {
        const struct true_decay *decay = &stream->decays[i];
        if (record_middle(piece) > decay->released && record_middle(piece) < decay->stopped)
            return (int)i;
    }
    return -1;
}

static struct tally judge_decay(const struct stream *stream, int number, const struct findings *findings,
                                double *latest)
{
    const struct true_decay *decay = &stream->decays[number];
    struct tally tally = {.decays = 1};
    tally.expected =
        half_cycles_to_see(stream, decay, allowed_starts(stream, decay).last, 1) >= (size_t)MIN_HALF_CYCLES;
    size_t pieces = 0;
    for (size_t i = 0; i < findings->count; i++) {
        const struct decay *piece = findings->decays[i];
        if (decay_of(stream, piece) != number)
            continue;
        double late = lateness(stream, decay, piece, findings->decided[i]);
        *latest = fmax(*latest, late);
        /* The pieces that a stream comes in are a fortieth of a cycle, or one sample. */
        tally.late += late > 2 + 1.0 / 40 + 1 / stream->samples_per_cycle;
        tally.overrun += runs_over(stream, decay, piece);
        if (pieces++ > 0)
            continue;
        tally.early = starts_early(stream, decay, piece);
        tally.misplaced = !tally.early && !starts_well(stream, decay, piece);
        tally.misnamed = tally.expected && !judge_name(stream, decay, piece);
        tally.cut_short = tally.expected && is_cut_short(stream, decay, piece);
    }
    tally.missed = tally.expected && pieces == 0;
    tally.twice = pieces > 1;
    return tally;
}

static void add(struct tally *sum, const struct tally *tally)
{
    sum->decays += tally->decays;
    sum->expected += tally->expected;
    sum->missed += tally->missed;
    sum->twice += tally->twice;
    sum->early += tally->early;
    sum->misplaced += tally->misplaced;
    sum->misnamed += tally->misnamed;
    sum->cut_short += tally->cut_short;
    sum->overrun += tally->overrun;
    sum->late += tally->late;
}

static void judge_spikes(const struct stream *stream, const struct decay *piece, struct verdicts *verdicts)
{
    for (size_t i = 0; i < piece->record.count; i++) {
        bool spike = stream->marks[piece->first_index + i] & MARK_SPIKE;
        bool flagged = piece->record.flags && (piece->record.flags[i] & SAMPLE_SPIKE);
        verdicts->spikes += spike;
        verdicts->spikes_missed += spike && !flagged;
        verdicts->samples += !spike;
        verdicts->samples_blamed += !spike && flagged;
    }
}

void judge(const struct lab *lab, const struct findings *findings, struct verdicts *verdicts)
{
    const struct stream *stream = lab->stream;
    for (size_t i = 0; i < stream->decay_count; i++) {
        struct tally tally = judge_decay(stream, (int)i, findings, &verdicts->latest);
        add(&verdicts->all, &tally);
        add(&verdicts->by_start[stream->decays[i].start], &tally);
        add(&verdicts->by_end[stream->decays[i].end], &tally);
        add(&verdicts->by_electronics[lab->electronics], &tally);
        if (stream->decays[i].start == START_HELD && stream->decays[i].end == END_REST)
            add(&verdicts->plain, &tally);
    }
    for (size_t i = 0; i < findings->count; i++) {
        verdicts->invented += decay_of(stream, findings->decays[i]) < 0;
        judge_spikes(stream, findings->decays[i], verdicts);
    }
}

size_t verdicts_faults(const struct verdicts *verdicts)
{
    const struct tally *all = &verdicts->all;
    return all->missed + all->twice + all->early + all->misplaced + all->misnamed + all->cut_short + all->overrun +
           all->late + verdicts->invented + verdicts->spikes_missed;
}

static void print_fault(const char *what, size_t before, size_t after)
{
    if (after > before)
        printf(", %zu %s", after - before, what);
}

void verdicts_print_seed(const char *kind, uint64_t seed, const struct verdicts *before, const struct verdicts *after)
{
    printf("tests/unit/long_segmenter %s %lu: ", kind, (unsigned long)seed);
    printf("%zu decays", after->all.decays - before->all.decays);
    print_fault("missed", before->all.missed, after->all.missed);
    print_fault("twice", before->all.twice, after->all.twice);
    print_fault("early", before->all.early, after->all.early);
    print_fault("misplaced", before->all.misplaced, after->all.misplaced);
    print_fault("misnamed", before->all.misnamed, after->all.misnamed);
    print_fault("cut short", before->all.cut_short, after->all.cut_short);
    print_fault("overrun", before->all.overrun, after->all.overrun);
    print_fault("late", before->all.late, after->all.late);
    print_fault("invented", before->invented, after->invented);
    print_fault("spikes missed", before->spikes_missed, after->spikes_missed);
    printf("\n");
}

static void print_tally(const char *what, const struct tally *tally)
{
    printf("%-18s %7zu %8zu %6zu %5zu %5zu %9zu %8zu %9zu %7zu %5zu\n", what, tally->decays, tally->expected,
           tally->missed, tally->twice, tally->early, tally->misplaced, tally->misnamed, tally->cut_short,
           tally->overrun, tally->late);
}

static const char *const start_names[TRUE_STARTS] = {
    [START_HELD] = "from a hold", [START_MOVING] = "in full motion", [START_BLOW] = "by a blow", [START_GAP] = "gap"};
static const char *const end_names[TRUE_ENDS] = {
    [END_REST] = "rest",        [END_CAUGHT] = "caught",      [END_BLOW] = "blow",
    [END_GAP] = "lost samples", [END_STUCK] = "sensor stuck", [END_STREAM] = "end of stream"};

void verdicts_print(const struct verdicts *verdicts)
{
    printf("                    decays expected missed twice early misplaced misnamed cut short overrun  late\n");
    for (int i = 0; i < TRUE_STARTS; i++)
        print_tally(start_names[i], &verdicts->by_start[i]);
    for (int i = 0; i < TRUE_ENDS; i++)
        print_tally(end_names[i], &verdicts->by_end[i]);
    for (int i = 0; i < ELECTRONICS; i++)
        print_tally(electronics_name((enum electronics)i), &verdicts->by_electronics[i]);
    print_tally("hold to rest", &verdicts->plain);
    print_tally("all", &verdicts->all);
    printf("%zu invented; %zu of %zu spikes missed, %zu of %zu good samples called spikes; latest decision %.2f "
           "periods after the end\n",
           verdicts->invented, verdicts->spikes_missed, verdicts->spikes, verdicts->samples_blamed, verdicts->samples,
           verdicts->latest);
}

static void explain_decay(const struct stream *stream, const struct true_decay *decay)
{
    struct starts starts = allowed_starts(stream, decay);
    printf("truth: %s at %.1f, until %.1f (%s); %zu extrema", start_names[decay->start], decay->released,
           decay->stopped, end_names[decay->end], decay->extrema);
    if (starts.first < decay->extrema)
        printf(", begins at %.2f", decay->extremum[starts.first]);
    if (starts.last > starts.first && starts.last < decay->extrema)
        printf(" or %.2f", decay->extremum[starts.last]);
    printf(", then %zu half cycles to see, first %.3g, last %.3g\n", half_cycles_to_see(stream, decay, starts.last, 1),
           swing_after(decay, starts.first), last_swing(decay));
}

void judge_explain(const struct lab *lab, const struct findings *findings)
{
    const struct stream *stream = lab->stream;
    const struct sensor *sensor = &stream->sensor;
    printf("%zu samples, %.2f a cycle, %.4g Hz; zeta %.4g, x_k %.4g, x_s %.4g; noise %.3g, step %.3g, gain %.3g, "
           "offset %.3g; electronics: %s; a swing of %.3g shows\n",
           stream->count, stream->samples_per_cycle, stream->plant.omega_n / (2 * M_PI), stream->plant.zeta,
           stream->plant.x_k, stream->plant.x_s, sensor->noise, sensor->step, sensor->gain, sensor->offset,
           electronics_name(lab->electronics), least_swing(stream));
    for (size_t i = 0; i < stream->decay_count; i++)
        explain_decay(stream, &stream->decays[i]);
    for (size_t i = 0; i < findings->count; i++) {
        const struct decay *decay = findings->decays[i];
        printf("found: extremum at %.2f, until %.0f, %zu half cycles, ended by %s, decided at %zu; released at %.1f; "
               "of decay %d\n",
               decay->record.first_extremum_s / stream->dt, record_end(decay), decay->half_cycles,
               decay_end_name(decay->ended_by), findings->decided[i], decay->released_s / stream->dt,
               decay_of(stream, decay));
    }
    for (int reason = 0; reason < DROP_REASONS; reason++)
        printf("%s %lu; ", drop_reason_name((enum drop_reason)reason), (unsigned long)findings->state.drops[reason]);
    printf("noise floor %.3g\n", findings->state.noise_floor);
}

void parameters_print(const struct parameters *sum)
{
    printf("parameters: %zu records, %zu refused with a verdict, %zu off by more than five standard errors\n",
           sum->records, sum->refused, sum->outside);
}
