/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_reversal.h"

#include "identify/common/sensor_steps.h"
#include "identify/common/small_least_squares.h"
#include "identify/loop/loop_corner.h"
#include "identify/loop/loop_rest.h"
#include "motion/zigzag.h"

#include <errno.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The first swing counts from this share of the range of the signal on. */
static const double first_share = 0.02;

/* The noise of two samples may put them so much farther from a vertex. */
static const double vertex_noise = 6;

/* A crest explains samples that it leaves no more of than noise would in all but one of a hundred cases, and a
 * twentieth for what the noise is not known to. */
static double explained(const struct loop_signal *signal, size_t samples)
{
    return 1.05 + 2.5 / sqrt(2 * fmax(1, ((double)samples - 4) / signal->memory));
}

/* Samples on either side of the vertex at least. */
enum { VERTEX_LEAST = 3 };

/* --- which samples --- */

static int add(struct loop_reversals *reversals, bool upper, size_t sample)
{
    if (reversals->count == reversals->capacity) {
        const size_t larger = reversals->capacity > 0 ? 2 * reversals->capacity : 64;
        struct loop_reversal *moved = realloc(reversals->reversal, larger * sizeof *moved);
        if (!moved)
            return -ENOMEM;
        reversals->reversal = moved;
        reversals->capacity = larger;
    }
    reversals->reversal[reversals->count++] = (struct loop_reversal){.upper = upper, .sample = sample};
    return 0;
}

static double range_of(const double *x, size_t count)
{
    double lowest = x[0], highest = x[0];
    for (size_t i = 1; i < count; i++) {
        lowest = fmin(lowest, x[i]);
        highest = fmax(highest, x[i]);
    }
    return highest - lowest;
}

/* The samples of a signal, from its beginning or from its end on. */
static size_t sample_at(const struct loop_signal *signal, bool backward, size_t i)
{
    return backward ? signal->count - 1 - i : i;
}

/* A walk from reversal to reversal. */
struct walk {
    const struct loop_signal *signal;
    bool backward;
    struct zigzag zigzag;
    struct small_swings small; /* since the latest reversal */
};

static void wait_for_small(struct walk *walk)
{
    walk->small = (struct small_swings){.zigzag = zigzag_with(walk->signal->least_swing)};
}

/* Of two reversals at least: where no swing comes any more that is large against the one before, smaller ones count,
 * from the latest reversal on. The walk goes on at `*i`, behind it. */
static void look_closer(struct walk *walk, const struct loop_reversals *reversals, size_t *i)
{
    const struct loop_signal *signal = walk->signal;
    const struct loop_reversal *latest = &reversals->reversal[reversals->count - 1];
    const size_t at = sample_at(signal, walk->backward, *i);
    const double *t = signal->time_s, since_s = fabs(t[at] - t[latest->sample]);
    const double swing_s = fabs(t[latest->sample] - t[latest[-1].sample]);
    small_swings_take(&walk->small, (double)at, signal->displacement[at]);
    if (!small_swings_count(&walk->small, &walk->zigzag, since_s, swing_s))
        return;
    const struct extreme reversal = {(double)latest->sample, signal->displacement[latest->sample]};
    zigzag_look_closer(&walk->zigzag, reversal, signal->least_swing);
    wait_for_small(walk);
    *i = sample_at(signal, walk->backward, latest->sample);
}

/* The first and the last are the ends of the signal, or next to them. */
static int walk_along(const struct loop_signal *signal, double first_swing, bool backward,
                      struct loop_reversals *reversals)
{
    struct walk walk = {.signal = signal, .backward = backward, .zigzag = zigzag_with(first_swing)};
    struct zigzag *zigzag = &walk.zigzag;
    int error = 0;
    reversals->count = 0;
    for (size_t i = 0; i < signal->count && !error; i++) {
        const size_t at = sample_at(signal, backward, i);
        if (zigzag_take_adapting(zigzag, (double)at, signal->displacement[at], signal->least_swing)) {
            error = add(reversals, zigzag->direction < 0, (size_t)zigzag_reversal(zigzag).at);
            wait_for_small(&walk);
        } else if (reversals->count > 1) {
            look_closer(&walk, reversals, &i);
        }
    }
    if (!error && zigzag->direction != 0)
        error = add(reversals, zigzag->direction > 0, (size_t)zigzag_farthest(zigzag).at);
    return error;
}

