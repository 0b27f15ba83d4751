/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/slip_limit.h"

#include <math.h>

/* Twice the logarithm of how much likelier a free phi_max makes the record than the true one, which one record in
 * twenty exceeds. */
#define CONTRADICTED 3.84
/* The first step of the search, in ln phi_max; the next ones double, and what is found is halved so often. */
#define FIRST_STEP 0.05
enum { STEPS = 7, HALVINGS = 3 };

struct searching {
    struct law_fitting *fitting;
    struct law_fit seen;  /* the law of the largest phi_max that is not contradicted, where the next fit begins */
    double allowed;       /* sum of squares */
    enum verdict verdict; /* VERDICT_OK, or why nothing else is tried */
};

/* A joint that begins to slip as a whole at that share of the amplitude at time 0; without sliders that only then slip,
 * for these would show. */
static enum verdict fit_at(struct searching *searching, double log_phi, struct law_fit *fit)
{
    struct law_fitting *fitting = searching->fitting;
    const struct law_fit *seen = &searching->seen;
    const double amplitude = cabs(seen->amplitude);
    const struct modal_iwan joint = seen->law.joint(&seen->law, amplitude);
    struct amplitude_law law;
    if (!macroslip_law(seen->law.parameter[MICROSLIP_OMEGA_0], joint.c, &joint, amplitude, exp(log_phi), &law))
        return VERDICT_NOT_CONVERGED;
    law.parameters = MACROSLIP_LOG_PHI;
    fitting->sum = law_fitting_sum(fitting->record, &law);
    fitting->whole.samples.correction = NULL;
    fit->verdict = law_fitting_exactly(fitting, &fit->corrections);
    if (fit->verdict == VERDICT_OK)
        law_fitting_report(fitting, fit);
    return fit->verdict;
}

/* Whether the record contradicts that phi_max, and then fit is its law. What cannot be fitted is not contradicted. */
static bool is_contradicted(struct searching *searching, double log_phi, struct law_fit *fit)
{
    struct law_fit found = {.corrections = 0};
    const enum verdict verdict = fit_at(searching, log_phi, &found);
    searching->verdict = law_fitting_is_over(verdict) ? verdict : VERDICT_OK;
    if (verdict != VERDICT_OK)
        return false;
    if (found.squares > searching->allowed) {
        *fit = found;
        return true;
    }
    searching->seen = found;
    return false;
}

/* Where the search begins: at the first amplitude that is seen, or where the whole joint seems to slip. */
static double begin(struct searching *searching, const struct law_fit *microslip, const struct law_fit *macroslip)
{
    const bool slips = macroslip->verdict == VERDICT_OK;
    const double least = slips ? fmin(microslip->squares, macroslip->squares) : microslip->squares;
    searching->seen = *microslip;
    searching->allowed = least + CONTRADICTED * microslip->noise * microslip->noise * searching->fitting->whole.colour;
    return microslip->squares > searching->allowed
               ? fmin(microslip->first_x, macroslip->law.parameter[MACROSLIP_LOG_PHI])
               : microslip->first_x;
}

enum verdict slip_limit_of(struct law_fitting *fitting, const struct law_fit *microslip,
                           const struct law_fit *macroslip, struct law_fit *limit)
{
    struct searching searching = {.fitting = fitting};
    double above = begin(&searching, microslip, macroslip), below = above, step = FIRST_STEP;
    bool found = false;
    for (int i = 0; i < STEPS && !found && searching.verdict == VERDICT_OK; i++, step *= 2) {
        above = below;
        below -= step;
        found = is_contradicted(&searching, below, limit);
    }
    for (int i = 0; i < HALVINGS && found && searching.verdict == VERDICT_OK; i++) {
        const double middle = 0.5 * (above + below);
        if (is_contradicted(&searching, middle, limit))
            below = middle;
        else
            above = middle;
    }
    return searching.verdict != VERDICT_OK ? searching.verdict : found ? VERDICT_OK : VERDICT_NOT_CONVERGED;
}
