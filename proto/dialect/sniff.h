/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_SNIFF_H
#define FRICID_PROTO_SNIFF_H

#include "proto/complaint.h"
#include "proto/dialect/layout.h"
#include "proto/dialect/sample.h"

/* Finds out from the first lines of a text, and from what is said beside it, how its rows are laid out. Where nothing
 * looks like a row it is plain: then the reader of recordings says what is wrong. 0, or a negative errno and a
 * complaint without the file's name: -EBADMSG when it can be read in several ways. layout_clear() in any case. */
int sniff(const struct sample *sample, const struct recording_manner *manner, struct layout *layout,
          struct complaint *complaint);

void layout_clear(struct layout *layout);

#endif
