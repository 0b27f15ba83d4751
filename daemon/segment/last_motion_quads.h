/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loop of last_motion.c, see quads.h. */

/* The sums over means [from, to), all of one half cycle. */
QUADS_TARGET static void QUADS_NAME(sum_means)(struct walk *walk, const struct last_means *means, size_t from,
                                               size_t to, struct half_cycle_sums *sums)
{
    quad first[P] = {0}, others[P] = {0};
    double squares = 0, gradient[P];
    for (size_t n = from; n < to; n++) {
        const double here = means->value[n] - walk_to(walk, means->at[n], gradient);
        squares += here * here;
        const quad left = {gradient[0], gradient[1], gradient[2], gradient[3]};
        const quad right = {gradient[4], gradient[5], gradient[6], here};
        for (int i = 0; i < P; i++) {
            first[i] += gradient[i] * left;
            others[i] += gradient[i] * right;
        }
    }
    for (int i = 0; i < P; i++) {
        for (int j = 0; j < P; j++)
            sums->normal[i][j] = j < LANES ? first[i][j] : others[i][j - LANES];
        sums->right[i] = others[i][P - LANES];
    }
    sums->squares = squares;
    sums->means = (double)(int64_t)(to - from);
}
