/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a daemon cannot take comes from the command line or a file; beside that only a lack of permission has an exit
 * status of its own; the sentence tells all else. */

#include "client/refusal.h"

#include "client/reply.h"
#include "proto/jsonrpc.h"

enum exit_status refusal_told(const json_t *error, struct complaint *complaint)
{
    int64_t code = reply_integer(error, "code", 0);
    const json_t *data = json_object_get(error, "data");
    complaint_set(complaint, "%s", reply_text(error, "message", "fricidd refused without saying why"));
    if (code == JSONRPC_NOT_PERMITTED)
        return STATUS_NOT_PERMITTED;
    if (code == JSONRPC_INVALID_PARAMS)
        return STATUS_USAGE;
    if (code == JSONRPC_HISTORY_GONE)
        complaint_set(complaint, "%s (the oldest number held is %lld, the next one will be %lld)",
                      reply_text(error, "message", "that part of the history is gone"),
                      (long long)reply_integer(data, "oldest_seq", 0), (long long)reply_integer(data, "next_seq", 0));
    return STATUS_FAILED;
}
