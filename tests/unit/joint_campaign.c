/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "joint_campaign.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The second channel is read at every other sample. */
static const size_t EVERY[JOINT_PAIR] = {1, 2};

static double reading(const struct joint_pair *pair, gsl_rng *rng, size_t channel, size_t sample,
                      const struct joint_flaw *flaw)
{
    const double x = pair->motion.value[sample] - pair->motion.truth[LADDER_BIAS], bent = x + flaw->bend * x * x * x;
    const double value = channel == 0 ? x + pair->motion.truth[LADDER_BIAS] : pair->gain * bent + pair->bias;
    const double scale = channel == 0 ? 1 : fabs(pair->gain), step = pair->step[channel] * scale;
    const double read = value + scale * gsl_ran_gaussian(rng, pair->noise[channel]);
    return step > 0 ? step * round(read / step) : read;
}

static void read_channel(struct joint_pair *pair, gsl_rng *rng, size_t channel, const struct joint_flaw *flaw)
{
    const size_t count = pair->motion.record.count / EVERY[channel];
    const double period_s = pair->motion.record.period_s, half_cycle_s = M_PI / pair->motion.truth[LADDER_OMEGA_N];
    double *values = calloc(count, sizeof *values);
    if (!values)
        abort();
    for (size_t i = 0; i < count; i++)
        values[i] = reading(pair, rng, channel, i * EVERY[channel], flaw);
    const double stretch = channel == 0 ? 1 : 1 + flaw->stretch, late = channel == 0 ? 0 : flaw->late * half_cycle_s;
    pair->value[channel] = values;
    pair->record[channel] =
        (struct decay_record){.displacement = values,
                              .count = count,
                              .start_s = late,
                              .period_s = (double)EVERY[channel] * period_s * stretch,
                              .first_extremum_s = NAN,
                              .resolution = pair->step[channel] * (channel == 0 ? 1 : fabs(pair->gain))};
}

struct joint_pair joint_pair_make(unsigned terms, unsigned seed, const struct ladder_range *range, double noise,
                                  const struct joint_flaw *flaw)
{
    static const struct joint_flaw none = {0};
    struct joint_pair pair = {.motion = ladder_record_noise_free(terms, seed, range)};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    /* Rungs of a seed have noise of their own: else a hundred pairs of every rung would be a hundred in all. */
    gsl_rng_set(rng, seed * LADDER_BIT(LADDER_TERMS) + terms + 77000);
    pair.gain = (gsl_rng_uniform(rng) < 0.5 ? 1 : -1) * pow(10, 3 * gsl_rng_uniform(rng) - 1);
    pair.bias = pair.gain * (gsl_rng_uniform(rng) - 0.5);
    for (size_t c = 0; c < JOINT_PAIR; c++)
        pair.noise[c] = noise * 0.001 * pow(30, gsl_rng_uniform(rng));
    /* An encoder's steps are hidden by the noise, as they must be for the noise to be one. */
    pair.step[1] = gsl_rng_uniform(rng) < 0.5 ? pair.noise[1] : 0;
    for (size_t c = 0; c < JOINT_PAIR; c++)
        read_channel(&pair, rng, c, flaw ? flaw : &none);
    gsl_rng_free(rng);
    return pair;
}

void joint_pair_clear(struct joint_pair *pair)
{
    for (size_t c = 0; c < JOINT_PAIR; c++)
        free(pair->value[c]);
    ladder_record_clear(&pair->motion);
}

/* The one rung of the motion, from its truth, as if the ladder had been climbed and had chosen it. */
static enum verdict climb_one(const struct joint_pair *pair, size_t channel, struct ladder *ladder)
{
    ladder_not_made(ladder, VERDICT_NOT_COMPUTED);
    while (ladder->models[ladder->chosen].terms != pair->motion.terms)
        ladder->chosen++;
    struct ladder_model *model = &ladder->models[ladder->chosen];
    const double gain = channel == 0 ? 1 : pair->gain, size = fabs(gain);
    const double factor[LADDER_PARAMETERS] = {1, size, 1 / size, 1 / (gain * gain), 1 / gain, size, gain, 1, 0, 1};
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++)
        model->estimate[p].value = pair->motion.truth[p] * factor[p];
    model->estimate[LADDER_BIAS].value = channel == 0 ? pair->motion.truth[LADDER_BIAS] : pair->bias;
    model->verdict = ladder->verdict = VERDICT_OK;
    return VERDICT_OK;
}

