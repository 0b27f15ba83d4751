/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/hilbert_joint.h"

#include "identify/ring_down/modal_iwan.h"
#include "identify/ring_down/rectangle_search.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>
#include <math.h>

/* What is searched, each side of the unit cube for one of them. */
enum side { SIDE_ABOVE, SIDE_SHARE, SIDE_PHI, SIDE_CHI, SIDE_BETA, SIDE_C, SIDES };

enum { EVALUATIONS = 10000, SIMPLEX_STEPS = 4000, SIMPLEXES = 2 };
/* The simplex begins as wide as the rectangles are by then, and has settled where it is as small. */
#define FIRST_STEP 0.02
#define SETTLED 1e-7

/* The viscous coefficient may be larger than all of the damping somewhere on the curve, which a joint that softens in
 * another way than it damps leads to: nothing in the method forbids it, and a bound that holds it back moves chi. */
#define MOST_C 2

/* The curve, and what it says of where the joint can be. */
struct search {
    const struct hilbert_point *points;
    size_t count;
    const atomic_bool *cancel;
    double stiffest, softening; /* largest stiffness on the curve, and how much less the smallest is */
    double largest, most_c;     /* amplitude; viscous coefficient that would take all of some cycle */
    double dissipation_range, frequency_range;
};

static double between(double low, double high, double share)
{
    return low + share * (high - low);
}

static double factor_between(double low, double high, double share)
{
    return exp(between(log(low), log(high), share));
}

/* The joint at a place of the cube; false: there is none. A logarithmic softening has its omega_0 far above the curve;
 * less than all of the stiffness is the joint's, but no less than what it was seen to lose. */
static bool joint_at(const struct search *search, const double *place, struct modal_iwan *joint)
{
    const double all = search->stiffest + search->softening * factor_between(1e-3, 1e2, place[SIDE_ABOVE]);
    const double lost = all - search->stiffest + search->softening;
    const double phi_max = search->largest * factor_between(1e-1, 1e2, place[SIDE_PHI]);
    const double chi = between(-0.999, 1, place[SIDE_CHI]), g = (chi + 1) / (chi + 2);
    *joint = (struct modal_iwan){
        .chi = chi, .beta = factor_between(1e-3, 1e2, place[SIDE_BETA]), .c = MOST_C * search->most_c * place[SIDE_C]};
    /* The logarithm's rounding leaves no stiffness below 0. */
    joint->k_t = fmin(all, factor_between(fmin(lost, 0.5 * all), all, place[SIDE_SHARE]));
    joint->k_inf = all - joint->k_t;
    joint->f_s = phi_max * joint->k_t * (joint->beta + g) / (1 + joint->beta);
    return modal_iwan_complete(joint);
}

/* Their Eqs. 9 to 16: below phi_max those of the model, beyond it dissipation and frequency jump. */
static void model_at(const struct modal_iwan *joint, const struct hilbert_point *point, double *dissipation,
                     double *frequency)
{
    const double a = point->amplitude;
    if (a >= joint->phi_max) {
        *dissipation = 4 * a * joint->f_s + M_PI * point->omega * joint->c * a * a;
        *frequency = sqrt(joint->k_inf);
        return;
    }
    *dissipation = modal_iwan_dissipation(joint, a, point->omega);
    *frequency = sqrt(modal_iwan_secant(joint, a));
}

/* The two parts of their Eq. 35: mean squares, not sums. Their Eqs. 36 and 37 divide by "max(D_E - D_M)" and "max(f_E -
 * f_M)", so that both are of one order; taken literally a fit would be the better the worse its worst point is, so that
 * each is divided by what it changes along the curve. */
static void misfits(const struct search *search, const struct modal_iwan *joint, double misfit[2])
{
    misfit[0] = misfit[1] = 0;
    for (size_t i = 0; i < search->count; i++) {
        const struct hilbert_point *point = &search->points[i];
        double dissipation, frequency;
        model_at(joint, point, &dissipation, &frequency);
        misfit[0] += pow((point->dissipation - dissipation) / search->dissipation_range, 2) / (double)search->count;
        misfit[1] += pow((point->omega - frequency) / search->frequency_range, 2) / (double)search->count;
    }
}

static double objective(const double *place, const void *about)
{
    const struct search *search = about;
    struct modal_iwan joint;
    double misfit[2];
    if (!joint_at(search, place, &joint))
        return INFINITY;
    misfits(search, &joint, misfit);
    return misfit[0] + misfit[1];
}

/* The simplex knows no bounds: beyond them all is worse. */
static double bounded_objective(const gsl_vector *at, void *about)
{
    double place[SIDES], outside = 0;
    for (size_t k = 0; k < SIDES; k++) {
        const double value = gsl_vector_get(at, k);
        place[k] = fmin(fmax(value, 0), 1);
        outside += fabs(value - place[k]);
    }
    return objective(place, about) * (1 + outside) + outside;
}

