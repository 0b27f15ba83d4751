/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_UPLOAD_STATE_H
#define FRICID_SERVICE_UPLOAD_STATE_H

#include "service/backend.h"
#include "service/memory_budget.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* A record on its way from a client, and how much of it there may be. */

enum {
    UPLOAD_MAX_SAMPLES = 10000000, /* of one record */
    UPLOAD_MAX_CHUNK = 8192,       /* samples of one request */
    UPLOADS_OF_A_CLIENT = 4,       /* unfinished, or with results to be fetched, at once */
    UPLOAD_MAX_PAGE = 50,          /* results in one answer, where a client asks for pages */
};

struct call;
struct simulation_upload;

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
    struct simulation_upload *simulation; /* owned: what is to be simulated with it; NULL: it is to be identified */
    /* Once it is identified, and has more results than that, or is simulated: */
    bool identified;
    struct kept_result **results; /* owned; those that were fetched are NULL */
    size_t result_count;
    uint64_t drops[DROP_REASONS];
};

#endif
