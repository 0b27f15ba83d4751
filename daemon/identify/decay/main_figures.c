/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a list shows of an identification, whichever method is recommended. */

#include "identify/decay/main_figures.h"

#include <math.h>

static void take(struct main_figures *main, const struct estimate *f_n_hz, const struct estimate *estimate)
{
    main->figure[MAIN_F_N] = *f_n_hz;
    main->figure[MAIN_ZETA] = estimate[FIT_ZETA];
    main->figure[MAIN_X_K] = estimate[FIT_X_K];
    main->figure[MAIN_X0] = estimate[FIT_X0];
}

static void take_ladder(struct main_figures *main, const struct ladder *ladder)
{
    main->figure[MAIN_F_N] = ladder->f_n_hz;
    main->figure[MAIN_ZETA] = ladder->estimate[LADDER_ZETA];
    main->figure[MAIN_X_K] = ladder->estimate[LADDER_X_K];
    main->figure[MAIN_X0] = ladder->estimate[LADDER_X0];
    main->rms = ladder->models[ladder->chosen].rms;
}

struct main_figures main_figures_of(const struct identification *identification)
{
    const struct estimate none = {NAN, NAN, NAN, NAN, false, {0}};
    const struct full_record_fit *fit = &identification->fit;
    const struct extrema_fit *extrema = &identification->extrema_fit;
    const struct budget_line *line = identification->budget.line;
    const bool any = identification->recommended != RECOMMENDED_NONE;
    struct main_figures main = {.terms = any ? identification->choice.terms : 0,
                                .u = {[MAIN_F_N] = line[BUDGET_F_N_HZ].u,
                                      [MAIN_ZETA] = line[BUDGET_ZETA].u,
                                      [MAIN_X_K] = line[BUDGET_X_K].u,
                                      [MAIN_X0] = line[BUDGET_X0].u},
                                .rms = NAN};
    for (int i = 0; i < MAIN_FIGURES; i++)
        main.figure[i] = none;
    if (identification->recommended == RECOMMENDED_FIT) {
        main.rms = fit->rms;
        take(&main, &fit->f_n_hz, fit->estimate);
    }
    if (identification->recommended == RECOMMENDED_EXTREMA_FIT) {
        main.rms = extrema->rms;
        take(&main, &extrema->f_n_hz, extrema->estimate);
    }
    if (identification->recommended == RECOMMENDED_LADDER)
        take_ladder(&main, identification->ladder);
    return main;
}

const char *recommended_name(enum recommended recommended)
{
    static const char *const names[] = {
        [RECOMMENDED_NONE] = NULL,
        [RECOMMENDED_FIT] = "fit",
        [RECOMMENDED_EXTREMA_FIT] = "extrema_fit",
        [RECOMMENDED_LADDER] = "ladder",
    };
    return names[recommended];
}
