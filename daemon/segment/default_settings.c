/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "segment/segment_settings.h"

#include <math.h>

/* Two hours and four million samples are beyond any decay of a laboratory rig, and bound the memory of a channel. */
struct segment_settings segment_default_settings(void)
{
    return (struct segment_settings){
        .start_below = NAN,
        .stop_below = NAN,
        .min_half_cycles = 3,
        .pretrigger_cycles = 2,
        .max_duration_s = 7200,
        .max_samples = 4000000,
        .resolution = 0,
        .stamps_tell_holes = true,
    };
}

bool segment_settings_limit(struct segment_settings *settings, double most, double least)
{
    if (most > 0)
        settings->start_below = most;
    if (least > 0)
        settings->stop_below = least;
    return !(settings->stop_below >= settings->start_below); /* NAN, no limit, leaves room */
}
