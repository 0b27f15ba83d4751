/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The motion of every rung of the ladder: published extrema and derivatives, an integrator that shares nothing with the
 * library, and differences of the library's own values. */
#include "identify/ladder/ladder_motion.h"
#include "run_suite.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

enum {
    TURNS_MOST = 400,
    VISCOUS = LADDER_BIT(LADDER_ZETA),
    COULOMB = LADDER_BIT(LADDER_X_K),
    DRAG = LADDER_BIT(LADDER_DRAG),
    CUBIC = LADDER_BIT(LADDER_CUBIC),
    SQUARE = LADDER_BIT(LADDER_SQUARE),
    PRESLIDING = LADDER_BIT(LADDER_X_D),
    ALL = LADDER_BIT(LADDER_TERMS) - 1,
};

/* What a walk hands over: turns, and the motion with its derivatives at some times. */
struct path {
    struct ladder_turn turn[TURNS_MOST];
    size_t turns, enough;
    const double *times;
    size_t times_count;
    double x[TURNS_MOST];
    derivatives x_by[TURNS_MOST];
};

static bool take_turn(void *taker, const struct ladder_turn *turn)
{
    struct path *path = taker;
    path->turn[path->turns++] = *turn;
    return path->turns < path->enough;
}

static bool take_piece(void *taker, const struct ladder_piece *piece)
{
    struct path *path = taker;
    for (size_t i = 0; i < path->times_count; i++) {
        const double time = path->times[i] - piece->origin;
        if (path->times[i] < piece->from || path->times[i] >= piece->to)
            continue;
        path->x[i] = piece->x[SERIES_ORDER];
        memcpy(path->x_by[i], piece->x_by[SERIES_ORDER], sizeof path->x_by[i]);
        for (size_t k = SERIES_ORDER; k-- > 0;) {
            path->x[i] = path->x[i] * time + piece->x[k];
            for (size_t lane = 0; lane < SERIES_LANES; lane++)
                path->x_by[i][lane] = path->x_by[i][lane] * time + piece->x_by[k][lane];
        }
    }
    return true;
}

static bool walk_path(const double *parameters, unsigned terms, const double *times, size_t count, struct path *path)
{
    const struct ladder_takers takers = {take_turn, take_piece, path};
    *path = (struct path){.enough = TURNS_MOST, .times = times, .times_count = count};
    return ladder_walk(parameters, terms, count > 0 ? times[count - 1] : 100, WALK_EXACT, &takers);
}

/* In the order of enum ladder_parameter. */
struct exact {
    unsigned terms;
    double parameters[LADDER_MOTION];
    double extremum[4], time[4];
};

static const struct exact exact[] = {
    {VISCOUS | COULOMB | CUBIC,
     {.01, .01, 0, -.1, 0, 0, 1},
     {0.9451768062, 0.8926450612, 0.8422501609, 0.7938550462},
     {3.2601994795, 6.5070071079, 9.7418395490, 12.9659478979}},
    {VISCOUS | COULOMB | SQUARE,
     {.01, .01, 0, 0, .1, 0, 1},
     {1.0161284140, 0.9040541775, 0.9104469530, 0.8134943260},
     {3.1483680953, 6.3090038873, 9.4551806299, 12.6130553352}},
    {COULOMB | PRESLIDING,
     {0, .02, 0, 0, 0, .05, 1},
     {0.9620386958, 0.9241593639, 0.8863686641, 0.8486740828},
     {3.1304651682, 6.2602697341, 9.3893473989, 12.5176223668}},
    {VISCOUS | COULOMB | DRAG | CUBIC | PRESLIDING,
     {.01, .01, .05, -.1, 0, .03, 1},
     {0.8856035251, 0.7890382541, 0.7060899991, 0.6338244529},
     {3.2504187797, 6.4749787249, 9.6800419562, 12.8699070161}},
    {ALL,
     {.01, .01, .05, -.1, .05, .03, 1},
     {0.9164282179, 0.7909748742, 0.7267244738, 0.6366284649},
     {3.2499957187, 6.4881887070, 9.6922195005, 12.8908111353}},
    {COULOMB | DRAG, {0, .02, .1, 0, 0, 0, 1}, {0.846593915838, 0.724455741863, 0.623924741652, 0.538893756341}, {0}},
    {VISCOUS | COULOMB,
     {.02, .01, 0, 0, 0, 0, 1},
     {0.919698667, 0.844288524, 0.773471645, 0.706968253},
     {3.1422211607}},
};

