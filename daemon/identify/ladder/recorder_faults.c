/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/recorder_faults.h"

#include "identify/ladder/ladder_estimate.h"
#include "motion/small_cholesky.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A step is as many standard errors, and the amplitude does not jump there by more than is usual. Of as many places as
 * a record has, noise alone makes one of 4. */
static const double ERRORS_LEAST = 6, GAIN_MOST = 3;

/* With the clock put right, at most this part is left of what was wrong with the phase beyond noise: friction that
 * wanders moves the phase as well, but not once and for all. */
static const double LEFT_MOST = 0.25;

/* Of a phase that wanders by normal jumps, no cycle of a thousand jumps by as many times the usual. */
static const double SHARP = 4.5;

/* Stairs that follow a slow wander make the phase jump back at each: half of a step tells one from the other. */
static const double BACK_MOST = 0.5;

enum { ROUNDS = 6, PASSES = 40 };
static const double THERE = 1e-8;

/* A step that moves by this part of its standard error moves nothing else. */
static const double SMALL = 0.1;

static size_t sample_at(const struct ladder_data *data, double time)
{
    size_t n = 0;
    while (n < data->count && data->time[n] < time)
        n++;
    return n;
}

/* What a step of the clock before each sample in a range would explain beside all parameters of a rung: the shape of
 * the step is the derivative by t_0, up to there. */
struct search {
    struct ladder_data *data;
    const struct ladder_rung *rung;
    const struct small_cholesky *cholesky;
    size_t from, to, stepped,
        turned; /* stepped, turned: from what sample and extremum the data are put right, by lost */
    double lost;
    double row[LADDER_PARAMETERS], squares, residual; /* sums of products with the shape, up to the next sample */
    double gradient[LADDER_PARAMETERS];               /* J'r, of residuals that the step is still in */
    size_t next, best;
    double gain, size, variance; /* of the best one. variance: for residuals of variance 1 */
    double first, last, enough;  /* times of those that explain nearly as much, by less than enough */
};

static void take_gradient(void *taker, const struct ladder_block *block)
{
    struct search *search = taker;
    for (size_t i = 0; i < block->count; i++, search->next++) {
        const double still = search->next >= search->stepped ? search->lost * block->row[LADDER_T0][i] : 0;
        for (size_t p = 0; p < LADDER_PARAMETERS; p++)
            search->gradient[p] += block->row[p][i] * (block->residual[i] - still);
    }
}

static void judge_place(struct search *search)
{
    double solved[LADDER_PARAMETERS] = {0};
    const double own = search->squares - cholesky_solve(search->cholesky, search->row, solved);
    double explained = search->residual;
    for (size_t p = 0; p < LADDER_PARAMETERS; p++)
        explained -= solved[p] * search->gradient[p];
    const double gain = own > 0 ? explained * explained / own : 0, time = search->data->time[search->next];
    if (gain > search->gain) {
        search->gain = gain;
        search->best = search->next;
        search->size = explained / own;
        search->variance = 1 / own;
    }
    if (search->enough > 0 && gain >= search->enough) {
        search->first = fmin(search->first, time);
        search->last = fmax(search->last, time);
    }
}

static void take_places(void *taker, const struct ladder_block *block)
{
    struct search *search = taker;
    for (size_t i = 0; i < block->count; i++, search->next++) {
        if (search->next >= search->from && search->next < search->to)
            judge_place(search);
        const double shape = block->row[LADDER_T0][i];
        const double still = search->next >= search->stepped ? search->lost * shape : 0;
        for (size_t p = 0; p < LADDER_PARAMETERS; p++)
            search->row[p] += shape * block->row[p][i];
        search->squares += shape * shape;
        search->residual += shape * (block->residual[i] - still);
    }
}

/* The best place; and again, how far from it a step would explain as much but for `less`. */
static bool search_places(struct search *search, double less)
{
    struct small_cholesky cholesky;
    bool free[LADDER_PARAMETERS];
    const struct search empty = {.data = search->data,
                                 .rung = search->rung,
                                 .from = search->from,
                                 .to = search->to,
                                 .stepped = search->stepped,
                                 .turned = search->turned,
                                 .lost = search->lost,
                                 .first = INFINITY,
                                 .last = -INFINITY,
                                 .enough = less > 0 ? search->gain - less : 0,
                                 .cholesky = &cholesky};
    const struct ladder_rung *rung = search->rung;
    *search = empty;
    ladder_free(rung->terms, rung->parameters, &rung->normal, free);
    if (!cholesky_factorise(&rung->normal.matrix[0][0], LADDER_PARAMETERS, free, 0, 1e-14, &cholesky) ||
        !ladder_samples(search->data, rung->terms, rung->parameters, take_gradient, search))
        return false;
    search->next = 0;
    return ladder_samples(search->data, rung->terms, rung->parameters, take_places, search) && search->gain > 0;
}

/* Moves all times behind the step. */
static void shift(const struct search *search, double by)
{
    ladder_data_shift(search->data, search->stepped, search->turned, by);
}

