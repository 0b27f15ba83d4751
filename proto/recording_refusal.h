/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_RECORDING_REFUSAL_H
#define FRICID_PROTO_RECORDING_REFUSAL_H

#include "proto/complaint.h"

#include <stddef.h>

struct recording_reader;

/* Finds out why the line read last was refused as a row: -EBADMSG, and a complaint with file and line. */
int recording_refuse_row(struct recording_reader *reader, const char *line, size_t length, struct complaint *complaint);

#endif
