/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LAW_CURVE_H
#define FRICID_IDENTIFY_LAW_CURVE_H

#include "identify/ring_down/backbone.h"
#include "identify/ring_down/law_fit.h"

/* A law that was fitted, at BACKBONE_POINTS amplitudes from the largest that the fit used down to where the mode is
 * lost in the noise; fewer where it has no motion before. Standard errors are those of the fit. Returns how many. */
size_t law_curve(const struct law_fit *fit, struct backbone_point *points);

#endif
