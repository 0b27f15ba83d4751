/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MODE_BACKBONE_H
#define FRICID_IDENTIFY_MODE_BACKBONE_H

#include "identify/ring_down/backbone.h"
#include "identify/ring_down/law_fit.h"

#include <stdatomic.h>

/* The backbone of a mode from its record and the law that fitted it, over the amplitudes that the record shows: from
 * its first sample, or the filter's first, down to the noise. cancel: may be NULL. */
void mode_backbone(const struct mode_record *record, const struct law_fit *fit, const atomic_bool *cancel,
                   struct backbone *backbone);

#endif
