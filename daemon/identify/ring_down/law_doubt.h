/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LAW_DOUBT_H
#define FRICID_IDENTIFY_LAW_DOUBT_H

#include "identify/ring_down/backbone.h"
#include "identify/ring_down/mode_laws.h"

/* Adds to the standard errors of a mode's curve, by its law or with deviations from that, what another law says that is
 * likelier than chance: of a joint in microslip, that of one that slips as a whole; of one that does, that its
 * stiffness falls at phi_max and not around it. by_law: the errors are those of the law, which have already what was
 * admitted of a joint that may slip. Beside them, of a joint in microslip, slip_omega and the like: how far they are
 * off if it slips as a whole, from the least phi_max on that the record does not contradict, as shares at least as
 * large as at smaller amplitudes. points: from the largest amplitude down. */
void law_doubt_add(const struct mode_laws *laws, bool by_law, struct backbone_point *points, size_t count);

/* Widens the standard errors of a linear law's curve to what its backbone leaves open, for a record in which no joint
 * shows may still be of a weak one: to the root of the backbone's variance and the square of its distance from the law,
 * between its points by ln amplitude; and by the distance of the law of a joint, where that is likelier by more than
 * its standard error. Both curves from the largest amplitude down; backbone: at least one point. */
void law_doubt_of_linear(const struct mode_laws *laws, const struct backbone_point *backbone, size_t points,
                         struct backbone_point *law, size_t count);

#endif
