/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The little that the plain structs between service and daemon need beside their declarations. */

#include "service/backend.h"

#include <stdlib.h>

const char *rig_condition_name(enum rig_condition condition)
{
    static const char *const names[] = {
        [RIG_STARTING] = "starting", [RIG_RUNNING] = "running", [RIG_PAUSED] = "paused",
        [RIG_ENDED] = "ended",       [RIG_FAILED] = "failed",
    };
    return names[condition];
}

void identify_request_clear(struct identify_request *request)
{
    free(request->displacement);
    free(request->time_s);
    free(request->flags);
    free(request->gaps);
    request->displacement = NULL;
    request->time_s = NULL;
    request->flags = NULL;
    request->gaps = NULL;
    request->count = request->gap_count = 0;
}
