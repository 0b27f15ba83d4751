/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A notification is written once, whatever the number of its readers. Counted without locks: all of this lives in
 * the event loop. */

#include "service/notice.h"

#include "proto/jsonrpc.h"
#include "report/result_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *topic_name(unsigned index)
{
    static const char *const names[TOPICS] = {"result", "event", "progress", "signal"};
    return names[index];
}

struct notice *notice_create(enum topic topic, uint64_t seq, const char *method, json_t *params)
{
    size_t length;
    char *line = jsonrpc_line(jsonrpc_notification(method, params), &length);
    struct notice *notice = line ? malloc(sizeof *notice + length + 1) : NULL;
    if (notice) {
        *notice = (struct notice){.references = 1, .topic = topic, .seq = seq, .length = length};
        memcpy(notice->line, line, length + 1);
    }
    free(line);
    return notice;
}

struct notice *notice_from_line(enum topic topic, uint64_t seq, const char *line)
{
    size_t length = strcspn(line, "\n");
    struct notice *notice = malloc(sizeof *notice + length + 2);
    if (!notice)
        return NULL;
    *notice = (struct notice){.references = 1, .topic = topic, .seq = seq, .length = length + 1};
    memcpy(notice->line, line, length);
    memcpy(notice->line + length, "\n", 2);
    return notice;
}

struct notice *notice_of_result(const char *document, uint64_t seq, uint64_t run_id)
{
    char before[128];
    snprintf(before, sizeof before,
             "{\"jsonrpc\":\"2.0\",\"method\":\"notify.result\",\"params\":{\"seq\":%" PRIu64 ",\"result\":", seq);
    char *line = text_around_result(before, document, (struct result_numbers){seq, run_id}, "}}");
    struct notice *notice = line ? notice_from_line(TOPIC_RESULT, seq, line) : NULL;
    free(line);
    return notice;
}

struct notice *notice_reference(struct notice *notice)
{
    notice->references++;
    return notice;
}

void notice_release(struct notice *notice)
{
    if (notice && --notice->references == 0)
        free(notice);
}
