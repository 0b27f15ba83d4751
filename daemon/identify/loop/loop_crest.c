/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_crest.h"

#include "identify/common/small_least_squares.h"

#include <math.h>

/* From sample `from` to `to`. */
struct crest {
    double middle_s, half_s;
    double c[LOOP_CREST_TERMS], inverse[SMALL_MAX][SMALL_MAX];
};

static double fill_row(double s, double row[LOOP_CREST_TERMS], const double c[LOOP_CREST_TERMS])
{
    double sum = 0;
    row[0] = 1;
    row[1] = s;
    row[2] = s * s;
    row[3] = row[2] * row[2];
    for (int k = 0; k < LOOP_CREST_TERMS; k++)
        sum += c[k] * row[k];
    return sum;
}

static bool fit(const struct loop_signal *signal, size_t from, size_t to, struct crest *crest, double *squares)
{
    const double *t = signal->time_s, level = signal->displacement[from];
    struct small_least_squares equations = {.unknowns = LOOP_CREST_TERMS};
    double row[LOOP_CREST_TERMS];
    *crest = (struct crest){.middle_s = 0.5 * (t[from] + t[to]), .half_s = 0.5 * (t[to] - t[from])};
    for (size_t i = from; i <= to; i++) {
        fill_row((t[i] - crest->middle_s) / crest->half_s, row, crest->c);
        small_least_squares_add(&equations, row, signal->displacement[i] - level);
    }
    if (!small_least_squares_solve(&equations, crest->c, crest->inverse))
        return false;
    *squares = 0;
    for (size_t i = from; i <= to; i++) {
        const double fitted = fill_row((t[i] - crest->middle_s) / crest->half_s, row, crest->c);
        *squares += pow(signal->displacement[i] - level - fitted, 2);
    }
    crest->c[0] += level;
    return true;
}

/* Where it is highest, or lowest, by Newton's steps, of which the first leads to the vertex of its parabola. 0 where it
 * has none within, as a level that the contact rests at. */
static double place_of(const double c[LOOP_CREST_TERMS], double side)
{
    double s = 0, bend = 2 * c[2];
    for (int step = 0; step < 5; step++) {
        if (!(fabs(bend) > 0))
            return 0;
        s -= (c[1] + 2 * c[2] * s + 4 * c[3] * s * s * s) / bend;
        bend = 2 * c[2] + 12 * c[3] * s * s;
    }
    return fabs(s) <= 1 && side * bend > 0 ? s : 0;
}

bool loop_crest_fit(const struct loop_signal *signal, size_t from, size_t to, bool upper, struct loop_vertex *vertex)
{
    struct crest crest;
    double row[LOOP_CREST_TERMS];
    *vertex = (struct loop_vertex){.variance = 0};
    if (!fit(signal, from, to, &crest, &vertex->squares))
        return false;
    const double s = place_of(crest.c, upper ? -1 : 1);
    vertex->time_s = crest.middle_s + s * crest.half_s;
    vertex->displacement = fill_row(s, row, crest.c);
    for (int i = 0; i < LOOP_CREST_TERMS; i++)
        for (int j = 0; j < LOOP_CREST_TERMS; j++)
            vertex->variance += row[i] * crest.inverse[i][j] * row[j];
    return true;
}

bool loop_crest_at(const struct loop_signal *signal, size_t from, size_t to, double time_s, double *displacement)
{
    struct crest crest;
    double row[LOOP_CREST_TERMS], squares;
    if (!fit(signal, from, to, &crest, &squares))
        return false;
    *displacement = fill_row((time_s - crest.middle_s) / crest.half_s, row, crest.c);
    return true;
}
