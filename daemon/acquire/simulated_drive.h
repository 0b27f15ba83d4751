/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_SIMULATED_DRIVE_H
#define FRICID_ACQUIRE_SIMULATED_DRIVE_H

#include <stddef.h>
#include <stdint.h>

/* A drive that moves a contact to and fro, half cycle by half cycle. SI units. */

enum simulated_drive_shape {
    SIMULATED_NOT_DRIVEN,
    SIMULATED_SINE,
    SIMULATED_TRIANGLE,
    SIMULATED_TRAPEZOID,  /* a triangle that dwells at its ends */
    SIMULATED_DECREASING, /* half sines, each smaller than the one before; from a twentieth on it begins again */
    SIMULATED_STEPS,      /* triangles, after some cycles faster ones, and again from the first */
    SIMULATED_DRIVES
};
const char *simulated_drive_name(size_t shape); /* "sine", …; NULL behind the last, and for one that does not drive */

struct simulated_drive_settings {
    unsigned shape; /* enum simulated_drive_shape */
    double amplitude_m, frequency_hz;
    double dwell_s;     /* trapezoid: at each end, of the half period */
    double decrease;    /* decreasing: share by which a cycle is smaller */
    double step_factor; /* steps: how much faster the next step is */
    unsigned steps, step_cycles;
};

/* A half cycle: from one end to the other, then a dwell. */
struct simulated_leg {
    double start_s, moves_s, ends_s;
    double from_m, to_m;
};

/* The leg of that number, from 0, that begins when, and where, the one before ends; the first begins at -amplitude_m.
 */
struct simulated_leg simulated_leg_begin(const struct simulated_drive_settings *drive, uint64_t number, double start_s,
                                         double from_m);

/* Within the leg: m, m/s. */
double simulated_leg_displacement(const struct simulated_drive_settings *drive, const struct simulated_leg *leg,
                                  double time_s);
double simulated_leg_velocity(const struct simulated_drive_settings *drive, const struct simulated_leg *leg,
                              double time_s);

#endif