static void turn_round(struct loop_reversals *reversals)
{
    for (size_t i = 0; i < reversals->count / 2; i++) {
        const struct loop_reversal kept = reversals->reversal[i];
        reversals->reversal[i] = reversals->reversal[reversals->count - 1 - i];
        reversals->reversal[reversals->count - 1 - i] = kept;
    }
}

/* Fewer reversals are no loop: both ends of the signal are among them. */
enum { REVERSALS_OF_A_LOOP = 5 };

/* Behind a way that is long against all strokes, as of a stage that goes to where it then is driven to and fro, no
 * swing counts; from the end on, the way comes last. */
static int find_extremes(const struct loop_signal *signal, struct loop_reversals *reversals)
{
    const double first = fmax(signal->least_swing, first_share * range_of(signal->displacement, signal->count));
    int error = walk_along(signal, first, false, reversals);
    if (error || reversals->count >= REVERSALS_OF_A_LOOP)
        return error;
    const size_t found = reversals->count;
    error = walk_along(signal, signal->least_swing, true, reversals);
    turn_round(reversals);
    return error || reversals->count >= REVERSALS_OF_A_LOOP || reversals->count == found
               ? error
               : walk_along(signal, first, false, reversals);
}

/* --- when, and where --- */

/* 1, s, s^2 and s^4 over s = (time - middle)/half from -1 to 1: without the last a crest of a sine would seem lower by
 * 6e-4 of its amplitude where the window reaches to a fifth of that. */
enum { CREST_TERMS = 4 };

struct crest {
    double c[CREST_TERMS], inverse[SMALL_MAX][SMALL_MAX];
    double rms; /* of what it leaves */
};

static double fill_row(double s, double row[CREST_TERMS], const double c[CREST_TERMS])
{
    double sum = 0;
    row[0] = 1;
    row[1] = s;
    row[2] = s * s;
    row[3] = row[2] * row[2];
    for (int k = 0; k < CREST_TERMS; k++)
        sum += c[k] * row[k];
    return sum;
}

static bool fit_crest(const struct loop_signal *signal, size_t from, size_t to, struct crest *crest)
{
    const double middle = 0.5 * (signal->time_s[from] + signal->time_s[to]);
    const double half = 0.5 * (signal->time_s[to] - signal->time_s[from]), level = signal->displacement[from];
    struct small_least_squares equations = {.unknowns = CREST_TERMS};
    double row[CREST_TERMS], squares = 0;
    *crest = (struct crest){.rms = 0};
    for (size_t i = from; i <= to; i++) {
        fill_row((signal->time_s[i] - middle) / half, row, crest->c);
        small_least_squares_add(&equations, row, signal->displacement[i] - level);
    }
    if (!small_least_squares_solve(&equations, crest->c, crest->inverse))
        return false;
    for (size_t i = from; i <= to; i++) {
        const double fitted = fill_row((signal->time_s[i] - middle) / half, row, crest->c);
        squares += pow(signal->displacement[i] - level - fitted, 2);
    }
    crest->rms = sqrt(squares / (double)(to - from + 1 - CREST_TERMS));
    crest->c[0] += level;
    return true;
}

/* Where it is highest, or lowest, by Newton's steps, of which the first leads to the vertex of its parabola. 0 where it
 * has none within, as a level that the contact rests at. */
