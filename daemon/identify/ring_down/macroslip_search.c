/* SPDX-License-Identifier: GPL-3.0-or-later */

/* By which turning points the motion passes phi_max only the exact motion tells. Over phi_max what it leaves has one
 * minimum for each half cycle that may be the last one beyond it, and more, and fits that add the exact motion to the
 * slow flow end in that which they begin near. So phi_max is looked for by itself: each is given, and the others are
 * fitted to it. */

#include "identify/ring_down/macroslip_search.h"

#include "identify/ring_down/law_correct.h"
#include "identify/ring_down/macroslip_law.h"

#include <math.h>

/* So many places on either side, to where the amplitude is a half cycle away; the lowest of them is followed by halves
 * of their distance. */
enum { PLACES = 6, HALVINGS = 5 };
/* Where all but phi_max is fitted, the exact motion is much the same from one place to the next. */
enum { ROUNDS = 2 };

struct search {
    struct law_fitting *fitting;
    bool with_beta;
    double step; /* of ln phi_max */
};

/* The law of that joint, with phi_max by so much larger; held: that is given. Below phi_max the joint is the same. */
static bool law_beside(const struct search *search, const struct law_fit *fit, double by, bool held,
                       struct amplitude_law *law)
{
    const double amplitude = cabs(fit->amplitude), omega_0 = fit->law.parameter[MACROSLIP_OMEGA_0];
    const struct modal_iwan joint = fit->law.joint(&fit->law, amplitude);
    if (!macroslip_law(omega_0, joint.c, &joint, amplitude, joint.phi_max / amplitude * exp(by), law))
        return false;
    if (held && search->with_beta)
        *law = macroslip_given_phi(law, joint.beta);
    else if (held)
        law->parameters = MACROSLIP_LOG_PHI;
    else if (search->with_beta)
        *law = macroslip_with_beta(law, joint.beta);
    return true;
}

/* Begins with what the exact motion added to the law before this one. */
static enum verdict fit_beside(const struct search *search, const struct law_fit *from, double by, bool held,
                               struct law_fit *found)
{
    struct law_fitting *fitting = search->fitting;
    const int most_rounds = fitting->most_rounds;
    struct amplitude_law law;
    struct law_fit fit = {.verdict = VERDICT_NOT_CONVERGED};
    if (law_beside(search, from, by, held, &law)) {
        fitting->sum = law_fitting_sum(fitting->record, &law);
        fitting->most_rounds = held ? ROUNDS : most_rounds;
        fit.verdict = law_fitting_exactly(fitting, &fit.corrections);
        fitting->most_rounds = most_rounds;
    }
    fit.corrections++;
    if (fit.verdict == VERDICT_OK)
        law_fitting_report(fitting, &fit);
    *found = fit;
    return fit.verdict;
}

static enum verdict take_lower(const struct search *search, const struct law_fit *from, double by,
                               struct law_fit *lowest)
{
    struct law_fit found;
    const enum verdict verdict = fit_beside(search, from, by, true, &found);
    if (verdict == VERDICT_OK && found.squares < lowest->squares)
        *lowest = found;
    return verdict;
}

/* The lowest place on one side, and from there the lowest near it. */
static enum verdict look_on_side(const struct search *search, const struct law_fit *fit, double side,
                                 struct law_fit *lowest)
{
    struct law_fit seen = *fit;
    enum verdict verdict = VERDICT_OK;
    for (int k = 0; k < PLACES && verdict == VERDICT_OK; k++) {
        verdict = fit_beside(search, &seen, side * search->step, true, &seen);
        if (verdict == VERDICT_OK && seen.squares < lowest->squares)
            *lowest = seen;
    }
    double step = search->step / 2;
    for (int k = 0; k < HALVINGS && lowest->verdict == VERDICT_OK && !law_fitting_is_over(verdict); k++, step /= 2) {
        const struct law_fit from = *lowest;
        verdict = take_lower(search, &from, step, lowest);
        if (!law_fitting_is_over(verdict) && lowest->squares == from.squares)
            verdict = take_lower(search, &from, -step, lowest);
    }
    return verdict;
}

enum verdict macroslip_search(struct law_fitting *fitting, bool with_beta, struct law_fit *fit)
{
    struct law_rates rates;
    if (!fit->law.rates(&fit->law, 0, &rates))
        return VERDICT_OK;
    const struct search search = {fitting, with_beta, M_PI * rates.alpha / rates.omega / PLACES};
    const struct law_fit begin = *fit;
    enum verdict verdict = law_correct(fitting->record, &begin.sum, fitting->cancel, fitting->motion, &fitting->whole);
    for (int side = -1; side <= 1 && !law_fitting_is_over(verdict); side += 2) {
        struct law_fit lowest = {.verdict = VERDICT_NOT_CONVERGED, .squares = INFINITY}, found;
        verdict = look_on_side(&search, &begin, side, &lowest);
        if (law_fitting_is_over(verdict) || lowest.verdict != VERDICT_OK)
            continue;
        verdict = fit_beside(&search, &lowest, 0, false, &found);
        if (verdict == VERDICT_OK && found.squares < fit->squares)
            *fit = found;
    }
    return law_fitting_is_over(verdict) ? verdict : VERDICT_OK;
}
