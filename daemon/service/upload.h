/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_UPLOAD_H
#define FRICID_SERVICE_UPLOAD_H

#include "proto/complaint.h"
#include "proto/jsonrpc.h"
#include "service/backend.h"
#include "service/memory_budget.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Records that clients send to have them identified. What they occupy, the decays that are found in them and their
 * results are counted against one budget, from the first sample until the last result was fetched. */

enum {
    UPLOAD_MAX_SAMPLES = 10000000,   /* of one record */
    UPLOAD_MAX_CHUNK = 8192,         /* samples of one request */
    UPLOADS_OF_A_CLIENT = 4,         /* unfinished, or with results to be fetched, at once */
    UPLOAD_MAX_PAGE = 50,            /* results in one answer, where a client asks for pages */
    UPLOAD_BUDGET_BYTES = 256 << 20, /* over all clients */
};

struct call;

struct upload {
    struct upload *next;
    json_int_t number; /* the client's name for it; 0: a record that came in one request */
    struct identify_request request;
    size_t capacity; /* samples that the arrays have room for */
    bool time_stamped;
    struct memory_charge charge; /* of the samples and, while it is identified and from then on, of what was found */
    size_t sample_bytes;         /* of these the samples' and their marks' */
    size_t limit;                /* results in one answer; 0: all of them, whatever becomes of it */
    bool has_place;              /* it is one of the client's few, from when it was accepted until it is gone */
    /* What waits for the backend's answer. NULL with the backend: the client has gone, and the bytes stay reserved
     * until the backend lets go of them. */
    struct call *call;
    /* Once it is identified, and has more results than that: */
    bool identified;
    struct kept_result **results; /* owned; those that were fetched are NULL */
    size_t result_count;
    uint64_t drops[DROP_REASONS];
};

/* A record without samples yet, out of the checked parameters of identify or identify.begin. NULL and *code with a
 * complaint when they contradict each other or memory is short. The budget outlives the record. */
struct upload *upload_begin(const json_t *params, struct memory_budget *budget, enum jsonrpc_error *code,
                            struct complaint *complaint);

/* Appends the samples in the checked parameters. 0, or the code of an error and a complaint; the record is then as it
 * was. */
enum jsonrpc_error upload_append(struct upload *upload, const json_t *params, struct complaint *complaint);

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
