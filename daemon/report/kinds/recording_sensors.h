/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_KINDS_RECORDING_SENSORS_H
#define FRICID_KINDS_RECORDING_SENSORS_H

#include "proto/recording.h"

#include <stddef.h>

/* Which channels of a recording are one record with this one: those in the same unit, where that is of a kind of which
 * sensors may be several. said: what they are said to be of; "": nothing is said. How many, this one first, as many as
 * a record may have; 0: it is in the record of an earlier one. room: as many as there are channels. */
size_t sensors_together(const struct recording *recording, const char *said, size_t channel, size_t *room);

/* Their names with commas between them, as a record has them; cut where there is no room. */
void sensor_names(const struct recording *recording, const size_t *channels, size_t count, char *text, size_t size);

#endif
