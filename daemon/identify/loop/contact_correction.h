/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_CONTACT_CORRECTION_H
#define FRICID_IDENTIFY_CONTACT_CORRECTION_H

#include "identify/loop/contact_settings.h"
#include "identify/loop/loop_signal.h"

#include <stdatomic.h>

/* From what the channels of a driven contact told to what happened at the contact: force and normal force get their
 * signs and are brought to the time of the displacement, the force is freed of the inertia of what moves with the
 * contact, and the displacement of what the force bends on its way. */

struct contact_correction {
    double *room; /* owned: contact_correction_clear() */
    struct loop_signal signal;
};

/* Of a measured signal with its noises. Samples at its ends for which the delays of `nominal` leave no force are left
 * out; `settings` may depart from these a little. 0, -ENOMEM, -ERANGE where too few samples are left, or -ECANCELED.
 * cancel: may be NULL. */
int contact_correct(const struct contact_settings *settings, const struct contact_settings *nominal,
                    const struct loop_signal *measured, const atomic_bool *cancel,
                    struct contact_correction *correction);
void contact_correction_clear(struct contact_correction *correction);

#endif
