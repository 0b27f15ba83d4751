/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_UNEXPLAINED_MODES_H
#define FRICID_IDENTIFY_UNEXPLAINED_MODES_H

#include "identify/ring_down/ring_down_findings.h"

/* Where law and backbone leave far more of a mode than the noise of its band, and more than a joint can make, several
 * modes ring there. VERDICT_OK or VERDICT_NO_MEMORY. */
enum verdict unexplained_mode_is(const struct ring_down_samples *samples, const struct ring_down_mode *mode,
                                 bool *unexplained);

/* Such modes, where nothing has told them apart, get VERDICT_MODES_TOO_NEAR in place of their figures, unless one of
 * the steady lines is in their bands, which may be what is left. Less is enough of modes that share a band, in which a
 * further one hides; and what shares a band with one that got it, or that is not determined, gets it, too. Where bands
 * with that verdict overlap others the reason of the modes of these says that they are doubtful. VERDICT_OK or
 * VERDICT_NO_MEMORY. */
enum verdict unexplained_modes_name(const struct ring_down_samples *samples, const struct identify_settings *settings,
                                    struct ring_down *ring_down);

/* Likewise those that are no more than what may be left of steady lines, where these were taken away of the samples,
 * and of which law and backbone leave more than a joint can make. */
void unexplained_modes_name_at_lines(const struct ring_down_samples *samples, const struct identify_settings *settings,
                                     struct ring_down *ring_down);

#endif
