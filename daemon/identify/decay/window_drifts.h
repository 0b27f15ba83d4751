/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_WINDOW_DRIFTS_H
#define FRICID_IDENTIFY_WINDOW_DRIFTS_H

#include "identify/decay/amplitude_windows.h"

/* What the local fits in windows of amplitude say of a model. */

/* Whether the frequency rises as the amplitude falls in the way of friction that gives way before it slides, which is
 * as A^(-3/2), beside a stiffness that follows A². In noise one record of two thousand seems to. */
bool windows_show_presliding(const struct amplitude_windows *windows);

/* The windows of a record with what a model says of their frequency taken away: the difference alone is left. */
void windows_beyond(const struct amplitude_windows *record, const struct amplitude_windows *model,
                    struct amplitude_windows *left);

/* Whether the windows of a record differ from those of the motion that a model says it is, by more than the noise of
 * the record allows: in their frequency, and in zeta or x_k. */
bool windows_differ_in_frequency(const struct amplitude_windows *record, const struct amplitude_windows *model);
bool windows_differ_in_damping(const struct amplitude_windows *record, const struct amplitude_windows *model);

#endif
