/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/slow_flow.h"

#include <math.h>
#include <stdlib.h>

/* Between two nodes. Rules of order 6 on smooth rates then err by 1e-9 of a radian and of the amplitude at most. */
#define NODE_SPACING 0.125
/* Amplitudes below e^-40 of the first are no motion in double precision. */
enum { NODES = 320 };

struct node {
    double time_s, x, psi;
    double alpha, omega, x_2, psi_2; /* the rates, and the second derivatives by time */
    double complex seen, seen_rate;  /* logarithm of what the sensor makes of e^(x + i psi), and its rate */
    double complex by_p[LAW_PARAMETERS], by_p_rate[LAW_PARAMETERS], seen_p[LAW_PARAMETERS];
};

struct slow_flow {
    size_t nodes, parameters;
    struct node node[NODES];
};

struct slow_flow *slow_flow_create(void)
{
    return calloc(1, sizeof(struct slow_flow));
}

void slow_flow_free(struct slow_flow *flow)
{
    free(flow);
}

/* The integrals over a panel: of dt, d psi, and of their derivatives by the parameters at fixed x. */
struct panel {
    double time_s, psi, time_p[LAW_PARAMETERS], psi_p[LAW_PARAMETERS];
};

static void add_to_panel(struct panel *panel, const struct law_rates *rates, size_t parameters, double weight)
{
    const double slowness = 1 / rates->alpha;
    panel->time_s += weight * slowness;
    panel->psi += weight * rates->omega * slowness;
    for (size_t p = 0; p < parameters; p++) {
        const double time_p = -rates->alpha_p[p] * slowness * slowness;
        panel->time_p[p] += weight * time_p;
        panel->psi_p[p] += weight * (rates->omega_p[p] * slowness + rates->omega * time_p);
    }
}

/* Lobatto's rule with four points: the ends, which neighbours share, and two within. */
static bool panel_of(const struct amplitude_law *law, double x, const struct law_rates ends[2], struct panel *panel)
{
    static const double inner = 0.27639320225002103; /* (1 - 1/sqrt 5)/2 */
    struct law_rates within;
    *panel = (struct panel){0};
    for (int end = 0; end < 2; end++) {
        add_to_panel(panel, &ends[end], law->parameters, NODE_SPACING / 12);
        if (!law->rates(law, x - NODE_SPACING * (end == 0 ? inner : 1 - inner), &within))
            return false;
        add_to_panel(panel, &within, law->parameters, NODE_SPACING * 5 / 12);
    }
    return true;
}

/* ln of lambda for a velocity, of lambda^2 + d lambda/dt for an acceleration, and what the parameters change. There,
 * what they change in d lambda/dt is left out: it is zeta times smaller than the rest, which is small itself. */
static void sense(const struct law_rates *rates, enum sensed sensed, size_t parameters, const double *x_p,
                  struct node *node)
{
    const double complex lambda = CMPLX(-rates->alpha, rates->omega);
    const double complex lambda_x = CMPLX(-rates->alpha_x, rates->omega_x);
    node->seen = sensed == SENSED_DISPLACEMENT ? 0
                 : sensed == SENSED_VELOCITY   ? clog(lambda)
                                               : clog(lambda * lambda - rates->alpha * lambda_x);
    for (size_t p = 0; p < parameters; p++) {
        const double complex lambda_p = CMPLX(-rates->alpha_p[p], rates->omega_p[p]) + lambda_x * x_p[p];
        node->seen_p[p] = (double)sensed * lambda_p / lambda;
    }
}

/* time_p, psi_p: derivatives at fixed x, to be turned into such at fixed time. */
static void fill_node(const struct law_rates *rates, enum sensed sensed, const struct panel *sums, size_t parameters,
                      struct node *node)
{
    double x_p[LAW_PARAMETERS];
    node->alpha = rates->alpha;
    node->omega = rates->omega;
    node->x_2 = rates->alpha * rates->alpha_x;
    node->psi_2 = -rates->alpha * rates->omega_x;
    for (size_t p = 0; p < parameters; p++) {
        x_p[p] = rates->alpha * sums->time_p[p];
        node->by_p[p] = CMPLX(x_p[p], sums->psi_p[p] - rates->omega * sums->time_p[p]);
        node->by_p_rate[p] =
            CMPLX(-rates->alpha_x * x_p[p] - rates->alpha_p[p], rates->omega_x * x_p[p] + rates->omega_p[p]);
    }
    sense(rates, sensed, parameters, x_p, node);
}

/* Rates of what the sensor adds, from the neighbours: it varies by parts in a thousand a node. */
static void fill_seen_rates(struct slow_flow *flow)
{
    for (size_t k = 0; k < flow->nodes; k++) {
        const struct node *before = &flow->node[k > 0 ? k - 1 : 0];
        const struct node *behind = &flow->node[k + 1 < flow->nodes ? k + 1 : k];
        const double complex by_x = (behind->seen - before->seen) / (behind->x - before->x);
        flow->node[k].seen_rate = -flow->node[k].alpha * by_x;
    }
}

