/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/decay/window_drifts.h"

#include "identify/common/small_least_squares.h"
#include "identify/decay/drift.h"

#include <math.h>

/* Of at most six windows with three figures each: one record of a thousand in noise alone. */
static const double ERRORS_MOST = 4;

static bool tells(const struct amplitude_window *window, const struct estimate *figure)
{
    return window->verdict == VERDICT_OK && isfinite(figure->value) && figure->se > 0;
}

bool windows_show_presliding(const struct amplitude_windows *windows)
{
    enum { LEVEL, SQUARE, RISE, UNKNOWNS };
    struct small_least_squares sums = {.unknowns = UNKNOWNS};
    double found[SMALL_MAX], inverse[SMALL_MAX][SMALL_MAX];
    size_t known = 0;
    for (size_t n = 0; n < windows->count; n++) {
        const struct amplitude_window *window = &windows->window[n];
        const struct estimate *f_n = &window->f_n_hz;
        const double amplitude = sqrt(window->largest * window->smallest) / windows->window[0].largest;
        if (!tells(window, f_n) || !(amplitude > 0))
            continue;
        const double row[SMALL_MAX] = {
            [LEVEL] = 1 / f_n->se, [SQUARE] = amplitude * amplitude / f_n->se, [RISE] = pow(amplitude, -1.5) / f_n->se};
        small_least_squares_add(&sums, row, f_n->value / f_n->se);
        known++;
    }
    return known > UNKNOWNS && small_least_squares_solve(&sums, found, inverse) && found[RISE] > 0 &&
           found[RISE] * found[RISE] > DRIFT_FLAGGED * inverse[RISE][RISE];
}

void windows_beyond(const struct amplitude_windows *record, const struct amplitude_windows *model,
                    struct amplitude_windows *left)
{
    *left = *record;
    for (size_t n = 0; n < left->count; n++)
        left->window[n].f_n_hz.value -= n < model->count ? model->window[n].f_n_hz.value : (double)NAN;
}

static bool differ(const struct amplitude_window *record, const struct estimate *measured, const struct estimate *said)
{
    return tells(record, measured) && isfinite(said->value) &&
           fabs(measured->value - said->value) > ERRORS_MOST * measured->se;
}

bool windows_differ_in_frequency(const struct amplitude_windows *record, const struct amplitude_windows *model)
{
    bool differs = false;
    for (size_t n = 0; n < record->count && n < model->count; n++)
        differs = differs || differ(&record->window[n], &record->window[n].f_n_hz, &model->window[n].f_n_hz);
    return differs;
}

bool windows_differ_in_damping(const struct amplitude_windows *record, const struct amplitude_windows *model)
{
    bool differs = false;
    for (size_t n = 0; n < record->count && n < model->count; n++)
        for (enum fit_parameter p = 0; p < FIT_PARAMETERS; p++)
            differs = differs || (decay_parameters[p].term && differ(&record->window[n], &record->window[n].estimate[p],
                                                                     &model->window[n].estimate[p]));
    return differs;
}
