/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/clock_steps.h"

#include "identify/ladder/ladder_estimate.h"
#include "motion/small_cholesky.h"

#include <math.h>

_Static_assert((int)LADDER_PARAMETERS + CLOCK_STEPS <= CHOLESKY_MOST, "the errors of all steps need room");

/* As many steps are put right together where one alone leaves the phase wrong; ROUNDS times each beside the others. */
enum { TOGETHER = 4, ROUNDS = 4 };

void clock_steps_add(struct clock_steps *steps, const struct clock_step *step)
{
    size_t at = steps->count++;
    for (; at > 0 && steps->step[at - 1].sample > step->sample; at--)
        steps->step[at] = steps->step[at - 1];
    steps->step[at] = *step;
}

static void take_out(struct clock_steps *steps, size_t at)
{
    for (steps->count--; at < steps->count; at++)
        steps->step[at] = steps->step[at + 1];
}

static void shift(struct ladder_data *data, const struct clock_step *step, double sign)
{
    ladder_data_shift(data, step->sample, step->extremum, sign * step->lost_s.value / data->unit_s);
}

static void put_right(struct ladder_data *data, const struct clock_steps *steps, double sign)
{
    for (size_t n = 0; n < steps->count; n++)
        shift(data, &steps->step[n], sign);
}

size_t clock_steps_forget_ideas(struct ladder_data *data, struct clock_steps *steps)
{
    const size_t before = steps->count;
    put_right(data, steps, -1);
    for (size_t n = steps->count; n-- > 0;)
        if (!isfinite(steps->step[n].lost_s.se))
            take_out(steps, n);
    put_right(data, steps, 1);
    return before - steps->count;
}

/* Within a cycle and a half, a step is what is left of another one in a wrong place. */
static const double APART = 3 * M_PI;

/* Of two steps that are not apart the smaller one is taken out. Returns whether there were any. */
static bool join_close(struct ladder_data *data, struct clock_steps *steps)
{
    const size_t before = steps->count;
    for (size_t n = steps->count; n-- > 1;) {
        const struct clock_step *last = &steps->step[n], *next = last - 1;
        if (fabs(data->time[last->sample] - data->time[next->sample]) > APART)
            continue;
        const size_t smaller = fabs(last->lost_s.value) < fabs(next->lost_s.value) ? n : n - 1;
        shift(data, &steps->step[smaller], -1);
        take_out(steps, smaller);
    }
    return steps->count < before;
}

enum verdict clock_steps_refine(struct ladder_data *data, struct ladder_rung *rung, const atomic_bool *cancel,
                                struct clock_steps *steps, bool *again)
{
    *again = false;
    for (size_t n = steps->count; n-- > 0;) {
        bool moved = false;
        const enum verdict verdict = clock_step_refine(data, rung, cancel, &steps->step[n], &moved);
        if (verdict != VERDICT_OK)
            return verdict;
        *again = *again || moved;
        if (!steps->step[n].found)
            take_out(steps, n);
    }
    *again = join_close(data, steps) || *again;
    return VERDICT_OK;
}

/* One more step, and all again beside it. */
static enum verdict add_one(struct ladder_data *data, struct ladder_rung *rung, const atomic_bool *cancel,
                            struct clock_steps *steps, bool *added)
{
    struct ladder_cycles cycles;
    struct clock_step step;
    *added = false;
    enum verdict verdict = ladder_cycles_from(data, rung, &cycles);
    if (verdict != VERDICT_OK)
        return verdict;
    verdict = clock_step_repair(data, rung, &cycles, cancel, &step);
    ladder_cycles_clear(&cycles);
    if (!step.found)
        return verdict;
    const size_t before = steps->count;
    clock_steps_add(steps, &step);
    bool again = steps->count > 1;
    for (int round = 0; again && verdict == VERDICT_OK && round < ROUNDS; round++)
        verdict = clock_steps_refine(data, rung, cancel, steps, &again);
    *added = steps->count > before;
    return verdict;
}

/* Whether the further steps may be there: together they make the phase right, and where there are several in the
 * record, each one stands out from what the phase does anywhere else, as those that imitate a wander do not. */
static enum verdict explain(const struct ladder_data *data, const struct ladder_rung *rung,
                            const struct ladder_cycles *before, const struct clock_steps *steps, bool *explained)
{
    struct ladder_cycles behind;
    const enum verdict verdict = ladder_cycles_from(data, rung, &behind);
    if (verdict != VERDICT_OK)
        return verdict;
    *explained = clock_phase_is_right(before, &behind);
    for (size_t n = 0; steps->count > 1 && n < steps->count; n++)
        *explained = *explained && clock_step_is_sharp(data, &behind, &steps->step[n]);
    ladder_cycles_clear(&behind);
    return VERDICT_OK;
}