/* The motion begins at a turn, of which a coarse record may show too little to be found: then it is put in. */
static size_t find_all(const struct joint_pair *pair, size_t channel, struct extremum **extrema)
{
    const struct decay_record *record = &pair->record[channel];
    const double half_cycle_s = M_PI / pair->motion.truth[LADDER_OMEGA_N];
    size_t count = 0;
    if (extrema_find(record, NULL, extrema, &count) != VERDICT_OK || count == 0)
        return 0;
    if ((*extrema)[0].time_s < record->start_s + 0.5 * half_cycle_s)
        return count;
    struct extremum *all = calloc(count + 1, sizeof *all);
    if (!all)
        abort();
    memcpy(all + 1, *extrema, count * sizeof *all);
    all[0] = all[1];
    all[0].time_s = record->start_s;
    all[0].displacement = record->displacement[0];
    free(*extrema);
    *extrema = all;
    return count + 1;
}

bool joint_pair_identify(const struct joint_pair *pair, bool rung_only, struct joint *joint)
{
    static struct ladder ladder[JOINT_PAIR];
    struct joint_input inputs[JOINT_PAIR];
    struct extremum *extrema[JOINT_PAIR] = {NULL};
    bool made = true;
    for (size_t c = 0; c < JOINT_PAIR; c++) {
        const size_t count = find_all(pair, c, &extrema[c]);
        const enum verdict verdict = rung_only ? climb_one(pair, c, &ladder[c])
                                               : ladder_identify(&pair->record[c], extrema[c], count, NULL, &ladder[c]);
        inputs[c] = (struct joint_input){&pair->record[c], extrema[c], count, &ladder[c]};
        made = made && verdict == VERDICT_OK;
    }
    if (made)
        joint_identify(inputs, JOINT_PAIR, NULL, joint);
    else
        joint_not_made(joint, JOINT_PAIR, VERDICT_NOT_COMPUTED);
    for (size_t c = 0; c < JOINT_PAIR; c++)
        free(extrema[c]);
    return made;
}

static bool covers(const struct estimate *estimate, double truth)
{
    return estimate->low <= truth && truth <= estimate->high;
}

/* X_0 and t_0 are of the first extremum of both, which is that of the motion unless noise hid it. */
static void judge_estimates(const struct joint_pair *pair, const struct joint *joint, struct joint_tally *tally)
{
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++) {
        const struct estimate *estimate = &joint->estimate[p];
        if (!ladder_terms_have(joint->terms, p) || (p == LADDER_X_D && estimate->at_bound))
            continue;
        tally->estimates++;
        tally->covered += covers(estimate, pair->motion.truth[p]);
        const double error = (estimate->value - pair->motion.truth[p]) / estimate->se;
        tally->squared_errors += isfinite(error) ? error * error : 1;
    }
    tally->gains++;
    tally->gains_covered += covers(&joint->channels[1].gain, pair->gain);
}

void joint_pair_judge(const struct joint_pair *pair, const struct joint *joint, struct joint_tally *tally)
{
    tally->pairs++;
    if (joint->verdict != VERDICT_OK) {
        printf("seed %u, terms %u: no joint fit: %s\n", pair->motion.seed, pair->motion.terms,
               verdict_name(joint->verdict));
        tally->not_found++;
        return;
    }
    tally->right += joint->terms == pair->motion.terms;
    tally->contradictions += joint->contradiction.found;
    tally->large += joint->contradiction.errors > 2.5;
    if (joint->contradiction.found)
        printf("seed %u, terms %u: %s of the channels differs by %.2f joint standard errors\n", pair->motion.seed,
               pair->motion.terms, ladder_parameters[joint->contradiction.figure].name, joint->contradiction.errors);
    if (joint->terms == pair->motion.terms)
        judge_estimates(pair, joint, tally);
}

void joint_tally_print(const char *name, const struct joint_tally *tally)
{
    printf("%s: %zu pairs, %zu without answer, %zu right; %zu estimates: %.1f %% covered, error over standard error "
           "%.3f; %zu gains: %.1f %% covered; %zu contradictions, %zu differences above 2.5\n",
           name, tally->pairs, tally->not_found, tally->right, tally->estimates,
           100 * (double)tally->covered / (double)tally->estimates,
           sqrt(tally->squared_errors / (double)tally->estimates), tally->gains,
           100 * (double)tally->gains_covered / (double)tally->gains, tally->contradictions, tally->large);
    fflush(stdout);
}