static double place_of(const double c[CREST_TERMS], double side)
{
    double s = 0, bend = 2 * c[2];
    for (int step = 0; step < 5; step++) {
        if (!(fabs(bend) > 0))
            return 0;
        s -= (c[1] + 2 * c[2] * s + 4 * c[3] * s * s * s) / bend;
        bend = 2 * c[2] + 12 * c[3] * s * s;
    }
    return fabs(s) <= 1 && side * bend > 0 ? s : 0;
}

static void take_vertex(const struct loop_signal *signal, size_t from, size_t to, const struct crest *crest,
                        struct loop_reversal *reversal)
{
    const double s = place_of(crest->c, reversal->upper ? -1 : 1);
    double row[CREST_TERMS], variance = 0;
    reversal->displacement = fill_row(s, row, crest->c);
    for (int i = 0; i < CREST_TERMS; i++)
        for (int j = 0; j < CREST_TERMS; j++)
            variance += row[i] * crest->inverse[i][j] * row[j];
    reversal->time_s =
        0.5 * (signal->time_s[from] + signal->time_s[to] + s * (signal->time_s[to] - signal->time_s[from]));
    reversal->se = loop_noise_of_sum(signal, variance);
}

/* So many samples on either side of the extreme one are near it, up to a gap; `most`: are there, up to a gap. */
static size_t reach_of(const struct loop_signal *signal, double swing, double cycle_s, size_t sample, size_t *most)
{
    const double *x = signal->displacement, *t = signal->time_s, gap_s = LOOP_GAP_SHARE * cycle_s;
    const double away = LOOP_VERTEX_SHARE * swing + vertex_noise * signal->wander;
    const size_t after = signal->count - 1 - sample, ends = sample < after ? sample : after;
    size_t reach = 0;
    for (*most = 0; *most < ends; (*most)++) {
        const size_t on = sample + *most, back = sample - *most;
        if (t[on + 1] - t[on] > gap_s || t[back] - t[back - 1] > gap_s)
            break;
        const bool near = fabs(x[on + 1] - x[sample]) < away && fabs(x[back - 1] - x[sample]) < away;
        if (near && reach == *most)
            reach++;
        else if (*most >= VERTEX_LEAST)
            break;
    }
    return reach < VERTEX_LEAST ? VERTEX_LEAST : reach;
}

/* No crest is farther out than its samples, but by their noise and what a crest rises between two of them. */
static bool is_within(const struct loop_signal *signal, size_t from, size_t to, double displacement)
{
    const double *x = signal->displacement;
    double lowest = x[from], highest = x[from];
    for (size_t i = from; i <= to; i++) {
        lowest = fmin(lowest, x[i]);
        highest = fmax(highest, x[i]);
    }
    const double beyond = vertex_noise * signal->wander + 0.5 * (highest - lowest);
    return displacement >= lowest - beyond && displacement <= highest + beyond;
}

/* What of a crest is off where it leaves more than the noise, over what it leaves: a crest of four terms through a
 * corner is four times as far from it. */
static const double off_by_rest = 4;

/* Where it turns back, by the window of so many samples on either side. False: neither fits. */
static bool fit_window(const struct loop_signal *signal, size_t reach, struct loop_reversal *reversal, double *rms)
{
    const size_t from = reversal->sample - reach, to = reversal->sample + reach;
    struct loop_reversal found = *reversal;
    struct loop_corner corner;
    struct crest crest;
    if (reversal->corner && loop_corner_fit(signal, from, reversal->sample, to, &corner)) {
        found.time_s = corner.time_s;
        found.displacement = corner.displacement;
        found.se = loop_noise_of_sum(signal, corner.variance);
        *rms = sqrt(corner.squares / (double)(2 * reach + 1 - CREST_TERMS));
    } else if (fit_crest(signal, from, to, &crest)) {
        take_vertex(signal, from, to, &crest, &found);
        *rms = crest.rms;
    } else {
        return false;
    }
    if (!is_within(signal, from, to, found.displacement))
        return false;
    *reversal = found;
    return true;
}

