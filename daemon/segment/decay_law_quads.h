/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loops of decay_law.c, see quads.h. */

QUADS_TARGET static void QUADS_NAME(sum_up)(const double *swing, size_t count, struct law_sums *sums)
{
    size_t pairs = count - 1, i = 0;
    double origin = swing[0];
    quad x = {0}, xx = {0}, xy = {0};
    for (; i + LANES <= pairs; i += LANES) {
        quad here = *(const loose *)(swing + i) - origin, next = *(const loose *)(swing + i + 1) - origin;
        x += here;
        xx += here * here;
        xy += here * next;
    }
    *sums = (struct law_sums){.count = (double)(int64_t)pairs,
                              .origin = origin,
                              .x = QUADS_TOTAL(x),
                              .xx = QUADS_TOTAL(xx),
                              .xy = QUADS_TOTAL(xy)};
    for (; i < pairs; i++) {
        double here = swing[i] - origin;
        sums->x += here;
        sums->xx += here * here;
        sums->xy += here * (swing[i + 1] - origin);
    }
    sums->y = sums->x + (swing[count - 1] - origin);
}

/* The last quad may take in pairs of the one before it once more. */
QUADS_TARGET static double QUADS_NAME(departure)(const struct decay_law *law, double forgiven, const double *swing,
                                                 size_t pairs)
{
    const double q = law->q, loss = -law_next_swing(q, law->x_k, 0);
    const quad none = {0};
    quad most = none;
    double largest = 0;
    for (size_t i = 0; pairs >= LANES && i < pairs; i += LANES) {
        const double *here = swing + (i + LANES <= pairs ? i : pairs - LANES);
        quad expected = q * *(const loose *)here - loss;
        expected = QUADS_LARGER(expected, none);
        quad off = *(const loose *)(here + 1) - expected;
        off = QUADS_MAGNITUDE(off) - forgiven * expected;
        most = QUADS_LARGER(off, most);
    }
    for (size_t i = 0; pairs < LANES && i < pairs; i++) {
        double expected = larger(q * swing[i] - loss, 0);
        largest = larger(fabs(swing[i + 1] - expected) - forgiven * expected, largest);
    }
    return larger(larger(larger(most[0], most[1]), larger(most[2], most[3])), largest);
}
