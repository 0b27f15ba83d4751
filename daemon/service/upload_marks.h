/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_UPLOAD_MARKS_H
#define FRICID_SERVICE_UPLOAD_MARKS_H

#include "proto/complaint.h"
#include "proto/jsonrpc.h"
#include "service/upload_state.h"

/* What a piece of a record says of its samples beside their values: before which of them some are missing, and which
 * are clipped. Samples are counted from 0 in each piece. */

/* Whether the marks in the checked parameters fit a piece of `count` samples that follow those which are there; else a
 * complaint. */
bool upload_marks_fit(const struct upload *upload, const json_t *params, size_t count, struct complaint *complaint);

/* Takes them over, of a piece that fits and has its room: see upload_append(). 0, or JSONRPC_BUSY and a complaint; the
 * record is then as it was. */
enum jsonrpc_error upload_marks_take(struct upload *upload, const json_t *params, struct complaint *complaint);

#endif