static enum verdict settle(const struct search *search, gsl_multimin_fminimizer *simplex)
{
    int status = GSL_CONTINUE;
    for (int step = 0; step < SIMPLEX_STEPS && status == GSL_CONTINUE; step++) {
        if (search->cancel && atomic_load(search->cancel))
            return VERDICT_CANCELLED;
        if (gsl_multimin_fminimizer_iterate(simplex) != GSL_SUCCESS)
            return VERDICT_NOT_CONVERGED;
        status = gsl_multimin_test_size(gsl_multimin_fminimizer_size(simplex), SETTLED);
    }
    return status == GSL_SUCCESS ? VERDICT_OK : VERDICT_NOT_CONVERGED;
}

/* From the best rectangle's middle to the bottom. A simplex that became flat on its way is followed by a new one. */
static enum verdict refine(struct search *search, double *place)
{
    gsl_multimin_function function = {bounded_objective, SIDES, search};
    gsl_multimin_fminimizer *simplex = gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, SIDES);
    gsl_vector *at = gsl_vector_alloc(SIDES), *steps = gsl_vector_alloc(SIDES);
    enum verdict verdict = VERDICT_NO_MEMORY;
    if (simplex && at && steps) {
        for (size_t k = 0; k < SIDES; k++)
            gsl_vector_set(at, k, place[k]);
        gsl_vector_set_all(steps, FIRST_STEP);
        verdict = VERDICT_OK;
        for (int i = 0; i < SIMPLEXES && verdict == VERDICT_OK; i++) {
            verdict = gsl_multimin_fminimizer_set(simplex, &function, at, steps) == GSL_SUCCESS
                          ? settle(search, simplex)
                          : VERDICT_NOT_CONVERGED;
            gsl_vector_memcpy(at, gsl_multimin_fminimizer_x(simplex));
        }
        for (size_t k = 0; k < SIDES; k++)
            place[k] = fmin(fmax(gsl_vector_get(at, k), 0), 1);
    }
    if (simplex)
        gsl_multimin_fminimizer_free(simplex);
    gsl_vector_free(at);
    gsl_vector_free(steps);
    return verdict;
}

static void look_at_curve(struct search *search)
{
    double most[3] = {0}, least[3] = {INFINITY, INFINITY, INFINITY};
    search->most_c = INFINITY;
    for (size_t i = 0; i < search->count; i++) {
        const struct hilbert_point *point = &search->points[i];
        const double values[3] = {point->dissipation, point->omega, point->amplitude};
        for (int k = 0; k < 3; k++) {
            most[k] = fmax(most[k], values[k]);
            least[k] = fmin(least[k], values[k]);
        }
        search->most_c = fmin(search->most_c, 2 * point->zeta * point->omega);
    }
    search->stiffest = most[1] * most[1];
    search->softening = search->stiffest - least[1] * least[1];
    search->dissipation_range = most[0] - least[0];
    search->frequency_range = most[1] - least[1];
    search->largest = most[2];
}

struct hilbert_joint hilbert_joint_without(enum verdict verdict)
{
    const char *reason = verdict == VERDICT_OK ? NULL : verdict_sentence(verdict);
    return (struct hilbert_joint){verdict, reason, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
}

static void report(const struct search *search, const double *place, struct hilbert_joint *joint)
{
    struct modal_iwan found;
    double misfit[2];
    if (!joint_at(search, place, &found)) {
        *joint = hilbert_joint_without(VERDICT_NOT_CONVERGED);
        return;
    }
    misfits(search, &found, misfit);
    joint->omega_0 = sqrt(found.k_t + found.k_inf);
    joint->c = found.c;
    joint->chi = found.chi;
    joint->r = found.r;
    joint->dissipation_misfit = sqrt(misfit[0]);
    joint->frequency_misfit = sqrt(misfit[1]);
    if (found.phi_max > search->largest) {
        joint->verdict = VERDICT_UNDERDETERMINED;
        joint->reason = "microslip_only: the curve is below phi_max, where others do as well";
        return;
    }
    joint->f_s = found.f_s;
    joint->k_t = found.k_t;
    joint->k_inf = found.k_inf;
    joint->phi_max = found.phi_max;
    joint->beta = found.beta;
}

void hilbert_joint(const struct hilbert_point *points, size_t count, const atomic_bool *cancel,
                   struct hilbert_joint *joint)
{
    struct search search = {.points = points, .count = count, .cancel = cancel};
    double place[SIDES], least;
    enum verdict verdict = VERDICT_UNDERDETERMINED;
    look_at_curve(&search);
    if (count >= SIDES && search.dissipation_range > 0 && search.frequency_range > 0)
        verdict = rectangle_search(objective, &search, SIDES, EVALUATIONS, place, &least) == 0 ? refine(&search, place)
                                                                                               : VERDICT_NO_MEMORY;
    *joint = hilbert_joint_without(verdict);
    if (verdict == VERDICT_OK)
        report(&search, place, joint);
}
