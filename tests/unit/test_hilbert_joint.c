/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The joint of the Hilbert route's curve, by dividing rectangles and a simplex. */
#include "identify/ring_down/hilbert_joint.h"
#include "identify/ring_down/modal_iwan.h"
#include "identify/ring_down/rectangle_search.h"
#include "run_suite.h"

#include <math.h>

/* Branin's function, whose three minima are 0.397887 (Jones et al., 1993). */
static double branin(const double *place, const void *about)
{
    (void)about;
    const double x = -5 + 15 * place[0], y = 15 * place[1];
    const double bend = y - 5.1 / (4 * M_PI * M_PI) * x * x + 5 / M_PI * x - 6;
    return bend * bend + 10 * (1 - 1 / (8 * M_PI)) * cos(x) + 10;
}

/* Hartman's function of three variables, whose least of four minima is -3.86278. */
static double hartman(const double *place, const void *about)
{
    static const double height[4] = {1, 1.2, 3, 3.2};
    static const double width[4][3] = {{3, 10, 30}, {0.1, 10, 35}, {3, 10, 30}, {0.1, 10, 35}};
    static const double middle[4][3] = {
        {0.3689, 0.1170, 0.2673}, {0.4699, 0.4387, 0.7470}, {0.1091, 0.8732, 0.5547}, {0.03815, 0.5743, 0.8828}};
    double sum = 0;
    (void)about;
    for (int i = 0; i < 4; i++) {
        double far = 0;
        for (int k = 0; k < 3; k++)
            far += width[i][k] * pow(place[k] - middle[i][k], 2);
        sum -= height[i] * exp(-far);
    }
    return sum;
}

static double constant(const double *place, const void *about)
{
    (void)about;
    return 0 * place[0];
}

START_TEST(the_lowest_of_several_minima_is_found)
{
    double place[RECTANGLE_SIDES], value;
    ck_assert_int_eq(rectangle_search(branin, NULL, 2, 400, place, &value), 0);
    ck_assert_double_eq_tol(value, 0.397887, 1e-3);
    ck_assert_double_eq_tol(branin(place, NULL), value, 1e-12);
    ck_assert_int_eq(rectangle_search(hartman, NULL, 3, 400, place, &value), 0);
    ck_assert_double_eq_tol(value, -3.86278, 1e-2);
    ck_assert_int_eq(rectangle_search(constant, NULL, 1, 10000, place, &value), 0);
    ck_assert_double_eq_tol(value, 0, 1e-12);
}
END_TEST

enum { POINTS = 30 };

/* The curve that such a joint has by the equations of Deaner et al., where both figures jump at phi_max. */
static void curve_of(const struct modal_iwan *joint, double largest, struct hilbert_point *points)
{
    for (int i = 0; i < POINTS; i++) {
        const double a = largest * exp(-3.5 * i / (POINTS - 1));
        const bool slips = a >= joint->phi_max;
        const double omega = sqrt(slips ? joint->k_inf : modal_iwan_secant(joint, a));
        const double loss =
            slips ? 4 * a * joint->f_s + M_PI * omega * joint->c * a * a : modal_iwan_dissipation(joint, a, omega);
        points[i] = (struct hilbert_point){a, omega, loss / (2 * M_PI * omega * omega * a * a), loss};
    }
}

/* The first mode of Deaner et al., and one that hardly slips. */
static const struct modal_iwan joints[2] = {
    {.f_s = 2.33, .k_t = 1.37e5, .chi = -0.178, .beta = 0.0316, .k_inf = 4.41e5, .c = 1.51},
    {.f_s = 2.33, .k_t = 1.37e4, .chi = -0.3, .beta = 0.5, .k_inf = 5.6e5, .c = 1.51}};

