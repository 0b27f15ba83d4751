/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_GUNZIP_H
#define FRICID_PROTO_GUNZIP_H

#include "proto/dialect/byte_source.h"

#include <stdbool.h>
#include <stddef.h>

/* Files that gzip packed. */

/* Whether the first bytes of a file are those of one. */
bool gunzip_knows(const char *bytes, size_t count);

/* What is packed in a source; takes it over in any case. NULL with an errno and a complaint, -ENOTSUP where fricid was
 * built without zlib. */
struct byte_source *gunzip_open(struct byte_source *source, int *error, struct complaint *complaint);

#endif