/* A crest of a sine leaves less than this share of its swing in the smallest window, where there is no noise. */
static const double crest_share = 1e-3;

/* By the widest window about the extreme sample that is explained; the smallest is taken in any case. */
static void find_vertex(const struct loop_signal *signal, double swing, double cycle_s, struct loop_reversal *reversal)
{
    const size_t sample = reversal->sample;
    struct loop_reversal found = *reversal;
    size_t most = 0, reach = reach_of(signal, swing, cycle_s, sample, &most);
    reversal->time_s = signal->time_s[sample];
    reversal->displacement = signal->displacement[sample];
    reversal->se = signal->wander;
    for (; reach <= most; reach = reach * 3 / 4 < VERTEX_LEAST ? VERTEX_LEAST : reach * 3 / 4) {
        double rms = 0;
        const bool fits = fit_window(signal, reach, &found, &rms);
        const bool explains = rms <= explained(signal, 2 * reach + 1) * signal->wander;
        if (fits && (explains || reach == VERTEX_LEAST)) {
            *reversal = found;
            reversal->se = explains ? found.se : hypot(found.se, off_by_rest * rms);
            if (explains || rms <= crest_share * swing) {
                reversal->first = sample - reach;
                reversal->last = sample + reach;
            }
        }
        if (reach == VERTEX_LEAST || (fits && explains))
            return;
    }
}

/* What a reversal is measured by. */
struct swing {
    double size, cycle_s;
};

static struct swing swing_of(const struct loop_signal *signal, const struct loop_reversals *reversals, size_t k)
{
    const size_t here = reversals->reversal[k].sample;
    const size_t before = reversals->reversal[k > 0 ? k - 1 : 1].sample;
    const size_t after = reversals->reversal[k + 1 < reversals->count ? k + 1 : k - 1].sample;
    const double *x = signal->displacement, *t = signal->time_s;
    return (struct swing){0.5 * (fabs(x[here] - x[before]) + fabs(x[here] - x[after])),
                          fabs(t[here] - t[before]) + fabs(t[after] - t[here])};
}

/* --- levels --- */

/* The samples about the extreme one that are away from it by no more than a share of the swing, up to a gap. */
static void top_of(const struct loop_signal *signal, double share, const struct swing *swing, size_t sample,
                   size_t ends[2])
{
    const double *x = signal->displacement, *t = signal->time_s, gap_s = LOOP_GAP_SHARE * swing->cycle_s;
    const double away = share * swing->size + vertex_noise * signal->wander;
    ends[0] = ends[1] = sample;
    while (ends[0] > 0 && fabs(x[ends[0] - 1] - x[sample]) < away && t[ends[0]] - t[ends[0] - 1] <= gap_s)
        ends[0]--;
    while (ends[1] + 1 < signal->count && fabs(x[ends[1] + 1] - x[sample]) < away &&
           t[ends[1] + 1] - t[ends[1]] <= gap_s)
        ends[1]++;
}

/* Lines and level have five terms. */
enum { LEVEL_TERMS = 5, LEVEL_SAMPLES_LEAST = 10 };

/* Its extreme sample is any of those at the level. */
static void take_level(const struct loop_signal *signal, const size_t ends[2], const struct loop_level *level,
                       struct loop_reversal *reversal)
{
    reversal->time_s = level->time_s;
    reversal->displacement = level->displacement;
    reversal->se = loop_noise_of_sum(signal, 1 / (double)level->samples);
    reversal->first = ends[0];
    reversal->last = ends[1];
    reversal->sample = ends[0];
    while (reversal->sample < ends[1] && signal->time_s[reversal->sample + 1] <= level->time_s)
        reversal->sample++;
}