/* What such a curve tells comes back, and nothing else is a number. */
START_TEST(a_curve_below_phi_max)
{
    struct modal_iwan truth = joints[_i];
    struct hilbert_point points[POINTS];
    struct hilbert_joint found;
    ck_assert(modal_iwan_complete(&truth));
    curve_of(&truth, 0.8 * truth.phi_max, points);
    hilbert_joint(points, POINTS, NULL, &found);
    ck_assert_str_eq(verdict_name(found.verdict), "underdetermined");
    ck_assert_ptr_nonnull(strstr(found.reason, "microslip_only"));
    ck_assert_double_eq_tol(found.omega_0, sqrt(truth.k_t + truth.k_inf), 1e-3 * found.omega_0);
    ck_assert_double_eq_tol(found.c, truth.c, 1e-3);
    ck_assert_double_eq_tol(found.chi, truth.chi, 1e-3);
    ck_assert_double_eq_tol(found.r / truth.r, 1, 0.02);
    ck_assert(isnan(found.f_s) && isnan(found.k_t) && isnan(found.k_inf) && isnan(found.phi_max) && isnan(found.beta));
    ck_assert_double_le(fmax(found.dissipation_misfit, found.frequency_misfit), 1e-4);
}
END_TEST

START_TEST(a_curve_beyond_phi_max)
{
    struct modal_iwan truth = joints[_i];
    struct hilbert_point points[POINTS];
    struct hilbert_joint found;
    ck_assert(modal_iwan_complete(&truth));
    curve_of(&truth, 3 * truth.phi_max, points);
    hilbert_joint(points, POINTS, NULL, &found);
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    ck_assert_double_eq_tol(found.f_s / truth.f_s, 1, 0.01);
    ck_assert_double_eq_tol(found.k_t / truth.k_t, 1, 0.02);
    ck_assert_double_eq_tol(found.k_inf / truth.k_inf, 1, 1e-3);
    ck_assert_double_le(fmax(found.dissipation_misfit, found.frequency_misfit), 0.01);
}
END_TEST

/* The damping of a joint with chi near 0 beside a logarithmic softening, which chi = -1 has: of such a beam the method
 * gives a chi near -1 and a C that is larger than all damping at small amplitudes. */
START_TEST(a_curve_that_no_joint_has)
{
    struct hilbert_point points[POINTS];
    struct hilbert_joint found;
    double least = INFINITY;
    for (int i = 0; i < POINTS; i++) {
        const double x = -3.5 * i / (POINTS - 1), a = 1e-3 * exp(x), omega = 43 * (1 - 0.003 * x);
        const double zeta = 0.004 + 0.003 * exp(1.05 * x);
        points[i] = (struct hilbert_point){a, omega, zeta, 2 * M_PI * zeta * omega * omega * a * a};
        least = fmin(least, 2 * zeta * omega);
    }
    hilbert_joint(points, POINTS, NULL, &found);
    ck_assert_str_eq(verdict_name(found.verdict), "underdetermined");
    ck_assert_double_le(found.chi, -0.85);
    ck_assert_double_ge(found.c, 1.02 * least);
}
END_TEST

START_TEST(what_has_no_joint_is_named)
{
    struct modal_iwan truth = joints[0];
    struct hilbert_point points[POINTS];
    struct hilbert_joint found;
    atomic_bool cancel = true;
    ck_assert(modal_iwan_complete(&truth));
    curve_of(&truth, 0.8 * truth.phi_max, points);
    hilbert_joint(points, 4, NULL, &found);
    ck_assert_str_eq(verdict_name(found.verdict), "underdetermined");
    ck_assert(isnan(found.chi));
    hilbert_joint(points, POINTS, &cancel, &found);
    ck_assert_str_eq(verdict_name(found.verdict), "cancelled");
    for (int i = 0; i < POINTS; i++)
        points[i].omega = 700;
    hilbert_joint(points, POINTS, NULL, &found);
    ck_assert_str_eq(verdict_name(found.verdict), "underdetermined");
    ck_assert(isnan(found.chi) && isnan(found.dissipation_misfit));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("the joint of the Hilbert route");
    TCase *search = tcase_create("dividing rectangles");
    tcase_add_test(search, the_lowest_of_several_minima_is_found);
    TCase *joint = tcase_create("joint");
    tcase_add_loop_test(joint, a_curve_below_phi_max, 0, 2);
    tcase_add_loop_test(joint, a_curve_beyond_phi_max, 0, 2);
    tcase_add_test(joint, a_curve_that_no_joint_has);
    tcase_add_test(joint, what_has_no_joint_is_named);
    suite_add_tcase(suite, search);
    suite_add_tcase(suite, joint);
    return run_suite(suite);
}
