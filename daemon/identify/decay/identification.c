/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/decay/identification.h"

#include "identify/decay/model_fits.h"

#include <math.h>
#include <stdlib.h>

static const struct estimate undetermined = {NAN, NAN, NAN, NAN, false, {0}};

void identification_without_extrema(struct identification *identification, enum verdict verdict)
{
    identification->extrema_fit.verdict = identification->decrement.verdict = verdict;
    identification->logarithmic_decrement.verdict = identification->linear_decrement.verdict = verdict;
    identification->jacobsen_ayre.verdict = verdict;
}

void identification_not_made(struct identification *identification, enum verdict verdict)
{
    *identification = (struct identification){
        .verdict = verdict,
        .recommended = RECOMMENDED_NONE,
        .fit = fit_not_made(DAMPING_VISCOUS_COULOMB, verdict),
        .choice = {.verdict = verdict},
        .static_friction = {VERDICT_NOT_COMPUTED, NAN, NAN, NAN, NAN},
        .physical = {VERDICT_NOT_COMPUTED, undetermined, undetermined, undetermined},
        .rest = {NAN, NAN},
    };
    /* A call without extrema is the sections' own way of saying "not determined"; the verdict is set afterwards. */
    extrema_fit(NULL, 0, &identification->extrema_fit);
    decrement_identify(NULL, 0, 0, &identification->decrement);
    logarithmic_decrement(NULL, 0, 1, &identification->logarithmic_decrement);
    linear_decrement(NULL, 0, 1, &identification->linear_decrement);
    jacobsen_ayre(NULL, 0, &identification->jacobsen_ayre);
    amplitude_windows_of(NULL, NULL, 0, NULL, NULL, NULL, &identification->windows);
    drifts_of(NULL, &identification->fit, &identification->drifts);
    identification_without_extrema(identification, verdict);
    identification->windows.verdict = identification->drifts.verdict = verdict;
    for (int p = 0; p < FIT_PARAMETERS; p++)
        identification->choice.likelihood_ratio[p] = NAN;
    for (size_t n = 0; n < BUDGET_QUANTITIES; n++)
        identification->budget.line[n] = (struct budget_line){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    identification->budget.stiffness = (struct stiffness_check){NAN, NAN, false};
    for (size_t n = 0; n < MODEL_COUNT; n++)
        identification->models[n] = (struct model_merit){(enum damping_model)(DAMPING_VISCOUS + n), verdict, NAN, NAN};
}

size_t identification_bytes(const struct identification *identification)
{
    const struct decrement *decrement = &identification->decrement;
    return sizeof *identification + decrement->local_count * sizeof *decrement->local +
           (identification->ladder ? sizeof *identification->ladder : 0);
}

void identification_clear(struct identification *identification)
{
    decrement_clear(&identification->decrement);
    free(identification->ladder);
    identification->ladder = NULL;
}
