/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a signal shows to be wrong with the sensor or the sampling. */

#include "client/signal_warning.h"

#include "client/reply.h"

/* Noise without memory has a roughness of 1; above this, neighbours differ in sign too often for that. */
static const double rough = 1.4;

struct phrase signal_warning(const json_t *params)
{
    const json_t *measured = json_object_get(params, "signal"), *state = json_object_get(params, "state");
    const long long clipped = (long long)reply_integer(measured, "clipped_samples", 0);
    const double noise = reply_number(state, "noise_floor");
    if (clipped > 0)
        return phrase_format("! clipped: %lld of %lld samples", clipped,
                             (long long)reply_integer(measured, "samples", 0));
    /* A quiet converter that toggles between two codes is rough too, and harmless. */
    if (reply_number(measured, "roughness") > rough && reply_number(measured, "deviation") > 2 * noise)
        return phrase_format("! aliasing? filter it, or sample faster");
    return phrase_format("%s", "");
}
