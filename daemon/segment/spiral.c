/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "segment/spiral.h"

#include <math.h>

/* Large angles are halved until the series hold, and the spiral is squared as often. */
struct spiral spiral_at(double theta, double beta)
{
    int halvings = 0;
    for (; fabs(theta) > SPIRAL_NEAR || beta * fabs(theta) > SPIRAL_NEAR_DECAY; halvings++)
        theta *= 0.5;
    double x = beta * theta, xx = x * x, tt = theta * theta, t4 = tt * tt, t8 = t4 * t4;
    double decay = SPIRAL_DECAY(x, xx, xx * xx);
    struct spiral here = {decay * SPIRAL_COSINE(tt, t4, t8), decay * SPIRAL_SINE(theta, tt, t4, t8)};
    for (int i = 0; i < halvings; i++)
        here = spiral_turned(here, here);
    return here;
}