bool slow_flow_follow(struct slow_flow *flow, const struct amplitude_law *law, enum sensed sensed, double duration_s)
{
    struct law_rates ends[2];
    struct panel sums = {0}, panel;
    flow->parameters = law->parameters;
    flow->nodes = 0;
    if (!law->rates(law, 0, &ends[0]))
        return false;
    for (;;) {
        struct node *node = &flow->node[flow->nodes];
        const double x = -NODE_SPACING * (double)flow->nodes;
        node->time_s = sums.time_s;
        node->x = x;
        node->psi = sums.psi;
        fill_node(&ends[0], sensed, &sums, law->parameters, node);
        flow->nodes++;
        /* Two nodes at least, for what is interpolated. */
        if (flow->nodes == NODES || (flow->nodes > 1 && sums.time_s >= duration_s))
            break;
        if (!law->rates(law, x - NODE_SPACING, &ends[1]) || !panel_of(law, x, ends, &panel))
            return false;
        /* Between two nodes at one time there is nothing to interpolate. */
        if (!(sums.time_s + panel.time_s > sums.time_s))
            return false;
        sums.time_s += panel.time_s;
        sums.psi += panel.psi;
        for (size_t p = 0; p < law->parameters; p++) {
            sums.time_p[p] += panel.time_p[p];
            sums.psi_p[p] += panel.psi_p[p];
        }
        ends[0] = ends[1];
    }
    fill_seen_rates(flow);
    return isfinite(sums.time_s) && isfinite(sums.psi);
}

/* Behind the last node, whose amplitude is nothing, the motion goes on at the rates that it has there. */
static double beyond(const struct slow_flow *flow, double *time_s)
{
    const double excess = fmax(*time_s - flow->node[flow->nodes - 1].time_s, 0);
    *time_s -= excess;
    return excess;
}

/* Of a time up to the last node. */
static const struct node *nodes_at(const struct slow_flow *flow, double time_s, size_t *hint)
{
    while (*hint > 0 && flow->node[*hint].time_s > time_s)
        --*hint;
    while (*hint + 2 < flow->nodes && flow->node[*hint + 1].time_s <= time_s)
        ++*hint;
    return &flow->node[*hint];
}

/* Hermite's quintic on values, rates and second derivatives at both ends; u is the share of the panel. */
static double quintic(double u, double h, const double value[2], const double rate[2], const double second[2])
{
    const double v = 1 - u, u3 = u * u * u, v3 = v * v * v;
    const double from_0 =
        v3 * (value[0] * (1 + 3 * u + 6 * u * u) + h * u * (rate[0] * (1 + 3 * u) + 0.5 * h * u * second[0]));
    const double from_1 =
        u3 * (value[1] * (1 + 3 * v + 6 * v * v) - h * v * (rate[1] * (1 + 3 * v) - 0.5 * h * v * second[1]));
    return from_0 + from_1;
}

/* Hermite's cubic, as what the values and rates at both ends weigh in it. */
struct cubic {
    double value[2], rate[2];
};

static struct cubic cubic_of(double u, double h)
{
    const double v = 1 - u;
    return (struct cubic){{v * v * (1 + 2 * u), u * u * (1 + 2 * v)}, {v * v * h * u, -u * u * h * v}};
}

static double complex cubic(const struct cubic *of, double complex value_0, double complex value_1,
                            double complex rate_0, double complex rate_1)
{
    return of->value[0] * value_0 + of->rate[0] * rate_0 + of->value[1] * value_1 + of->rate[1] * rate_1;
}

double slow_flow_amplitude(const struct slow_flow *flow, double time_s, size_t *hint)
{
    const double excess = beyond(flow, &time_s);
    const struct node *n = nodes_at(flow, time_s, hint);
    const double h = n[1].time_s - n[0].time_s, u = (time_s - n[0].time_s) / h;
    const double x[2] = {n[0].x, n[1].x}, rate[2] = {-n[0].alpha, -n[1].alpha}, second[2] = {n[0].x_2, n[1].x_2};
    return quintic(u, h, x, rate, second) - n[1].alpha * excess;
}

double complex slow_flow_at(const struct slow_flow *flow, double time_s, size_t *hint, double complex *by_parameter)
{
    const double x = slow_flow_amplitude(flow, time_s, hint), excess = beyond(flow, &time_s);
    const struct node *n = &flow->node[*hint];
    const double h = n[1].time_s - n[0].time_s, u = (time_s - n[0].time_s) / h;
    const double psi[2] = {n[0].psi, n[1].psi}, rate[2] = {n[0].omega, n[1].omega};
    const double second[2] = {n[0].psi_2, n[1].psi_2};
    const struct cubic at = cubic_of(u, h);
    if (by_parameter)
        for (size_t p = 0; p < flow->parameters; p++)
            by_parameter[p] = cubic(&at, n[0].by_p[p], n[1].by_p[p], n[0].by_p_rate[p], n[1].by_p_rate[p]) +
                              (1 - u) * n[0].seen_p[p] + u * n[1].seen_p[p] + excess * n[1].by_p_rate[p];
    return CMPLX(x, quintic(u, h, psi, rate, second) + n[1].omega * excess) +
           cubic(&at, n[0].seen, n[1].seen, n[0].seen_rate, n[1].seen_rate);
}
