/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From results to JSON: gathered in a view, written by its table. */

#include "report/result_json.h"

#include "report/kinds/record_kind.h"
#include "report/result_view.h"
#include "report/section_json.h"
#include "report/tables.h"

#include <string.h>

/* An object has one reason: that of what was found stands behind that of where it came from. */
static int join_reasons(const json_t *whole, json_t *found)
{
    const char *first = json_string_value(json_object_get(whole, "reason"));
    const char *second = json_string_value(json_object_get(found, "reason"));
    if (!first || (second && strcmp(first, second) == 0))
        return 0;
    if (second && strstr(first, second))
        second = NULL;
    return json_object_set_new(found, "reason", second ? json_sprintf("%s; %s", first, second) : json_string(first));
}

/* Its identity, and what its kind found behind that. */
static json_t *handed_to_json(const struct kept_result *result, uint64_t seq)
{
    const struct record_kind *kind = record_kind_named(result->of->origin.kind);
    struct reason_text reason;
    const struct handed_view view = handed_view_of(result, seq, &reason);
    json_t *whole = section_to_json(&handed_table, &view), *found = section_to_json(kind->section, result->found);
    const bool made = whole && found && join_reasons(whole, found) == 0 && json_object_update(whole, found) == 0;
    json_decref(found);
    if (made)
        return whole;
    json_decref(whole);
    return NULL;
}

json_t *result_to_json(const struct kept_result *result, uint64_t seq)
{
    if (result->found)
        return handed_to_json(result, seq);
    struct reason_text reason;
    const struct result_view view = result_view_of(result, seq, &reason);
    return section_to_json(&result_table, &view);
}

json_t *result_summary_to_json(const struct kept_result *result, uint64_t seq)
{
    struct reason_text reason;
    const struct summary_view view = summary_view_of(result, seq, &reason);
    return section_to_json(&summary_table, &view);
}
