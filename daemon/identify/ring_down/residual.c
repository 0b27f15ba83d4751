/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/residual.h"

#include <math.h>

#define FIRST_CYCLES 20.0

double residual_first_s(double omega)
{
    return FIRST_CYCLES * 2 * M_PI / omega;
}

size_t residual_first_count(const struct mode_samples *samples, double omega)
{
    return (size_t)fmin(ceil(residual_first_s(omega) / samples->period_s), (double)samples->count);
}

static double rms(double squares, size_t count)
{
    return count > 0 ? sqrt(squares / (double)count) : NAN;
}

struct residual residual_of(const double squares[2], size_t first, size_t count, double unit)
{
    return (struct residual){.all = rms(squares[0] + squares[1], count) / unit,
                             .first = rms(squares[0], first) / unit,
                             .after = rms(squares[1], count - first) / unit};
}
