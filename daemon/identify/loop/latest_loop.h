/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LATEST_LOOP_H
#define FRICID_IDENTIFY_LATEST_LOOP_H

#include "identify/loop/contact_settings.h"
#include "identify/loop/loop_figures.h"

/* The figures of the loop whose lower, upper and next lower extreme samples are these, of a signal that goes somewhat
 * beyond it on either side, at the contact (contact_correct()); its noises are filled in. 0, -EINVAL where they are not
 * in this order, -ERANGE where delays leave too few samples, or -ENOMEM. */
int latest_loop_figures(struct loop_signal *signal, const struct contact_settings *contact, const size_t extreme[3],
                        struct loop_figures *figures);

#endif
