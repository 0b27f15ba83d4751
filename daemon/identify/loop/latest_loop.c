/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/latest_loop.h"

#include <errno.h>

int latest_loop_figures(struct loop_signal *signal, const size_t extreme[3], struct loop_figures *figures)
{
    if (!(extreme[0] < extreme[1] && extreme[1] < extreme[2] && extreme[2] < signal->count))
        return -EINVAL;
    struct loop_reversals reversals = {NULL, 0, 0};
    struct loop_curves curves = {NULL, NULL, NULL};
    int error = loop_signal_look(signal);
    if (!error)
        error = loop_reversals_at(signal, extreme, &reversals);
    if (!error)
        error = loop_curves_make(signal, &curves);
    if (!error)
        *figures = loop_figures_of(signal, &curves, reversals.reversal);
    loop_curves_clear(&curves);
    loop_reversals_clear(&reversals);
    return error;
}