/* As many digits as are published, and the last one rounded. */
START_TEST(exact_cases)
{
    const struct exact *of = &exact[_i];
    const double digits = of->extremum[0] * 1e9 == round(of->extremum[0] * 1e9) ? 1e-9 : 1e-10;
    struct path path;
    ck_assert(walk_path(of->parameters, of->terms, NULL, 0, &path));
    for (size_t n = 0; n < 4; n++) {
        ck_assert_double_eq_tol(fabs(path.turn[n + 1].x), of->extremum[n], 1.1 * digits);
        ck_assert(of->time[n] == 0 || fabs(path.turn[n + 1].time - of->time[n]) < 1.1e-10);
        ck_assert(path.turn[n + 1].x * path.turn[n].x < 0);
    }
}
END_TEST

START_TEST(exact_motion_and_derivatives)
{
    static const double times[4] = {1, 5, 10, 20}, x[4] = {0.5841629208, 0.0795369990, -0.6717427514, 0.3673192847};
    static const struct {
        enum ladder_parameter parameter;
        double of_x, of_time;
    } by[] = {{LADDER_ZETA, -7.85093431, -3.22161589}, {LADDER_X_K, -6.28381093, -5.19853574},
              {LADDER_X0, 0.54065596, 0.66209590},     {LADDER_DRAG, -2.60011503, -1.11843785},
              {LADDER_CUBIC, 0.11851814, -3.27318595}, {LADDER_X_D, 0.07657422, -0.37984143}};
    const struct exact *of = &exact[3];
    struct path path;
    ck_assert(walk_path(of->parameters, of->terms, times, 4, &path));
    for (size_t i = 0; i < 4; i++)
        ck_assert_double_eq_tol(path.x[i], x[i], 1e-10);
    for (size_t n = 0; n < sizeof by / sizeof by[0]; n++) {
        /* A logarithmic parameter's derivative is by its logarithm. */
        const enum ladder_parameter p = by[n].parameter;
        const double unit = ladder_parameters[p].logarithmic ? of->parameters[p] : 1;
        ck_assert_double_eq_tol(path.turn[4].x_by[p] / unit, by[n].of_x, 1e-7 * 7.9);
        ck_assert_double_eq_tol(path.turn[4].time_by[p] / unit, by[n].of_time, 1e-7 * 5.2);
    }
}
END_TEST

/* Random parameters of a set of terms. */
static void draw(gsl_rng *rng, unsigned terms, double parameters[LADDER_MOTION])
{
    const double drawn[LADDER_MOTION] = {0.02 * gsl_rng_uniform(rng),        0.001 + 0.01 * gsl_rng_uniform(rng),
                                         0.1 * gsl_rng_uniform(rng),         0.2 * (gsl_rng_uniform(rng) - 0.6),
                                         0.2 * (gsl_rng_uniform(rng) - 0.5), pow(10, -3 + 2.5 * gsl_rng_uniform(rng)),
                                         gsl_rng_uniform(rng) < 0.5 ? 1 : -1};
    for (enum ladder_parameter p = 0; p < LADDER_MOTION; p++)
        parameters[p] = ladder_terms_have(terms, p) ? drawn[p] : 0;
}

/* x, v and z as three states: nothing is known in closed form here. */
struct reference {
    const double *p;
    double side;
};

static int rates(double time, const double y[3], double dy[3], void *of)
{
    const struct reference *reference = of;
    const double *p = reference->p, side = reference->side;
    (void)time;
    dy[0] = y[1];
    dy[1] = -y[0] - 2 * p[LADDER_ZETA] * y[1] - p[LADDER_DRAG] * side * y[1] * y[1] - p[LADDER_SQUARE] * y[0] * y[0] -
            p[LADDER_CUBIC] * pow(y[0], 3) - p[LADDER_X_K] * (p[LADDER_X_D] > 0 ? y[2] : side);
    dy[2] = p[LADDER_X_D] > 0 ? y[1] / p[LADDER_X_D] * (1 - side * y[2]) : 0;
    return GSL_SUCCESS;
}

/* Runge and Kutta's eighth order with Newton's steps to the turn. */
static void integrate_half_cycle(struct reference *reference, double y[3], double *time)
{
    gsl_odeiv2_system system = {rates, NULL, 3, reference};
    gsl_odeiv2_driver *driver = gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-4, 1e-15, 1e-14);
    double local = 0, dy[3];
    rates(0, y, dy, reference);
    reference->side = dy[1] > 0 ? 1 : -1;
    do
        ck_assert_int_eq(gsl_odeiv2_driver_apply(driver, &local, local + 0.01, y), GSL_SUCCESS);
    while (y[1] * reference->side > 0);
    for (int n = 0; n < 4; n++) {
        rates(local, y, dy, reference);
        const double to = local - y[1] / dy[1];
        gsl_odeiv2_driver_reset(driver);
        gsl_odeiv2_driver_reset_hstart(driver, to > local ? 1e-5 : -1e-5);
        if (to != local)
            ck_assert_int_eq(gsl_odeiv2_driver_apply(driver, &local, to, y), GSL_SUCCESS);
    }
    gsl_odeiv2_driver_free(driver);
    *time += local;
    y[1] = 0;
}