/* The level is looked for among samples that are closer and closer to it, for the ways there need not be straight. */
static bool find_level(const struct loop_signal *signal, const struct swing *swing, struct loop_reversal *reversal)
{
    static const double shares[] = {LOOP_VERTEX_SHARE, LOOP_VERTEX_SHARE / 2, LOOP_VERTEX_SHARE / 4, 0};
    bool found = false;
    for (size_t k = 0; k < sizeof shares / sizeof *shares && !found; k++) {
        size_t ends[2];
        struct loop_level level;
        top_of(signal, shares[k], swing, reversal->sample, ends);
        const size_t samples = ends[1] + 1 - ends[0];
        found = samples >= LEVEL_SAMPLES_LEAST && loop_level_fit(signal, ends[0], ends[1], &level) &&
                sqrt(level.squares / (double)(samples - LEVEL_TERMS)) <= explained(signal, samples) * signal->wander;
        if (found)
            take_level(signal, ends, &level, reversal);
    }
    return found;
}

/* One reversal where the drive is changed does not outvote its neighbours. */
static const double evidence_most = 5;

/* Both curves have four terms, so that what they leave tells which is the better one. */
static double corner_evidence(const struct loop_signal *signal, double swing, double cycle_s, size_t sample)
{
    size_t most = 0;
    const size_t reach = reach_of(signal, swing, cycle_s, sample, &most);
    struct loop_corner corner;
    struct crest crest;
    if (reach > most || !fit_crest(signal, sample - reach, sample + reach, &crest) ||
        !loop_corner_fit(signal, sample - reach, sample, sample + reach, &corner))
        return 0;
    const double count = (double)(2 * reach + 1), rounding = count * pow(1e-12 * swing, 2);
    const double squares = crest.rms * crest.rms * (count - CREST_TERMS);
    const double evidence = 0.5 * count / signal->memory * log((squares + rounding) / (corner.squares + rounding));
    return fmax(-evidence_most, fmin(evidence, evidence_most));
}

/* Against the better one of crest and corner, which have a term less: by Bayes' information that costs half of the
 * logarithm of how many samples there are. What comes in steps that no noise blurs always stays. */
static double level_evidence(const struct loop_signal *signal, const struct swing *swing, size_t sample)
{
    size_t ends[2];
    struct loop_level level;
    struct loop_corner corner;
    struct crest crest;
    if (signal->rounding > 0 && !noise_blurs_steps(signal->wander, signal->step))
        return 0;
    top_of(signal, LOOP_VERTEX_SHARE, swing, sample, ends);
    const double count = (double)(ends[1] + 1 - ends[0]), independent = count / signal->memory;
    if (count < LEVEL_SAMPLES_LEAST || !fit_crest(signal, ends[0], ends[1], &crest))
        return 0;
    if (!loop_level_fit(signal, ends[0], ends[1], &level))
        return -evidence_most;
    double others = crest.rms * crest.rms * (count - CREST_TERMS);
    if (loop_corner_fit(signal, ends[0], ends[0] + (ends[1] - ends[0]) / 2, ends[1], &corner))
        others = fmin(others, corner.squares);
    const double rounding = count * pow(1e-12 * swing->size, 2);
    const double evidence =
        0.5 * independent * log((others + rounding) / (level.squares + rounding)) - 0.5 * log(fmax(1, independent));
    return fmax(-evidence_most, fmin(evidence, evidence_most));
}

/* --- all of them --- */

/* A drive turns back alike from one reversal to the next: so many on either side tell together, what the noise hides at
 * each, whether it does so at a corner. */
enum { ALIKE = 20 };

static void look_at(const struct loop_signal *signal, struct loop_reversals *reversals, size_t k, double samples)
{
    struct loop_reversal *reversal = &reversals->reversal[k];
    const struct swing swing = swing_of(signal, reversals, k);
    double corner = 0, level = 0;
    for (size_t i = k > ALIKE ? k - ALIKE : 0; i < reversals->count && i <= k + ALIKE; i++) {
        corner += reversals->reversal[i].evidence;
        level += reversals->reversal[i].level_evidence;
    }
    reversal->level = level > 0;
    reversal->corner = corner > 0 && !reversal->level;
    if (!reversal->level || !find_level(signal, &swing, reversal))
        find_vertex(signal, swing.size, swing.cycle_s, reversal);
    const struct loop_half_cycle half = {swing.size, swing.cycle_s, samples};
    loop_rest_find(signal, &half, reversal);
}

