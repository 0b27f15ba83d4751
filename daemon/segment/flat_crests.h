/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_FLAT_CRESTS_H
#define FRICID_SEGMENT_FLAT_CRESTS_H

#include "segment/candidate.h"
#include "segment/clipping.h"
#include "segment/sample_history.h"

/* A second look for clipping that nobody flagged, once the motion is known: coarse steps and noise hide from clipping.h
 * at what speed it ran into a limit, but not that it stood there for longer than a free motion of this swing and half
 * period can. Looks at the first crests of the candidate; a limit that is found becomes known to `clipping`, and the
 * samples at it are flagged. */
void flat_crests_mark(const struct candidate *candidate, struct sample_history *history, struct clipping *clipping,
                      const struct channel_noise *noise);

#endif