/* Takes the step out of the data and puts another one in. */
static void step_at(struct search *search, size_t sample, double lost)
{
    const struct ladder_data *data = search->data;
    shift(search, -search->lost);
    const double time = sample < data->count ? data->time[sample] : INFINITY;
    search->stepped = sample;
    search->lost = lost;
    search->turned = 0;
    while (search->turned < data->extrema && data->extremum_time[search->turned] < time)
        search->turned++;
    shift(search, lost);
}

static void step_nowhere(struct search *search)
{
    step_at(search, search->data->count, 0);
}

static void search_between(const struct ladder_data *data, double from, double to, struct search *search)
{
    search->from = sample_at(data, from);
    search->to = sample_at(data, to);
}

/* A cycle and a half on each side. */
static void search_around(const struct ladder_data *data, double time, struct search *search)
{
    search_between(data, time - 3 * M_PI, time + 3 * M_PI, search);
}

/* The whole record but its first and last cycle: there, a step is as good as other values of x0 and t0. False: noise
 * makes as much. */
static bool search_all(const struct ladder_data *data, const struct ladder_cycles *cycles, struct search *search)
{
    search_between(data, data->time[0] + 2 * M_PI, data->time[data->count - 1] - 2 * M_PI, search);
    if (!search_places(search, 0) || !(search->gain > ERRORS_LEAST * ERRORS_LEAST * cycles->variance))
        return false;
    search_around(data, data->time[search->best], search);
    return true;
}

/* The squares of the delays, of which noise makes the variance of a residual a cycle. */
static double delays_of(const struct ladder_cycles *cycles, double *known)
{
    double squares = 0;
    *known = 0;
    for (size_t n = 0; n < cycles->count; n++) {
        const struct ladder_cycle *cycle = &cycles->cycle[n];
        squares +=
            cycle->known ? cycle->value[CYCLE_DELAY] * cycle->value[CYCLE_DELAY] / cycle->variance[CYCLE_DELAY] : 0;
        *known += cycle->known;
    }
    return squares;
}

/* Whether the amplitude goes on as before, past the step. */
static bool amplitude_goes_on(const struct ladder_cycles *cycles, const struct search *search)
{
    const size_t at = search->turned > 0 ? search->turned - 1 : 0;
    return !(fabs(ladder_cycles_jump(cycles, CYCLE_GAIN, at)) > GAIN_MOST * cycles->scale[CYCLE_GAIN]);
}

bool clock_phase_is_right(const struct ladder_cycles *before, const struct ladder_cycles *behind)
{
    double known, left;
    const double delays = delays_of(before, &known), noise = known * behind->variance;
    return delays_of(behind, &left) - left * behind->variance < LEFT_MOST * (delays - noise);
}

bool clock_step_is_sharp(const struct ladder_data *data, const struct ladder_cycles *cycles,
                         const struct clock_step *step)
{
    const size_t at = step->extremum > 0 ? step->extremum - 1 : 0;
    const double se = ladder_cycles_jump_error(cycles, CYCLE_DELAY, at);
    const double size = fabs(step->lost_s.value / data->unit_s);
    const double back = fabs(ladder_cycles_jump(cycles, CYCLE_DELAY, at)) * se;
    return size > SHARP * cycles->scale[CYCLE_DELAY] * se && back < BACK_MOST * size;
}

struct clock_step clock_step_none(void)
{
    const struct estimate undetermined = {.value = NAN, .se = NAN, .low = NAN, .high = NAN};
    return (struct clock_step){.time_s = undetermined, .lost_s = undetermined};
}

/* The errors, by how the delay scatters from cycle to cycle when all is put right. */
static void state_step(const struct ladder_data *data, const struct ladder_cycles *cycles, struct search *search,
                       struct clock_step *step)
{
    const double spread = cycles->variance * cycles->scale[CYCLE_DELAY] * cycles->scale[CYCLE_DELAY];
    const double lost_s = search->lost * data->unit_s, se = sqrt(spread * search->variance) * data->unit_s;
    const double time_s = data->origin_s + (data->time[search->stepped] - search->lost) * data->unit_s;
    *step = clock_step_none();
    if (!(fabs(lost_s) >= ERRORS_LEAST * se) || !search_places(search, 0) || !search_places(search, spread))
        return;
    const double spacing = data->time[search->stepped] - data->time[search->stepped - 1] - search->lost;
    const double time_se = 0.5 * (search->last - search->first + fabs(spacing)) * data->unit_s;
    step->found = true;
    step->sample = search->stepped;
    step->extremum = search->turned;
    step->lost_s = ladder_two_sided(lost_s, se);
    step->time_s = ladder_two_sided(time_s, time_se);
}

/* Whether the best step is the one that the data are put right by. */
static bool stays(const struct search *search)
{
    const double variance = search->rung->normal.squares / (double)search->data->count * search->variance;
    return search->best == search->stepped && fabs(search->size - search->lost) <= SMALL * sqrt(variance);
}

/* Residuals by the times as they are recorded, and as they all would be behind the step. */
struct placing {
    size_t next, first, to, best; /* the place is looked for in [first, to) */
    double *before;               /* squares of the former */
    double sum, least;
};