/* Samples from one reversal to the next, as a rule. 0: memory is short. */
static double usual_distance(const struct loop_reversals *reversals)
{
    double *distances = calloc(reversals->count, sizeof *distances);
    if (!distances)
        return 0;
    for (size_t k = 1; k < reversals->count; k++)
        distances[k - 1] = (double)(reversals->reversal[k].sample - reversals->reversal[k - 1].sample);
    gsl_sort(distances, 1, reversals->count - 1);
    const double usual = gsl_stats_median_from_sorted_data(distances, 1, reversals->count - 1);
    free(distances);
    return usual;
}

/* Nobody knows whether the signal turned back where it begins and ends, but where it rests there. */
static void drop_ends(struct loop_reversals *reversals)
{
    if (reversals->reversal[reversals->count - 1].rest_s == 0)
        reversals->count--;
    if (reversals->count > 0 && reversals->reversal[0].rest_s == 0)
        memmove(reversals->reversal, reversals->reversal + 1, --reversals->count * sizeof *reversals->reversal);
}

/* Two and more. 0 or -ENOMEM. */
static int look_at_all(const struct loop_signal *signal, struct loop_reversals *reversals)
{
    const double samples = usual_distance(reversals);
    for (size_t k = 0; k < reversals->count; k++) {
        const struct swing swing = swing_of(signal, reversals, k);
        reversals->reversal[k].evidence =
            corner_evidence(signal, swing.size, swing.cycle_s, reversals->reversal[k].sample);
        reversals->reversal[k].level_evidence = level_evidence(signal, &swing, reversals->reversal[k].sample);
    }
    for (size_t k = 0; k < reversals->count; k++)
        look_at(signal, reversals, k, samples);
    return samples > 0 ? 0 : -ENOMEM;
}

int loop_reversals_of(const struct loop_signal *signal, struct loop_reversals *reversals)
{
    *reversals = (struct loop_reversals){NULL, 0, 0};
    if (signal->count == 0 || find_extremes(signal, reversals) != 0)
        return signal->count == 0 ? 0 : -ENOMEM;
    if (reversals->count < 2) {
        reversals->count = 0;
        return 0;
    }
    const int error = look_at_all(signal, reversals);
    drop_ends(reversals);
    return error;
}

/* A loop that is told of while it still rests at its end will do so for as long as where it began. */
static void expect_rest(const struct loop_signal *signal, struct loop_reversal reversal[3])
{
    const double arrived_s = signal->time_s[reversal[2].arrived];
    if (reversal[2].left + 1 < signal->count || !(reversal[0].rest_s > 0) || reversal[0].pause)
        return;
    reversal[2].time_s = fmax(reversal[2].time_s, arrived_s + 0.5 * reversal[0].rest_s);
    reversal[2].rest_s = fmax(reversal[2].rest_s, reversal[0].rest_s);
    reversal[2].blur = reversal[0].blur;
}

int loop_reversals_at(const struct loop_signal *signal, const size_t extreme[3], struct loop_reversals *reversals)
{
    int error = 0;
    *reversals = (struct loop_reversals){NULL, 0, 0};
    for (size_t k = 0; k < 3 && !error; k++)
        error = add(reversals, k == 1, extreme[k]);
    if (!error)
        error = look_at_all(signal, reversals);
    if (!error)
        expect_rest(signal, reversals->reversal);
    return error;
}

void loop_reversals_clear(struct loop_reversals *reversals)
{
    free(reversals->reversal);
    *reversals = (struct loop_reversals){NULL, 0, 0};
}
