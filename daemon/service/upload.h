/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_UPLOAD_H
#define FRICID_SERVICE_UPLOAD_H

#include "proto/complaint.h"
#include "proto/jsonrpc.h"
#include "service/upload_state.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Records that clients send to have them identified. What they occupy, the decays that are found in them and their
 * results are counted against one budget, from the first sample until the last result was fetched. */

/* A record without samples yet, out of the checked parameters of identify or identify.begin. NULL and *code with a
 * complaint when they contradict each other or memory is short. The budget outlives the record. */
struct upload *upload_begin(const json_t *params, struct memory_budget *budget, enum jsonrpc_error *code,
                            struct complaint *complaint);

/* The same of a table of that form, which is to be simulated: upload->simulation is cleared. */
struct upload *upload_begin_simulation(const struct kind_form *form, struct memory_budget *budget,
                                       enum jsonrpc_error *code, struct complaint *complaint);

/* Appends the samples in the checked parameters. 0, or the code of an error and a complaint; the record is then as it
 * was. */
enum jsonrpc_error upload_append(struct upload *upload, const json_t *params, struct complaint *complaint);

/* How many samples it has; of a table, how many rows. */
size_t upload_rows(const struct upload *upload);

/* Whether the figures of a table that is complete can be calculated with. False with a complaint. */
bool upload_figures_fit(const struct upload *upload, struct complaint *complaint);

/* Keeps the results, all of which it takes over, to be fetched later; the samples, which the backend had, count no
 * more. False when memory is short: they stay then. */
bool upload_keep_results(struct upload *upload, struct kept_result **results, size_t count,
                         const uint64_t drops[DROP_REASONS]);

/* The record is unfinished again, as it was before it was handed to the backend: takes the samples over, out of the
 * request that has them, and what was found counts no more. */
void upload_take_back(struct upload *upload, struct identify_request *request);

/* Frees the record and gives its bytes back; NULL is fine. */
void upload_destroy(struct upload *upload);

#endif