static void note_squares(void *taker, const struct ladder_block *block)
{
    struct placing *placing = taker;
    for (size_t i = 0; i < block->count; i++, placing->next++)
        placing->before[placing->next] = block->residual[i] * block->residual[i];
}

static void compare_squares(void *taker, const struct ladder_block *block)
{
    struct placing *placing = taker;
    for (size_t i = 0; i < block->count; i++, placing->next++) {
        if (placing->next >= placing->first && placing->next < placing->to && placing->sum < placing->least) {
            placing->least = placing->sum;
            placing->best = placing->next;
        }
        placing->sum += placing->before[placing->next] - block->residual[i] * block->residual[i];
    }
}

/* A step by more than this, in units of 1/omega_n, moves the model by more than its derivative says. */
static const double LINEAR = 0.1;

/* Puts such a step where it leaves least, without the help of derivatives. */
static enum verdict place_long(struct search *search)
{
    const struct ladder_rung *rung = search->rung;
    const double lost = search->lost;
    struct placing placing = {.first = search->from, .to = search->to, .best = search->stepped, .least = INFINITY};
    placing.before = calloc(search->data->count, sizeof *placing.before);
    if (!placing.before)
        return VERDICT_NO_MEMORY;
    step_nowhere(search);
    ladder_samples(search->data, rung->terms, rung->parameters, note_squares, &placing);
    step_at(search, 0, lost);
    placing.next = 0;
    ladder_samples(search->data, rung->terms, rung->parameters, compare_squares, &placing);
    free(placing.before);
    step_at(search, placing.best, lost);
    search->from = placing.best;
    search->to = placing.best + 1;
    return VERDICT_OK;
}

/* A rung and a step of the clock, one after the other until neither moves. */
static enum verdict repair(struct ladder_rung *rung, const atomic_bool *cancel, struct search *search)
{
    for (int round = 0; round < ROUNDS; round++) {
        if (fabs(search->lost) > LINEAR && place_long(search) != VERDICT_OK)
            return VERDICT_NO_MEMORY;
        if (!search_places(search, 0) || search->best == 0)
            return VERDICT_NOT_CONVERGED;
        if (rung->verdict == VERDICT_OK && stays(search))
            break;
        step_at(search, search->best, search->size);
        rung->verdict = ladder_minimise(ladder_sample_pass, search->data, rung->terms, THERE, PASSES, cancel,
                                        rung->parameters, &rung->normal);
        if (rung->verdict == VERDICT_CANCELLED)
            break;
    }
    return rung->verdict;
}

/* A fit that does not converge finds nothing better. Any other way to fail says nothing about the step. */
static enum verdict searched(enum verdict verdict)
{
    return verdict == VERDICT_NOT_CONVERGED ? VERDICT_OK : verdict;
}

enum verdict clock_step_repair(struct ladder_data *data, struct ladder_rung *rung, const struct ladder_cycles *cycles,
                               const atomic_bool *cancel, struct clock_step *step)
{
    const struct ladder_rung before = *rung;
    struct search search = {.data = data, .rung = rung, .stepped = data->count, .turned = data->extrema};
    struct ladder_cycles behind;
    *step = clock_step_none();
    if (cycles->count < RECORDER_CYCLES_LEAST || !search_all(data, cycles, &search))
        return VERDICT_OK;
    enum verdict verdict = repair(rung, cancel, &search);
    if (verdict == VERDICT_OK)
        verdict = ladder_cycles_from(data, rung, &behind);
    if (verdict == VERDICT_OK) {
        if (amplitude_goes_on(&behind, &search))
            state_step(data, &behind, &search, step);
        ladder_cycles_clear(&behind);
    }
    if (!step->found) {
        step_nowhere(&search);
        *rung = before;
    }
    return searched(verdict);
}

static bool moved(const struct clock_step *before, const struct clock_step *step)
{
    return step->found != before->found || step->sample != before->sample ||
           fabs(step->lost_s.value - before->lost_s.value) > SMALL * step->lost_s.se;
}

enum verdict clock_step_refine(struct ladder_data *data, struct ladder_rung *rung, const atomic_bool *cancel,
                               struct clock_step *step, bool *again)
{
    const struct ladder_rung rung_before = *rung;
    const struct clock_step before = *step;
    const double lost = before.lost_s.value / data->unit_s;
    struct search search = {
        .data = data, .rung = rung, .stepped = before.sample, .turned = before.extremum, .lost = lost};
    struct ladder_cycles cycles;
    search_around(data, data->time[before.sample], &search);
    enum verdict verdict = repair(rung, cancel, &search);
    if (verdict == VERDICT_OK)
        verdict = ladder_cycles_from(data, rung, &cycles);
    if (verdict == VERDICT_OK) {
        *step = clock_step_none();
        if (amplitude_goes_on(&cycles, &search))
            state_step(data, &cycles, &search, step);
        ladder_cycles_clear(&cycles);
        if (!step->found)
            step_nowhere(&search);
    } else {
        step_at(&search, before.sample, lost);
        *rung = rung_before;
    }
    *again = moved(&before, step);
    return searched(verdict);
}
