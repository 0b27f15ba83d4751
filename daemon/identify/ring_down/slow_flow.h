/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_SLOW_FLOW_H
#define FRICID_IDENTIFY_SLOW_FLOW_H

#include "identify/common/complex_number.h"
#include "identify/ring_down/amplitude_law.h"

/* What a sensor sees of a displacement. */
enum sensed { SENSED_DISPLACEMENT, SENSED_VELOCITY, SENSED_ACCELERATION };

/* A mode's motion q = Re{a e^(x + i psi)} by its law, from time 0 on, where x and psi are 0: a table along x from which
 * any time is interpolated. In x, both are integrals. */
struct slow_flow;

/* For motions up to duration_s; NULL: no memory. */
struct slow_flow *slow_flow_create(void);
void slow_flow_free(struct slow_flow *flow);

/* Follows the law up to duration_s, as that sensor sees it. False where the law has no such motion. */
bool slow_flow_follow(struct slow_flow *flow, const struct amplitude_law *law, enum sensed sensed, double duration_s);

/* The logarithm of the sensor's complex signal at a time, for a = 1; by_parameter, when not NULL, receives its
 * derivatives by the law's parameters. hint: 0 at first; where the search began, for increasing times. */
double complex slow_flow_at(const struct slow_flow *flow, double time_s, size_t *hint, double complex *by_parameter);

/* x alone, as slow_flow_at(). */
double slow_flow_amplitude(const struct slow_flow *flow, double time_s, size_t *hint);

#endif
