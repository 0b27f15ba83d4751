/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Displacement and velocity by local cubics; of a velocity that was measured these alone. */

#include "identify/loop/friction_motion.h"
#include "identify/loop/local_cubic.h"

#include <math.h>

/* On either side. */
enum { NEIGHBOURS_MOST = 32 };

void friction_smooth(const struct loop_signal *signal, struct contact_sample *samples)
{
    struct cubic_series series = {signal->time_s, signal->displacement, signal->count, signal->noise_displacement};
    if (signal->velocity) {
        series.values = signal->velocity;
        series.noise = loop_noise(signal->time_s, signal->velocity, signal->count, -INFINITY, INFINITY);
    }
    const size_t half = local_cubic_window(&series, NEIGHBOURS_MOST);
    for (size_t i = 0; i < signal->count; i++) {
        const struct local_cubic cubic = local_cubic_at(&series, i, half);
        samples[i] = signal->velocity ? (struct contact_sample){signal->time_s[i], signal->displacement[i], cubic.value}
                                      : (struct contact_sample){signal->time_s[i], cubic.value, cubic.slope};
    }
}
