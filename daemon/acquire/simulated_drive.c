/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "acquire/simulated_drive.h"

#include <math.h>
#include <stdbool.h>

/* From this share of the first amplitude on decreasing cycles begin again. */
static const double smallest_share = 0.05;

const char *simulated_drive_name(size_t shape)
{
    static const char *const names[SIMULATED_DRIVES] = {NULL, "sine", "triangle", "trapezoid", "decreasing", "steps"};
    return shape < SIMULATED_DRIVES ? names[shape] : NULL;
}

struct simulated_leg simulated_leg_begin(const struct simulated_drive_settings *drive, uint64_t number, double start_s,
                                         double from_m)
{
    double amplitude = drive->amplitude_m, half_period_s = 0.5 / drive->frequency_hz;
    if (drive->shape == SIMULATED_DECREASING) {
        const double smaller = fabs(from_m) * sqrt(1 - drive->decrease);
        amplitude = smaller < smallest_share * drive->amplitude_m ? drive->amplitude_m : smaller;
    } else if (drive->shape == SIMULATED_STEPS) {
        const uint64_t taken = number / (2 * (uint64_t)drive->step_cycles) % drive->steps;
        half_period_s /= pow(drive->step_factor, (double)taken);
    }
    const double dwell_s = drive->shape == SIMULATED_TRAPEZOID ? drive->dwell_s : 0;
    return (struct simulated_leg){.start_s = start_s,
                                  .moves_s = half_period_s - dwell_s,
                                  .ends_s = start_s + half_period_s,
                                  .from_m = from_m,
                                  .to_m = number % 2 == 0 ? amplitude : -amplitude};
}

static bool is_smooth(const struct simulated_drive_settings *drive)
{
    return drive->shape == SIMULATED_SINE || drive->shape == SIMULATED_DECREASING;
}

double simulated_leg_displacement(const struct simulated_drive_settings *drive, const struct simulated_leg *leg,
                                  double time_s)
{
    const double share = fmin(fmax((time_s - leg->start_s) / leg->moves_s, 0), 1);
    return leg->from_m + (leg->to_m - leg->from_m) * (is_smooth(drive) ? 0.5 - 0.5 * cos(M_PI * share) : share);
}

double simulated_leg_velocity(const struct simulated_drive_settings *drive, const struct simulated_leg *leg,
                              double time_s)
{
    const double share = (time_s - leg->start_s) / leg->moves_s;
    const double mean = share < 0 || share > 1 ? 0 : (leg->to_m - leg->from_m) / leg->moves_s;
    return is_smooth(drive) ? mean * 0.5 * M_PI * sin(M_PI * share) : mean;
}
