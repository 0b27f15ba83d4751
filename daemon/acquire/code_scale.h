/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_CODE_SCALE_H
#define FRICID_ACQUIRE_CODE_SCALE_H

#include "proto/calibration.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CODE_SCALE_MAX_TERMS = 4 };

/* How the integers that a device delivers become displacement:
 *
 *     sensor value = (c[0] + c[1] u + c[2] u² + …) / divisor,   u = code - origin,   by Horner's rule
 *     displacement = calibration(sensor value) - zero
 *
 * A source that announces a scale makes its displacements with code_scale_displacement() or with the same operations in
 * the same order. The integers can then be had back from the displacements, exactly, and are what the store keeps. */
struct code_scale {
    size_t terms; /* 0: the device delivers no integers (a recording) */
    double coefficients[CODE_SCALE_MAX_TERMS];
    double origin;  /* of the codes; 0 unless the card's own calibration has one */
    double divisor; /* 1; for a counter its counts per unit */
    double zero;    /* displacement unit; 0 unless the channel was zeroed */
    struct calibration calibration;
};

double code_scale_displacement(const struct code_scale *scale, int64_t code);

/* The code whose displacement is exactly this one, bit for bit; `near`: a code not far from it, the one before as a
 * rule. False when there is none: the displacement is then not the device's alone. */
bool code_scale_code(const struct code_scale *scale, double displacement, int64_t near, int64_t *code);

#endif
