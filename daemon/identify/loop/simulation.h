/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_SIMULATION_H
#define FRICID_IDENTIFY_SIMULATION_H

#include "identify/loop/contact_force.h"

/* What a contact does, of which one thing is known over time: its motion, or the force that pushes the mass on it. */

struct simulation_input {
    const double *time_s;
    const double *displacement; /* NULL: the force is known */
    const double *force;        /* beside a displacement: measured, and compared; may be NULL there */
    size_t count;               /* of each */
    double mass;                /* of what is pushed; where the displacement is known it counts nothing */
};

struct simulation {
    double *room; /* owned: simulation_clear() */
    /* At each of `count` samples: */
    double *displacement, *velocity; /* the motion, smoothed where it was known; one that is pushed begins at rest */
    double *force;                   /* that the contact holds against it */
    double *se;                      /* standard uncertainty of that; NULL of a mass that is pushed */
    size_t count;
    size_t gaps;         /* behind each of which nobody knows anew how the contact is loaded */
    size_t known_from;   /* from this sample on the start is forgotten, until the first gap; count: nowhere */
    double residual_rms; /* where the start is forgotten, of a force that was measured; NAN: none was */
};

/* Verdicts: VERDICT_OK; what is wrong with the samples; those of contact_force() and contact_motion().
 * simulation_clear() in any case. */
enum verdict simulate(const struct known_contact *contact, const struct simulation_input *input,
                      const atomic_bool *cancel, struct simulation *simulation);
void simulation_clear(struct simulation *simulation);

#endif
