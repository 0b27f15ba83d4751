/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_KINDS_RECORDING_SENSORS_H
#define FRICID_KINDS_RECORDING_SENSORS_H

#include "proto/recording.h"
#include "report/kinds/record_kind.h"

#include <stddef.h>

/* What a channel of a recording is of; said: what it is said to be of; "": nothing is said. NULL: there is no such
 * kind. In a recording of fricidctl a channel was configured, so that its name says nothing more. */
const struct record_kind *recording_kind(const struct recording *recording, const char *said, size_t channel);

/* Which channels of a recording are one record with this one: those in the same unit, be it spelled otherwise, where
 * that is of a kind of which sensors may be several. said: what they are said to be of; "": nothing is said. How many,
 * this one first, as many as a record may have; 0: it is in the record of an earlier one. room: as many as there are
 * channels. */
size_t sensors_together(const struct recording *recording, const char *said, size_t channel, size_t *room);

/* What becomes of channels with holes (struct recording). Of several sensors of one structure those are taken out,
 * which its read_as tells, and the others stay. file: how a complaint calls it; only: the channel that is wanted alone;
 * NULL: all are. 0, or -EBADMSG and a complaint with the line: nothing is left without them. */
int recording_settle_holes(struct recording *recording, const char *file, const char *said, const char *only,
                           struct complaint *complaint);

/* Their names with commas between them, as a record has them; cut where there is no room. */
void sensor_names(const struct recording *recording, const size_t *channels, size_t count, char *text, size_t size);

#endif
