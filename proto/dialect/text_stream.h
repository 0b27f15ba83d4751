/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_TEXT_STREAM_H
#define FRICID_PROTO_TEXT_STREAM_H

#include "proto/complaint.h"
#include "proto/dialect/byte_source.h"

#include <stdio.h>

/* The bytes of a source as a stream, for who reads lines. It takes the source over in any case. An error while it is
 * read is told in *cause, which must outlive it. NULL when memory is short. */
FILE *text_stream_open(struct byte_source *source, struct complaint *cause);

#endif
