/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_STOP_H
#define FRICID_IDENTIFY_FRICTION_STOP_H

#include <stdbool.h>

/* What a stop of a contact with backlash transmits when it is pressed: f(s) = (1 + (2 s - 1)/p)^p / 2, in units of the
 * force at which the contact slips, with s the way beyond the gap in units of that force over the stiffness. With p = 1
 * it is a spring, f = s; p = 3/2 is the power of Hertz's contact, which begins to transmit before the gap of the spring
 * ends. Gap and stiffness are those of the tangent where half of the force is transmitted, whatever p. */

/* f and its derivative by s. hardening: p >= 1. There is no force where s <= (1 - p)/2. */
struct stop_force {
    double force, by_way;
};
struct stop_force friction_stop_force(double way, double hardening);

/* The derivative of f by the logarithm of p. */
double friction_stop_by_hardening(double way, double hardening);

/* The largest p: a larger one is hardly told from a force that grows exponentially, which it comes to. */
#define FRICTION_MOST_HARDENING 8

/* Both stops of a contact. gap in units of (D_+ + D_-)/2; ratio: D_+/D_-; hardening: p. */
struct friction_stops {
    double gap, ratio, hardening;
};

/* D_+ (side 1) or D_- (side -1), in units of their mean. */
double friction_stop_length(const struct friction_stops *stops, double side);

/* How far a contact is displaced to a side where it slips, which is where both stops together transmit the force of
 * that side: this one transmits as much more as the other one still presses against it. In units of (D_+ + D_-)/2, with
 * derivatives by the gap, and by the logarithms of ratio and p. */
struct stop_limit {
    double way, by_gap, by_ratio, by_hardening;
};
struct stop_limit friction_stop_limit(const struct friction_stops *stops, double side);
double friction_stop_limit_way(const struct friction_stops *stops, double side);

/* Whether a contact has a gap: where it slips the other stop is not pressed. */
bool friction_stops_are_apart(const struct friction_stops *stops);

#endif
