/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_TRANSLATE_H
#define FRICID_PROTO_TRANSLATE_H

#include "proto/dialect/byte_source.h"
#include "proto/dialect/layout.h"

/* The lines of a text as those of a recording, line by line, so that their numbers stay the same. What is no number
 * stays as it is, for the reader to complain of. Takes the source over in any case, and of the layout its header, which
 * it clears there. NULL when memory is short. */
struct byte_source *translate_open(struct byte_source *source, struct layout *layout);

#endif
