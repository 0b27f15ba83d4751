/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/slip_limit.h"

#include <math.h>

/* Twice the logarithm of how much likelier a free phi_max makes the record than the true one, which one record in
 * twenty exceeds. */
#define CONTRADICTED 3.84
/* The share of sliders at phi_max where the search for it begins. */
#define FIRST_BETA 0.03
/* The first step of the search, in ln phi_max; the next ones double, and what is found is halved so often. */
#define FIRST_STEP 0.05
enum { STEPS = 7, HALVINGS = 3 };
/* A second look at the exact motion changes the squares by a hundred times less than what contradicts. */
enum { ROUNDS = 1 };

struct searching {
    struct law_fitting *fitting;
    struct law_fit seen;  /* the law of the largest phi_max that is not contradicted, where the next fit begins */
    double allowed;       /* sum of squares */
    bool any_beta;        /* what a joint with sliders that only slip at phi_max explains is not contradicted */
    enum verdict verdict; /* VERDICT_OK, or why nothing else is tried */
};

/* From what the exact motion added to the law before this one, which was much the same. */
static enum verdict fit_law(struct law_fitting *fitting, const struct amplitude_law *law, struct law_fit *fit)
{
    fitting->sum = law_fitting_sum(fitting->record, law);
    fit->verdict = law_fitting_exactly(fitting, &fit->corrections);
    if (fit->verdict == VERDICT_OK)
        law_fitting_report(fitting, fit);
    return fit->verdict;
}

/* A joint that begins to slip as a whole at that share of the amplitude at time 0. */
static bool law_at(const struct searching *searching, double log_phi, struct amplitude_law *law)
{
    const struct law_fit *seen = &searching->seen;
    const double amplitude = cabs(seen->amplitude);
    const struct modal_iwan joint = seen->law.joint(&seen->law, amplitude);
    const bool possible =
        macroslip_law(seen->law.parameter[MICROSLIP_OMEGA_0], joint.c, &joint, amplitude, exp(log_phi), law);
    if (searching->any_beta)
        *law = macroslip_given_phi(law, joint.beta);
    else
        law->parameters = MACROSLIP_LOG_PHI;
    return possible;
}

/* Whether the record allows that joint. */
static bool is_allowed(const struct searching *searching, const struct law_fit *fit)
{
    /* Less than no sliders at phi_max no joint has: then none is the likeliest share, and that was tried. */
    return !(fit->squares > searching->allowed) && (!searching->any_beta || fit->law.joint(&fit->law, 1).beta > 0);
}

/* Whether the record contradicts that phi_max, and then fit is its law. What cannot be fitted is not contradicted. */
static bool is_contradicted(struct searching *searching, double log_phi, struct law_fit *fit)
{
    struct law_fit found = {.corrections = 0};
    struct amplitude_law law;
    const enum verdict verdict =
        law_at(searching, log_phi, &law) ? fit_law(searching->fitting, &law, &found) : VERDICT_NOT_CONVERGED;
    searching->verdict = law_fitting_is_over(verdict) ? verdict : VERDICT_OK;
    if (verdict != VERDICT_OK)
        return false;
    if (is_allowed(searching, &found)) {
        searching->seen = found;
        return false;
    }
    *fit = found;
    return true;
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

/* From above down to the largest phi_max that is contradicted. Whether there is one. */
static bool search_below(struct searching *searching, double above, struct law_fit *limit)
{
    double below = above, step = FIRST_STEP;
    bool found = false;
    for (int i = 0; i < STEPS && !found && searching->verdict == VERDICT_OK; i++, step *= 2) {
        above = below;
        below -= step;
        found = is_contradicted(searching, below, limit);
    }
    for (int i = 0; i < HALVINGS && found && searching->verdict == VERDICT_OK; i++) {
        const double middle = 0.5 * (above + below);
        if (is_contradicted(searching, middle, limit))
            below = middle;
        else
            above = middle;
    }
    return found;
}

/* Sliders that slip at phi_max and not before may explain what a joint without them does not: the search goes on from
 * where that joint is contradicted. */
static void search_any_beta(struct searching *searching, const struct law_fit *limit, struct law_fit *limit_of_phi)
{
    const double log_phi = limit->law.parameter[MACROSLIP_LOG_PHI];
    const struct amplitude_law law = macroslip_given_phi(&limit->law, macroslip_room_for_beta(&limit->law, FIRST_BETA));
    const enum verdict verdict = fit_law(searching->fitting, &law, &searching->seen);
    searching->any_beta = true;
    searching->verdict = law_fitting_is_over(verdict) ? verdict : VERDICT_OK;
    *limit_of_phi = *limit;
    if (verdict == VERDICT_OK && is_allowed(searching, &searching->seen) &&
        !search_below(searching, log_phi, limit_of_phi))
        limit_of_phi->verdict = VERDICT_NOT_CONVERGED;
}

enum verdict slip_limit_of(struct law_fitting *fitting, const struct law_fit *microslip,
                           const struct law_fit *macroslip, struct law_fit *limit, struct law_fit *limit_of_phi)
{
    struct searching searching = {.fitting = fitting};
    fitting->most_rounds = ROUNDS;
    const bool found = search_below(&searching, begin(&searching, microslip, macroslip), limit);
    limit_of_phi->verdict = VERDICT_NOT_CONVERGED;
    if (!found || searching.verdict != VERDICT_OK)
        return searching.verdict != VERDICT_OK ? searching.verdict : VERDICT_NOT_CONVERGED;
    search_any_beta(&searching, limit, limit_of_phi);
    return searching.verdict;
}
