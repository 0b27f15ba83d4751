/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_STRUCK_STRUCTURE_H
#define FRICID_TESTS_STRUCK_STRUCTURE_H

#include <math.h>
#include <stddef.h>

/* A blow: a half sine of force. */
struct push {
    double at_s, length_s, strength;
};

/* Modes of a linear structure, of modal mass 1 and seen by an accelerometer where they are struck; integrated with
 * steps that are exact for a force that is constant in each. Adds to the samples. */
static inline void strike(const struct push *pushes, size_t count, const double *f_hz, size_t modes, double zeta,
                          double rate_hz, size_t sample_count, double *samples)
{
    for (size_t r = 0; r < modes; r++) {
        const double omega = 2 * M_PI * f_hz[r], decay = zeta * omega, damped = omega * sqrt(1 - zeta * zeta);
        const double h = 1 / rate_hz, fall = exp(-decay * h), c = cos(damped * h), s = sin(damped * h);
        double q = 0, v = 0;
        for (size_t i = 0; i < sample_count; i++) {
            const double time_s = (double)i / rate_hz;
            double force = 0;
            for (size_t k = 0; k < count; k++) {
                const double gone = (time_s - pushes[k].at_s) / pushes[k].length_s;
                force += gone > 0 && gone < 1 ? pushes[k].strength * sin(M_PI * gone) : 0;
            }
            samples[i] += force - 2 * decay * v - omega * omega * q;
            const double rest = force / (omega * omega), x = q - rest, w = (v + decay * x) / damped;
            q = rest + fall * (x * c + w * s);
            v = fall * ((-decay * x + damped * w) * c + (-decay * w - damped * x) * s);
        }
    }
}

#endif