/* Every rung against the reference, over twelve half cycles. */
START_TEST(as_integrated_independently)
{
    const unsigned terms = (unsigned)_i;
    if (!ladder_terms_allowed(terms))
        return;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, terms);
    double parameters[LADDER_MOTION], time = 0;
    draw(rng, terms, parameters);
    struct path path;
    ck_assert(walk_path(parameters, terms, NULL, 0, &path));
    const double away = parameters[LADDER_X0], x_d = parameters[LADDER_X_D];
    double y[3] = {away, 0, x_d > 0 ? tanh(away / x_d) : 0};
    struct reference reference = {parameters, away > 0 ? -1 : 1};
    ck_assert_uint_gt(path.turns, 12);
    for (size_t n = 1; n <= 12; n++) {
        if (n > 1)
            reference.side = -reference.side;
        integrate_half_cycle(&reference, y, &time);
        ck_assert_double_eq_tol(path.turn[n].x, y[0], 1e-11);
        ck_assert_double_eq_tol(path.turn[n].time, time, 1e-10);
    }
    gsl_rng_free(rng);
}
END_TEST

/* Seen from a turn every other coefficient of rigid friction's motion is zero, and at this amplitude the harmonics of a
 * weakly bent spring take the last of the others away: what is left says nothing of how far the series reaches. */
START_TEST(coefficients_that_cancel_mislead_no_step)
{
    enum { AMPLITUDES = 4000 };
    double parameters[LADDER_MOTION] = {0, 0.00705839, 0, -1.9113957e-05, -0.003141819, 0, -0.772192757};
    double y[3] = {parameters[LADDER_X0]}, time = 0;
    struct reference reference = {parameters, 1};
    integrate_half_cycle(&reference, y, &time);
    for (int n = 0; n < AMPLITUDES; n++) {
        struct path path = {.enough = 2};
        const struct ladder_takers takers = {take_turn, NULL, &path};
        parameters[LADDER_X0] = -0.7721925 - 2e-10 * n;
        ck_assert(ladder_walk(parameters, COULOMB | CUBIC | SQUARE, INFINITY, WALK_EXACT, &takers));
        ck_assert_double_eq_tol(path.turn[1].time, time, 1e-9);
    }
}
END_TEST

/* By central differences of the fourth order, at samples and turns. */
static double difference(const double value[4], double step)
{
    return (8 * (value[2] - value[1]) - (value[3] - value[0])) / (12 * step);
}

static double nearest_turn(const struct path *path, double time)
{
    double nearest = INFINITY;
    for (size_t n = 0; n < path->turns; n++)
        nearest = fmin(nearest, fabs(path->turn[n].time - time));
    return nearest;
}

static void moved(const double *parameters, enum ladder_parameter p, double by, double out[LADDER_MOTION])
{
    memcpy(out, parameters, LADDER_MOTION * sizeof *out);
    out[p] = ladder_parameters[p].logarithmic ? parameters[p] * exp(by) : parameters[p] + by;
}

START_TEST(derivatives_are_those_of_the_motion)
{
    enum { TIMES = 40, LAST = 11 };
    static const double steps[4] = {-2, -1, 1, 2}, step = 3e-4;
    static struct path path, beside[4];
    const unsigned terms = (unsigned)_i;
    if (!ladder_terms_allowed(terms))
        return;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, 100 + terms);
    double parameters[LADDER_MOTION], times[TIMES];
    for (size_t i = 0; i < TIMES; i++)
        times[i] = -0.2 + 0.9 * (double)i;
    draw(rng, terms, parameters);
    ck_assert(walk_path(parameters, terms, times, TIMES, &path));
    for (enum ladder_parameter p = 0; p < LADDER_MOTION; p++) {
        if (!ladder_terms_have(terms, p))
            continue;
        double largest = 0, largest_of_time = 0;
        for (size_t k = 0; k < 4; k++) {
            double other[LADDER_MOTION];
            moved(parameters, p, steps[k] * step, other);
            ck_assert(walk_path(other, terms, times, TIMES, &beside[k]));
        }
        for (size_t i = 0; i < TIMES; i++)
            largest = fmax(largest, fabs(path.x_by[i][p]));
        for (size_t n = 0; n <= LAST; n++)
            largest_of_time = fmax(largest_of_time, fabs(path.turn[n].time_by[p]));
        for (size_t i = 0; i < TIMES; i++) {
            /* Friction's step at a turn is no ground for differences. */
            if (nearest_turn(&path, times[i]) < 0.05)
                continue;
            const double value[4] = {beside[0].x[i], beside[1].x[i], beside[2].x[i], beside[3].x[i]};
            ck_assert_double_eq_tol(path.x_by[i][p], difference(value, step), 1e-7 * largest);
        }
        for (size_t n = 0; n <= LAST; n++) {
            double value[4], time[4];
            for (size_t k = 0; k < 4; k++) {
                value[k] = beside[k].turn[n].x;
                time[k] = beside[k].turn[n].time;
            }
            ck_assert_double_eq_tol(path.turn[n].x_by[p], difference(value, step), 1e-7 * largest);
            ck_assert_double_eq_tol(path.turn[n].time_by[p], difference(time, step), 1e-7 * largest_of_time + 1e-10);
        }
    }
    gsl_rng_free(rng);
}
END_TEST

