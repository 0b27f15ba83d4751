/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From results to JSON: gathered in a view, written by its table. */

#include "report/result_json.h"

#include "report/result_view.h"
#include "report/section_json.h"
#include "report/tables.h"

json_t *result_to_json(const struct kept_result *result, uint64_t seq)
{
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

json_t *restitution_to_json(const struct restitution *result, const char *file, const char *group)
{
    const struct restitution_view view = {file, group, *result};
    return section_to_json(&restitution_table, &view);
}
