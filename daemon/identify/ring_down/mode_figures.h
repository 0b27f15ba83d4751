/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MODE_FIGURES_H
#define FRICID_IDENTIFY_MODE_FIGURES_H

#include "identify/common/instrument_estimate.h"
#include "identify/ring_down/law_fitting.h"
#include "identify/ring_down/mode_laws.h"
#include "identify/ring_down/ring_down_mode.h"

/* What the laws that a mode follows say of it, with what the instrument adds to the errors. */

/* rad/s. */
struct estimate mode_omega_0_of(const struct law_fit *fit, const struct instrument *instrument);

/* c/(2 omega_0). */
struct estimate mode_zeta_0_of(const struct law_fit *fit, const struct instrument *instrument);

/* The joint by the modal Iwan model. fails: why the law does not hold, where it does not; kept. */
struct ring_down_iwan mode_iwan_of(const struct mode_laws *laws, const struct instrument *instrument,
                                   enum sensed sensed, const char *fails);

#endif
