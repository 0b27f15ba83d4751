/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/latest_loop.h"

#include "identify/loop/contact_correction.h"

#include <errno.h>

static int figures_at(const struct loop_signal *signal, const size_t extreme[3], struct loop_figures *figures)
{
    struct loop_reversals reversals = {NULL, 0, 0};
    struct loop_curves curves = {NULL, NULL, NULL};
    int error = loop_reversals_at(signal, extreme, &reversals);
    if (!error)
        error = loop_curves_make(signal, &curves);
    if (!error)
        *figures = loop_figures_of(signal, &curves, reversals.reversal);
    loop_curves_clear(&curves);
    loop_reversals_clear(&reversals);
    return error;
}

int latest_loop_figures(struct loop_signal *signal, const struct contact_settings *contact, const size_t extreme[3],
                        struct loop_figures *figures)
{
    struct contact_correction correction = {.room = NULL};
    int error = loop_signal_look(signal);
    if (!error)
        error = contact_correct(contact, contact, signal, NULL, &correction);
    const size_t cut = error ? 0 : (size_t)(correction.signal.time_s - signal->time_s);
    const size_t *at = extreme;
    if (!error && !(cut <= at[0] && at[0] < at[1] && at[1] < at[2] && at[2] < cut + correction.signal.count))
        error = -EINVAL;
    if (!error) {
        const size_t there[3] = {at[0] - cut, at[1] - cut, at[2] - cut};
        error = figures_at(&correction.signal, there, figures);
    }
    contact_correction_clear(&correction);
    return error;
}
