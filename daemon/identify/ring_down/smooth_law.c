/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/smooth_law.h"

#include <math.h>

/* The sines vanish so far beyond the amplitudes that are shown, in lengths of the process. */
#define MARGIN 2.0
/* Above this frequency the process has a part in ten thousand of its variance. */
#define HIGHEST_FREQUENCY 4.0

/* For slopes along x by differences. */
#define DIFFERENCE 1e-3

/* A deviation: of ln alpha and of omega, with slopes along x. */
struct deviation {
    double g, g_x, h, h_x;
};

/* Of the law's own parameters: ln alpha and omega go along the tangents at the fixed law. */
static bool add_law(const struct amplitude_law *smooth, double x, struct law_rates *rates, struct deviation *sum)
{
    const struct smooth_basis *basis = smooth->basis;
    const struct amplitude_law *law = &basis->law;
    struct law_rates above, below;
    if (!law->rates(law, x, rates) || !law->rates(law, x + DIFFERENCE, &above) ||
        !law->rates(law, x - DIFFERENCE, &below))
        return false;
    for (size_t p = 0; p < law->parameters; p++) {
        const double off = smooth->parameter[p];
        rates->alpha_p[p] /= rates->alpha;
        sum->g += off * rates->alpha_p[p];
        sum->h += off * rates->omega_p[p];
        sum->g_x += off * (above.alpha_p[p] / above.alpha - below.alpha_p[p] / below.alpha) / (2 * DIFFERENCE);
        sum->h_x += off * (above.omega_p[p] - below.omega_p[p]) / (2 * DIFFERENCE);
    }
    return true;
}

/* Of the sines, whose values go into the derivatives of ln alpha and of omega. */
static void add_sines(const struct amplitude_law *smooth, double x, struct law_rates *rates, struct deviation *sum)
{
    const struct smooth_basis *basis = smooth->basis;
    const size_t of_g = basis->law.parameters, of_h = of_g + basis->functions;
    const double place = fmax(x - basis->middle + basis->half_length, 0);
    for (size_t j = 0; j < basis->functions; j++) {
        const double angle = basis->frequency[j] * place, value = basis->size[j] * sin(angle);
        const double slope = place > 0 ? basis->size[j] * basis->frequency[j] * cos(angle) : 0;
        sum->g += smooth->parameter[of_g + j] * value;
        sum->g_x += smooth->parameter[of_g + j] * slope;
        sum->h += smooth->parameter[of_h + j] * basis->omega_0 * value;
        sum->h_x += smooth->parameter[of_h + j] * basis->omega_0 * slope;
        rates->alpha_p[of_g + j] = value;
        rates->omega_p[of_g + j] = 0;
        rates->alpha_p[of_h + j] = 0;
        rates->omega_p[of_h + j] = basis->omega_0 * value;
    }
}

static bool smooth_rates(const struct amplitude_law *smooth, double x, struct law_rates *rates)
{
    struct deviation sum = {0};
    if (!add_law(smooth, x, rates, &sum))
        return false;
    add_sines(smooth, x, rates, &sum);
    const double factor = exp(sum.g);
    rates->alpha_x = factor * (rates->alpha_x + rates->alpha * sum.g_x);
    rates->alpha *= factor;
    rates->omega += sum.h;
    rates->omega_x += sum.h_x;
    for (size_t p = 0; p < smooth->parameters; p++)
        rates->alpha_p[p] *= rates->alpha;
    return isfinite(rates->alpha) && rates->alpha > 0 && rates->omega > 0;
}

static void prepare_nothing(struct amplitude_law *law)
{
    (void)law;
}

struct amplitude_law smooth_law(const struct amplitude_law *law, double loss, struct smooth_basis *basis)
{
    struct law_rates rates = {.omega = 0};
    law->rates(law, -loss, &rates);
    *basis = (struct smooth_basis){
        .middle = -0.5 * loss, .half_length = 0.5 * loss + MARGIN, .omega_0 = rates.omega, .law = *law};
    const double spacing = M_PI / (2 * basis->half_length);
    basis->functions = (size_t)fmin(ceil(HIGHEST_FREQUENCY / spacing), SMOOTH_FUNCTIONS);
    for (size_t j = 0; j < basis->functions; j++) {
        const double frequency = spacing * (double)(j + 1);
        basis->frequency[j] = frequency;
        basis->size[j] = sqrt(sqrt(2 * M_PI) * exp(-0.5 * frequency * frequency) / basis->half_length);
    }
    return (struct amplitude_law){.parameters = law->parameters + 2 * basis->functions,
                                  .basis = basis,
                                  .prepare = prepare_nothing,
                                  .rates = smooth_rates};
}
