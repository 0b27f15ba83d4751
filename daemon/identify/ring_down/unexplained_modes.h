/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_UNEXPLAINED_MODES_H
#define FRICID_IDENTIFY_UNEXPLAINED_MODES_H

#include "identify/ring_down/ring_down_findings.h"

/* Where law and backbone leave far more of a mode than the noise of its band, and more than a joint can make, several
 * modes ring there that nothing tells apart: such modes get VERDICT_MODES_TOO_NEAR in place of their figures, unless
 * one of the steady lines is in their bands, which may be what is left. VERDICT_OK or VERDICT_NO_MEMORY. */
enum verdict unexplained_modes_name(const struct ring_down_samples *samples, const struct identify_settings *settings,
                                    struct ring_down *ring_down);

#endif
