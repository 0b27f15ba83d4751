/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_EXPORT_SAMPLES_H
#define FRICID_CLIENT_EXPORT_SAMPLES_H

#include "client/client.h"

#include <stdio.h>

/* The samples of records, one record's after the other's: as one object each, or as rows of one CSV table. */

/* All pages of a record's samples in one object, whose `count` is that of all; verbatim. NULL in *samples: they are not
 * held any more, or are lost. Anything but STATUS_OK has been explained on standard error. */
enum exit_status export_samples_ask(struct client *client, int64_t id, json_t **samples);

/* Adds to `names`, an object, the columns that the samples of a record have; *held: there are samples. Likewise. */
enum exit_status export_samples_names(struct client *client, int64_t id, json_t *names, bool *held);

/* The head of the table, and the rows of a record: its id, the number of the row, and the columns of these names, empty
 * where it has none of the name. False: memory is short. Whether the stream took it all, ferror() tells. */
void export_samples_head(const json_t *names, FILE *out);
bool export_samples_rows(const json_t *samples, int64_t id, const json_t *names, FILE *out);

#endif
