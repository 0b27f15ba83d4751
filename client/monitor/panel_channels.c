/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rigs and channels: what each measures, how quiet it is, what it does and what it found last. */

#include "client/describe.h"
#include "client/monitor/panels.h"
#include "client/monitor/sheet.h"
#include "client/reply.h"
#include "client/signal_warning.h"
#include "client/text_width.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* A number that changes all the time keeps its place. */
enum { NUMBER_COLUMNS = 10 };

static struct phrase to_the_right(struct phrase words, int columns)
{
    const int missing = columns - (int)text_width(words.text);
    return phrase_format("%*s%s", missing > 0 ? missing : 0, "", words.text);
}

/* With the decimals that stand out of the noise; so it does not flicker either. */
static struct phrase value_text(const json_t *facts, const struct column *column, const struct glyphs *glyphs)
{
    const json_t *state = json_object_get(facts, "state");
    const double value = reply_number(state, "displacement"), noise = reply_number(state, "noise_floor");
    const char *unit = reply_text(facts, "unit", "");
    (void)column;
    if (isnan(value))
        return to_the_right(phrase_format("%s", glyphs->missing), NUMBER_COLUMNS);
    if (!(noise > 1e-9 && noise < 1e6 && fabs(value) < 1e7))
        return to_the_right(figure_rounded(value, 4, unit, glyphs), NUMBER_COLUMNS);
    const int decimals = noise < 1 ? (int)ceil(-log10(noise)) : 0;
    const struct phrase digits = phrase_format("%.*f", decimals, fabs(value));
    const bool zero = digits.text[strspn(digits.text, "0.")] == '\0';
    return to_the_right(phrase_format("%s%s%s%s", value < 0 && !zero ? glyphs->minus : "", digits.text,
                                      strcmp(unit, "1") == 0 || !*unit ? "" : " ", strcmp(unit, "1") == 0 ? "" : unit),
                        NUMBER_COLUMNS);
}

static struct phrase noise_text(const json_t *facts, const struct column *column, const struct glyphs *glyphs)
{
    const double noise = reply_number(json_object_get(facts, "state"), column->quantity);
    return to_the_right(figure_rounded(noise, 2, reply_text(facts, "unit", ""), glyphs), NUMBER_COLUMNS);
}

/* The phase of a running rig, else its condition. */
static struct phrase state_text(const json_t *facts, const struct column *column, const struct glyphs *glyphs)
{
    const char *condition = reply_text(facts, "condition", "running");
    const char *phase = reply_text(json_object_get(facts, "state"), "phase", glyphs->missing);
    (void)column;
    return phrase_format("%-8s", strcmp(condition, "running") == 0 ? phase : condition);
}

static struct phrase last_text(const json_t *facts, const struct column *column, const struct glyphs *glyphs)
{
    const json_t *last = json_object_get(facts, "last");
    const char *verdict = reply_text(last, "verdict", NULL);
    (void)column;
    (void)glyphs;
    return phrase_format("%s", verdict ? verdict : "none yet");
}

static struct phrase last_id_text(const json_t *facts, const struct column *column, const struct glyphs *glyphs)
{
    const json_t *last = json_object_get(facts, "last");
    (void)column;
    if (!json_is_object(last))
        return phrase_format("%s", glyphs->missing);
    return phrase_format("#%lld %s", (long long)reply_integer(last, "id", 0),
                         describe_ago(reply_text(last, "at", ""), (int64_t)time(NULL)).text);
}

static struct phrase warning_text(const json_t *facts, const struct column *column, const struct glyphs *glyphs)
{
    (void)column;
    (void)glyphs;
    return signal_warning(facts);
}

static struct phrase source_text(const json_t *facts, const struct column *column, const struct glyphs *glyphs)
{
    (void)column;
    (void)glyphs;
    return phrase_format("%s", describe_source_kind(json_object_get(facts, "source")));
}

static const struct column columns[] = {
    {.name = "rig", .header = "RIG", .quantity = "rig", .rank = 2, .apart = 1, .text = sheet_member},
    {.name = "channel", .header = "CHANNEL", .quantity = "channel", .text = sheet_member},
    {.name = "value", .header = "     VALUE", .text = value_text},
    {.name = "noise", .header = "     NOISE", .quantity = "noise_floor", .rank = 4, .text = noise_text},
    {.name = "state", .header = "STATE", .text = state_text},
    {.name = "last", .header = "LAST", .rank = 3, .judges = true, .text = last_text},
    {.name = "last_id", .header = "RESULT", .rank = 5, .text = last_id_text},
    {.name = "source", .header = "SOURCE", .rank = 6, .text = source_text},
    {.name = "warning", .header = "SIGNAL", .rank = 1, .text = warning_text},
};

void panel_channels_draw(const struct scene *scene, struct area area)
{
    const struct model *model = scene->model;
    json_t *list = json_array();
    for (size_t i = 0; i < model->channel_count; i++)
        json_array_append(list, model->channels[i].facts);
    const struct sheet sheet = {.columns = columns,
                                .column_count = sizeof columns / sizeof columns[0],
                                .objects = list,
                                .chosen = scene->view->channel,
                                .active = scene->view->focus == FOCUS_CHANNELS};
    sheet_draw(scene->canvas, area, &sheet, scene->glyphs);
    if (model->channel_count == 0)
        canvas_sentence(scene->canvas, area, 1, 2, STYLE_QUIET,
                        model->status ? "no rig is configured: see fricid.conf(5)" : "the daemon is asked",
                        scene->glyphs->to);
    json_decref(list);
}
