/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the tables see of the ladder of models. */

#include "report/ladder_view.h"

#include "identify/decay/rung_of_model.h"

#include <math.h>

static const struct estimate none = {.value = NAN, .se = NAN, .low = NAN, .high = NAN};

static struct rung_view rung_view_of(const struct ladder_model *model, const char *displacement)
{
    struct rung_view view = {.terms = model->terms,
                             .verdict = model->verdict,
                             .rms = model->rms,
                             .aicc = model->aicc,
                             .criterion = model->criterion};
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++) {
        const struct estimate *estimate = p == LADDER_OMEGA_N ? &model->f_n_hz : &model->estimate[p];
        view.estimate[p] = (struct brief_view){.there = model->verdict == VERDICT_OK && isfinite(estimate->value),
                                               .value = estimate->value,
                                               .se = estimate->se,
                                               .unit = {ladder_figure_unit(p), displacement}};
    }
    return view;
}

static void show_chosen(const struct ladder *ladder, struct ladder_view *view)
{
    const struct ladder_model *model = &ladder->models[ladder->chosen];
    view->terms = model->terms;
    view->rms = model->rms;
    view->f_n_hz = ladder->f_n_hz;
    for (enum fit_parameter p = 0; p < FIT_PARAMETERS; p++)
        view->estimate[p] = ladder->estimate[ladder_parameter_of(p)];
    for (size_t n = 0; n < LADDER_BEYOND; n++)
        view->beyond[n] = ladder->estimate[LADDER_DRAG + n];
}

struct ladder_view ladder_view_of(const struct identification *found, const char *displacement)
{
    const struct ladder *ladder = found->ladder;
    const bool none_follows = found->recommended == RECOMMENDED_NONE && found->verdict != VERDICT_OK;
    struct ladder_view view = {.verdict = ladder                  ? ladder->verdict
                                          : none_follows          ? found->verdict
                                          : found->ladder_follows ? VERDICT_PENDING
                                                                  : VERDICT_NOT_COMPUTED,
                               .chosen = COUNT_UNKNOWN,
                               .f_n_hz = none,
                               .rms = NAN,
                               .clock_step = {.time_s = none, .lost_s = none},
                               .zero_drift = zero_drift_none(),
                               .zero_steps = {.rms = NAN, .share = NAN},
                               .consistency = {.x_k = none, .errors = NAN}};
    for (enum fit_parameter p = 0; p < FIT_PARAMETERS; p++)
        view.estimate[p] = none;
    for (size_t n = 0; n < LADDER_BEYOND; n++)
        view.beyond[n] = none;
    if (!ladder || ladder->samples == 0)
        return view;
    view.samples = ladder->samples;
    view.half_cycles = ladder->half_cycles;
    view.earlier_releases = ladder->unseen.releases;
    view.clock_step = ladder->clock_step;
    view.clock_steps = ladder->clock_steps;
    view.zero_drift = ladder->zero_drift;
    view.zero_steps = ladder->zero_steps;
    view.consistency = ladder->consistency;
    view.count = LADDER_RUNGS;
    for (size_t n = 0; n < LADDER_RUNGS; n++)
        view.models[n] = rung_view_of(&ladder->models[n], displacement);
    if (ladder->verdict == VERDICT_OK) {
        view.chosen = ladder->chosen;
        show_chosen(ladder, &view);
    }
    return view;
}