/* zeta = 0.1, x_k = 0.05: the mass stops on the side from which it came, before it crosses zero. */
START_TEST(rigid_friction_holds_the_mass)
{
    const double parameters[LADDER_MOTION] = {0.1, 0.05, 0, 0, 0, 0, 1}, times[2] = {30, 1e6};
    struct path path;
    ck_assert(walk_path(parameters, VISCOUS | COULOMB, times, 2, &path));
    ck_assert_uint_eq(path.turns, 6);
    ck_assert_double_eq_tol(path.turn[4].x, 0.053786273, 1e-9);
    ck_assert_double_eq_tol(path.x[0], 0.047238870, 1e-9);
    ck_assert_double_eq(path.x[0], path.x[1]);
    for (size_t lane = 0; lane < SERIES_LANES; lane++)
        ck_assert_double_eq(path.x_by[1][lane], path.turn[5].x_by[lane]);
}
END_TEST

/* With presliding it creeps on, in ever smaller swings about where spring and friction balance. */
START_TEST(presliding_does_not_stick)
{
    const double parameters[LADDER_MOTION] = {0.02, 0.05, 0, 0, 0, 0.1, 1}, times[1] = {600};
    struct path path;
    ck_assert(walk_path(parameters, VISCOUS | COULOMB | PRESLIDING, times, 1, &path));
    ck_assert_uint_gt(path.turns, 60);
    /* Small motion about x + x_k z = 0 has omega_n sqrt(1 + x_k/x_d). */
    const double frequency = M_PI / (path.turn[60].time - path.turn[59].time);
    ck_assert_double_eq_tol(frequency, sqrt(1 + 0.05 / 0.1), 0.01);
}
END_TEST

/* As x_d falls, presliding friction becomes rigid. */
START_TEST(rigid_is_the_limit_of_presliding)
{
    double parameters[LADDER_MOTION] = {0.01, 0.01, 0, 0, 0, 1e-7, 1}, times[1] = {40};
    struct path yielding, rigid;
    ck_assert(walk_path(parameters, VISCOUS | COULOMB | PRESLIDING, times, 1, &yielding));
    parameters[LADDER_X_D] = 0;
    ck_assert(walk_path(parameters, VISCOUS | COULOMB | PRESLIDING, times, 1, &rigid));
    ck_assert_double_eq_tol(yielding.x[0], rigid.x[0], 1e-4);
    ck_assert_double_ne(yielding.x[0], rigid.x[0]);
}
END_TEST

/* A spring that gives way lets the mass escape, and that is said. */
START_TEST(an_escape_is_no_decay)
{
    const double softening[LADDER_MOTION] = {0.01, 0, 0, -0.5, 0, 0, 1};
    const double endless[LADDER_MOTION] = {0.01, 0, 0, 0, 0, 0, INFINITY};
    struct path path;
    ck_assert(!walk_path(softening, VISCOUS | CUBIC, NULL, 0, &path));
    ck_assert(!walk_path(endless, VISCOUS, NULL, 0, &path));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("motion of the ladder");
    TCase *cases = tcase_create("cases");
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, exact_cases, 0, sizeof exact / sizeof exact[0]);
    tcase_add_test(cases, exact_motion_and_derivatives);
    tcase_add_loop_test(cases, as_integrated_independently, 1, ALL + 1);
    tcase_add_test(cases, coefficients_that_cancel_mislead_no_step);
    tcase_add_loop_test(cases, derivatives_are_those_of_the_motion, 1, ALL + 1);
    tcase_add_test(cases, rigid_friction_holds_the_mass);
    tcase_add_test(cases, presliding_does_not_stick);
    tcase_add_test(cases, rigid_is_the_limit_of_presliding);
    tcase_add_test(cases, an_escape_is_no_decay);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
