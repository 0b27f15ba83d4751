/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loop of vertex.c, see quads.h. */

/* Sums over the samples of y, counted from the first one, and of its products with v and v squared, where v counts
 * samples from the middle. */
QUADS_TARGET static void QUADS_NAME(moments)(const double *y, size_t count, double sums[3])
{
    static const double ones[2 * LANES] = {1, 1, 1, 1};
    const double origin = y[0];
    quad v = (quad){0, 1, 2, 3} - 0.5 * (double)(int64_t)(count - 1), sum[4] = {{0}};
    size_t left = count;
    for (; left >= LANES; left -= LANES, y += LANES, v += LANES) {
        quad value = *(const loose *)y - origin, product = v * value;
        sum[0] += value;
        sum[1] += product;
        sum[2] += v * product;
    }
    if (left > 0) {
        quad value = (QUADS_SOME(y, left) - origin) * *(const loose *)(ones + LANES - left), product = v * value;
        sum[0] += value;
        sum[1] += product;
        sum[2] += v * product;
    }
    quad totals = QUADS_TOTALS(sum[0], sum[1], sum[2], sum[3]);
    for (int i = 0; i < 3; i++)
        sums[i] = totals[i];
}
