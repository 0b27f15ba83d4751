/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_SIMULATION_UPLOAD_H
#define FRICID_SERVICE_SIMULATION_UPLOAD_H

#include "service/backend.h"

#include <stdbool.h>

/* What a client wants simulated, beside the figures of its upload. */
struct simulation_upload {
    struct contact_task task;
    struct simulate_request request; /* of that; its `found` is owned, from when the backend has answered */
    bool at_once;                    /* all figures came in one request, which waits for the answer */
};

#endif
