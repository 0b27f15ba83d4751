/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_IDENTIFY_H
#define FRICID_IDENTIFY_IDENTIFY_H

#include "identify/decay/identification.h"
#include "identify/decay/record.h"
#include "identify/ladder/joint.h"
#include "identify/record_analysis.h"

/* The one entry to the science: a record in, an identification out. No I/O, no globals; several threads may call it
 * at once. Returns identification->verdict; every member is set whatever the verdict, and what could not be determined
 * is NAN. identification_clear() frees what the sections own.
 *
 * rest: position NAN, or NULL, when nobody saw the mass come to rest; a tail at rest in the record itself is then used.
 * The full-record fit is recommended when its verdict is ok and its phase follows the record: no drift of the frequency
 * puts it out of phase by more than 0.05 rad, or makes up most of its residual. Else it is the extrema-only fit, which
 * does not mind a frequency that drifts. identify_ladder() may recommend its own section afterwards. Static friction
 * and physical quantities are those of the recommended section. */
enum verdict identify(const struct decay_record *record, const struct rest_observation *rest,
                      const struct identify_settings *settings, struct identification *identification);

#endif
