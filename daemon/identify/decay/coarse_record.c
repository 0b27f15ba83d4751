/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/decay/coarse_record.h"

#include <math.h>
#include <string.h>

/* Means a half cycle that show its shape well enough, and samples a mean that make it worth while. */
static const double fewest_means = 14.0;
static const size_t narrowest = 3;

bool coarse_record_from(const struct sample_means *means, double omega_n, struct coarse_record *coarse)
{
    if (means->width < narrowest || !means->complete || M_PI / omega_n < fewest_means * (double)means->width)
        return false;
    coarse->record = (struct decay_record){
        .displacement = means->value, .count = means->count, .period_s = 1.0, .first_extremum_s = NAN};
    coarse->scaled = (struct scaled_record){.record = &coarse->record,
                                            .count = means->count,
                                            .scale = 1.0,
                                            .unit_s = 1.0,
                                            .uniform = true,
                                            .time_slack = 1e-6,
                                            .steepest = INFINITY};
    coarse->width = (double)means->width;
    coarse->noise = sample_means_noise(means);
    return true;
}

double time_to_coarse(const struct coarse_record *coarse, double time)
{
    return (time - 0.5 * (coarse->width - 1.0)) / coarse->width;
}

double time_from_coarse(const struct coarse_record *coarse, double time)
{
    return time * coarse->width + 0.5 * (coarse->width - 1.0);
}

/* What the mean of `width` samples leaves of a cosine of omega rad a sample. */
static double attenuation(const struct coarse_record *coarse, double omega)
{
    return sin(0.5 * coarse->width * omega) / (coarse->width * sin(0.5 * omega));
}

/* By how many samples the same mean makes a damped motion come later: x plus half the variance of the places times its
 * second derivative, -omega² x - 2 zeta omega dx/dt. */
static double lateness(const struct coarse_record *coarse, const double *fine)
{
    return fine[FIT_ZETA] * fine[FIT_OMEGA_N] * (coarse->width * coarse->width - 1.0) / 12.0;
}

void parameters_to_coarse(const struct coarse_record *coarse, const double *fine, double *parameters)
{
    double left = attenuation(coarse, fine[FIT_OMEGA_N]);
    memcpy(parameters, fine, sizeof(double[FIT_PARAMETERS]));
    parameters[FIT_OMEGA_N] *= coarse->width;
    parameters[FIT_X_K] *= left;
    parameters[FIT_X0] *= left;
    parameters[FIT_T0] = time_to_coarse(coarse, fine[FIT_T0] + lateness(coarse, fine));
}

void parameters_from_coarse(const struct coarse_record *coarse, const double *parameters, double *fine)
{
    double left = attenuation(coarse, parameters[FIT_OMEGA_N] / coarse->width);
    memcpy(fine, parameters, sizeof(double[FIT_PARAMETERS]));
    fine[FIT_OMEGA_N] /= coarse->width;
    fine[FIT_X_K] /= left;
    fine[FIT_X0] /= left;
    fine[FIT_T0] = time_from_coarse(coarse, parameters[FIT_T0]) - lateness(coarse, fine);
}
