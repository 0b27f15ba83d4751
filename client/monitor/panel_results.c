/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The last results, the newest first. */

#include "client/describe.h"
#include "client/monitor/panels.h"
#include "client/monitor/sheet.h"
#include "client/reply.h"

#include <string.h>

static struct phrase member_text(const json_t *row, const struct column *column, const struct glyphs *glyphs)
{
    return phrase_format("%s", reply_text(row, column->quantity, glyphs->missing));
}

static struct phrase id_text(const json_t *row, const struct column *column, const struct glyphs *glyphs)
{
    return phrase_format("#%s", describe_count(row, column->quantity, glyphs).text);
}

static struct phrase number_text(const json_t *row, const struct column *column, const struct glyphs *glyphs)
{
    return describe_count(row, column->quantity, glyphs);
}

/* The time of day, of "2026-11-21 14:00:03.204 UTC". */
static struct phrase time_text(const json_t *row, const struct column *column, const struct glyphs *glyphs)
{
    const char *moment = reply_text(row, column->quantity, NULL);
    if (!moment || strlen(moment) < sizeof "2026-11-21T14:00:03")
        return phrase_format("%s", glyphs->missing);
    return phrase_format("%.8s", moment + sizeof "2026-11-21T" - 1);
}

/* A first answer is not ok yet. */
static struct phrase verdict_text(const json_t *row, const struct column *column, const struct glyphs *glyphs)
{
    return reply_is_ok(row) && reply_true(row, "provisional") ? phrase_format("%s", SHEET_PROVISIONAL)
                                                              : member_text(row, column, glyphs);
}

static struct phrase source_text(const json_t *row, const struct column *column, const struct glyphs *glyphs)
{
    (void)column;
    (void)glyphs;
    return phrase_format("%s", describe_source_kind(json_object_get(row, "source")));
}

static const struct column columns[] = {
    {.name = "id", .header = "RESULT", .quantity = "id", .text = id_text},
    {.name = "released", .header = "TIME UTC", .quantity = "released_at", .rank = 4, .text = time_text},
    {.name = "rig", .header = "RIG", .quantity = "rig", .rank = 6, .apart = 1, .text = sheet_member},
    {.name = "channel", .header = "CHANNEL", .quantity = "channel", .rank = 3, .apart = 1, .text = sheet_member},
    {.name = "verdict", .header = "VERDICT", .quantity = "verdict", .judges = true, .text = verdict_text},
    {.name = "f_n", .quantity = "f_n_hz", .rank = 1, .text = member_text},
    {.name = "zeta", .quantity = "zeta", .rank = 2, .text = member_text},
    {.name = "x_k", .quantity = "x_k", .rank = 3, .text = member_text},
    {.name = "f_k", .quantity = "f_k_n", .rank = 5, .text = member_text},
    {.name = "half_cycles", .header = "HALF CYCLES", .quantity = "half_cycles", .rank = 8, .text = number_text},
    {.name = "source", .header = "SOURCE", .quantity = "source", .rank = 7, .text = source_text},
};

void panel_results_draw(const struct scene *scene, struct area area)
{
    const struct sheet sheet = {.columns = columns,
                                .column_count = sizeof columns / sizeof columns[0],
                                .objects = scene->model->results,
                                .chosen = view_chosen_result(scene->view, scene->model),
                                .active = scene->view->focus == FOCUS_RESULTS};
    sheet_draw(scene->canvas, area, &sheet, scene->glyphs);
    if (json_array_size(scene->model->results) == 0)
        canvas_write(scene->canvas, area, 1, 2, STYLE_QUIET, "no result yet");
}
