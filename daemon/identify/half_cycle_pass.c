/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inner loops of all fits, for three widths of vector. The widest that the processor has is chosen at run time, by
 * a plain switch: functions resolved by the loader (ifunc, target_clones) run before a sanitizer is ready and crash
 * there. */

#include "identify/half_cycle_pass.h"

#include <math.h>

/* Rotations in a row before the phasors are computed afresh, which bounds what rounding gathers. */
enum { ANCHOR_INTERVAL = 64 };

static const double lane_index[8] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};

#define LANES 2
#define LANES_KIND LANES_OF_2
#define LANES_TARGET
#define LANES_NAME(name) name##_2
#include "identify/half_cycle_lanes.h"
#undef LANES
#undef LANES_KIND
#undef LANES_TARGET
#undef LANES_NAME

#if defined __x86_64__ || defined __i386__

#define LANES 4
#define LANES_KIND LANES_OF_4
#define LANES_TARGET __attribute__((target("avx2,fma")))
#define LANES_NAME(name) name##_4
#include "identify/half_cycle_lanes.h"
#undef LANES
#undef LANES_KIND
#undef LANES_TARGET
#undef LANES_NAME

#define LANES 8
#define LANES_KIND LANES_OF_8
#define LANES_TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#define LANES_NAME(name) name##_8
#include "identify/half_cycle_lanes.h"

enum lanes_kind lanes_widest(void)
{
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return LANES_OF_8;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? LANES_OF_4 : LANES_OF_2;
}

/* One call for all kinds. */
#define LANES_SWITCH(kind, function, ...)                                                                              \
    switch (kind) {                                                                                                    \
    case LANES_OF_8:                                                                                                   \
        function##_8(__VA_ARGS__);                                                                                     \
        break;                                                                                                         \
    case LANES_OF_4:                                                                                                   \
        function##_4(__VA_ARGS__);                                                                                     \
        break;                                                                                                         \
    default:                                                                                                           \
        function##_2(__VA_ARGS__);                                                                                     \
    }

#else

enum lanes_kind lanes_widest(void)
{
    return LANES_OF_2;
}

#define LANES_SWITCH(kind, function, ...) function##_2(__VA_ARGS__)

#endif

/* e^((-beta + i) turned). */
static void rotation(double beta, double turned, double *re, double *im)
{
    double envelope = exp(-beta * turned);
    *re = envelope * cos(turned);
    *im = envelope * sin(turned);
}

struct half_cycle_pass half_cycle_pass_with(enum lanes_kind kind, const struct decay_shape *shape, double offset,
                                            double scale)
{
    struct half_cycle_pass pass = {
        .kind = kind, .beta = shape->beta, .omega_d = shape->omega_d, .offset = offset, .scale = scale};
    double re, im;
    rotation(pass.beta, pass.omega_d, &re, &im);
    pass.lane_re[0] = 1.0;
    for (int k = 1; k < 8; k++) {
        pass.lane_re[k] = pass.lane_re[k - 1] * re - pass.lane_im[k - 1] * im;
        pass.lane_im[k] = pass.lane_re[k - 1] * im + pass.lane_im[k - 1] * re;
    }
    /* Directly: an error of the stride is repeated with every step. */
    rotation(pass.beta, (double)(2 << kind) * pass.omega_d, &pass.stride_re[kind], &pass.stride_im[kind]);
    return pass;
}

void half_cycle_sums_add(const struct half_cycle_pass *pass, const struct half_cycle_curve *curve, double theta,
                         const double *displacement, size_t count, struct half_cycle_sums *sums)
{
    LANES_SWITCH(pass->kind, sum_products, pass, curve, theta, displacement, count, sums);
    sums->samples += count;
}

void half_cycle_sums_add_one(struct half_cycle_sums *sums, double theta, double g, double s, double residual)
{
    const double row[DECAY_BASES] = {1.0, g, s, theta * g, theta * s};
    for (int a = 0; a < DECAY_BASES; a++) {
        for (int b = a; b < DECAY_BASES; b++)
            sums->base[a][b] += row[a] * row[b];
        sums->residual[a] += row[a] * residual;
    }
    sums->squares += residual * residual;
    sums->samples++;
}

void half_cycle_sums_complete(struct half_cycle_sums *sums)
{
    sums->base[BASE_ONE][BASE_ONE] = (double)sums->samples;
    sums->base[BASE_S][BASE_THETA_G] = sums->base[BASE_G][BASE_THETA_S]; /* both theta g s */
    for (int a = 0; a < DECAY_BASES; a++)
        for (int b = 0; b < a; b++)
            sums->base[a][b] = sums->base[b][a];
}

void half_cycle_add_rounding(const struct half_cycle_pass *pass, const struct half_cycle_curve *curve, double theta,
                             size_t count, double step, double sums[DECAY_BASES])
{
    LANES_SWITCH(pass->kind, sum_rounding, pass, curve, theta, count, step, sums);
}

void half_cycle_bases(const struct half_cycle_pass *pass, double theta, size_t count, double *g, double *s)
{
    LANES_SWITCH(pass->kind, write_bases, pass, theta, count, g, s);
}

void lagged_products(enum lanes_kind kind, const double *values, size_t count, size_t lags, double *sums)
{
    LANES_SWITCH(kind, sum_lagged, values, count, lags, sums);
}
