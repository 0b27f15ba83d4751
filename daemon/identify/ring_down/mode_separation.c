/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/mode_separation.h"

/* The least-squares step from one sample to that a lag later. False: the plane has but one direction. */
static bool step_over(double complex *const plane[GROUP_MODES], size_t count, size_t lag,
                      double complex step[GROUP_MODES][GROUP_MODES])
{
    double complex later[2][2] = {{0}}, now[2][2] = {{0}};
    for (size_t i = 0; i + lag < count; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++) {
                later[j][k] += plane[j][i + lag] * conj(plane[k][i]);
                now[j][k] += plane[j][i] * conj(plane[k][i]);
            }
    const double complex determinant = now[0][0] * now[1][1] - now[0][1] * now[1][0];
    if (!(cabs(determinant) > 0))
        return false;
    for (int j = 0; j < 2; j++) {
        step[j][0] = (later[j][0] * now[1][1] - later[j][1] * now[1][0]) / determinant;
        step[j][1] = (later[j][1] * now[0][0] - later[j][0] * now[0][1]) / determinant;
    }
    return true;
}

bool mode_separation(double complex *const plane[GROUP_MODES], size_t count, size_t lag,
                     double complex *mode[GROUP_MODES])
{
    double complex a[2][2], vector[2][2];
    if (!step_over(plane, count, lag, a))
        return false;
    const double complex half = 0.5 * (a[0][0] - a[1][1]), root = csqrt(half * half + a[0][1] * a[1][0]);
    /* Of the two ways to write an eigenvector that with the larger difference. */
    const double complex far = cabs(half + root) > cabs(half - root) ? half + root : half - root;
    vector[0][0] = far;
    vector[1][0] = a[1][0];
    vector[0][1] = -a[0][1];
    vector[1][1] = far;
    const double complex determinant = vector[0][0] * vector[1][1] - vector[0][1] * vector[1][0];
    if (!(cabs(determinant) > 0))
        return false;
    for (size_t i = 0; i < count; i++) {
        const double complex x = plane[0][i], y = plane[1][i];
        mode[0][i] = (vector[1][1] * x - vector[0][1] * y) / determinant;
        mode[1][i] = (vector[0][0] * y - vector[1][0] * x) / determinant;
    }
    return true;
}
