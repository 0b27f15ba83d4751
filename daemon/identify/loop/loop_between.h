/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_BETWEEN_H
#define FRICID_IDENTIFY_LOOP_BETWEEN_H

#include "identify/loop/loop_signal.h"

/* Standard uncertainty of the closed integral of F dx, by what no curve through samples tells of the way between two of
 * them: a force that has a corner, or leaps, does so anywhere there. Of samples `first` to `last`; 0 where a curve goes
 * through all of them but for their noise. */
double loop_work_between(const struct loop_signal *signal, size_t first, size_t last);

#endif