/* As few further steps as make the phase right. */
static enum verdict find_together(struct ladder_data *data, struct ladder_rung *rung, const atomic_bool *cancel,
                                  struct clock_steps *steps, bool *found)
{
    const struct clock_steps steps_before = *steps;
    const struct ladder_rung rung_before = *rung;
    struct ladder_cycles before;
    enum verdict verdict = ladder_cycles_from(data, rung, &before);
    bool added = verdict == VERDICT_OK;
    *found = false;
    while (verdict == VERDICT_OK && added && !*found && steps->count < CLOCK_STEPS &&
           steps->count < steps_before.count + TOGETHER) {
        verdict = add_one(data, rung, cancel, steps, &added);
        if (verdict == VERDICT_OK && added)
            verdict = explain(data, rung, &before, steps, found);
    }
    if (!*found) {
        put_right(data, steps, -1);
        put_right(data, &steps_before, 1);
        *steps = steps_before;
        *rung = rung_before;
    }
    ladder_cycles_clear(&before);
    return verdict;
}

enum verdict clock_steps_find(struct ladder_data *data, struct ladder_rung *rung, const atomic_bool *cancel,
                              struct clock_steps *steps)
{
    enum verdict verdict = VERDICT_OK;
    bool found = true;
    while (found && verdict == VERDICT_OK)
        verdict = find_together(data, rung, cancel, steps, &found);
    return verdict;
}

/* --- errors --- */

enum { UNKNOWNS = LADDER_PARAMETERS + CLOCK_STEPS };

/* Normal equations of the parameters and the steps, of which each has the shape of t_0's derivative behind it. */
struct gathering {
    const struct clock_steps *steps;
    size_t next;
    double matrix[UNKNOWNS][UNKNOWNS];
};

static void gather_sample(const struct ladder_block *block, size_t i, struct gathering *gathering)
{
    double row[UNKNOWNS] = {0};
    for (size_t p = 0; p < LADDER_PARAMETERS; p++)
        row[p] = block->row[p][i];
    for (size_t n = 0; n < gathering->steps->count; n++)
        row[LADDER_PARAMETERS + n] = gathering->next >= gathering->steps->step[n].sample ? row[LADDER_T0] : 0;
    for (size_t p = 0; p < UNKNOWNS; p++)
        for (size_t q = 0; q <= p; q++)
            gathering->matrix[p][q] += row[p] * row[q];
}

static void gather(void *taker, const struct ladder_block *block)
{
    struct gathering *gathering = taker;
    for (size_t i = 0; i < block->count; i++, gathering->next++)
        gather_sample(block, i, gathering);
}

/* Of one step's size, for residuals of variance 1; NAN where it is not told from the rest. */
static double step_variance(const struct gathering *gathering, const bool free[UNKNOWNS], size_t step)
{
    struct small_cholesky cholesky;
    double unit[UNKNOWNS] = {0}, answer[UNKNOWNS] = {0};
    if (!cholesky_factorise(&gathering->matrix[0][0], UNKNOWNS, free, 0, 1e-14, &cholesky))
        return NAN;
    unit[LADDER_PARAMETERS + step] = 1;
    cholesky_solve(&cholesky, unit, answer);
    return answer[LADDER_PARAMETERS + step];
}

static void widen_errors(const struct gathering *gathering, bool free[UNKNOWNS], struct clock_steps *steps)
{
    for (size_t n = 0; n < steps->count; n++) {
        struct estimate *lost_s = &steps->step[n].lost_s;
        for (size_t k = 0; k < steps->count; k++)
            free[LADDER_PARAMETERS + k] = k == n;
        const double alone = step_variance(gathering, free, n);
        for (size_t k = 0; k < steps->count; k++)
            free[LADDER_PARAMETERS + k] = true;
        *lost_s = ladder_two_sided(lost_s->value, lost_s->se * sqrt(step_variance(gathering, free, n) / alone));
    }
}

void clock_steps_state(const struct ladder_data *data, const struct ladder_rung *rung, struct clock_steps *steps)
{
    struct gathering gathering = {.steps = steps};
    bool free[UNKNOWNS] = {false};
    double lost = 0;
    if (steps->count < 2)
        return;
    ladder_free(rung->terms, rung->parameters, &rung->normal, free);
    if (ladder_samples(data, rung->terms, rung->parameters, gather, &gathering))
        widen_errors(&gathering, free, steps);
    for (size_t n = 0; n < steps->count; n++) {
        struct clock_step *step = &steps->step[n];
        step->time_s = ladder_two_sided(step->time_s.value - lost, step->time_s.se);
        lost += step->lost_s.value;
    }
}

struct clock_step clock_steps_largest(const struct clock_steps *steps)
{
    struct clock_step largest = clock_step_none();
    for (size_t n = 0; n < steps->count; n++)
        if (!largest.found || fabs(steps->step[n].lost_s.value) > fabs(largest.lost_s.value))
            largest = steps->step[n];
    return largest;
}
