/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_REPAIR_H
#define FRICID_STORE_REPAIR_H

#include "store/stored_rows.h"

#include <stddef.h>
#include <stdio.h>

/* Makes `made`, a new store, of what can be read of the files of others and of the logs beside them, whatever is
 * damaged there. They are only read, and nobody may write to them meanwhile. Every row counts that stands whole on a
 * page of its table and whose checksum fits; samples count from either of the two places that they have. The ids of
 * decays stay what they were: -EEXIST, when two files have another decay under the same id, and -ENODATA, when none
 * of them has anything of a store. Of several files the later ones count first, and notifications are numbered anew.
 * `is_ended`, asked every moment, breaks it off with -EINTR. The report says what there is now, and how much is lost,
 * or why it could not be done; then nothing was made. The ids of all decays whose samples are lost are written to
 * `lost` as "3, 7"; NULL: nowhere. */
int repair_stores(const char *const *files, size_t count, const char *made, int (*is_ended)(void *unused), FILE *lost,
                  struct complaint *report);

/* Makes `made`, a new store without decays, which goes on behind a damaged one: with its set-ups, configurations and
 * numbering, and with ids behind those that it gave away, as far as they can be read there. */
int repair_follow(const char *damaged, const char *made, struct stored_numbers *numbers, struct complaint *report);

#endif
