/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A line for each notification of `watch`. */

#include "client/notice.h"

#include "client/describe.h"
#include "client/figures.h"
#include "client/labels.h"
#include "client/reply.h"
#include "client/show_judgement.h"
#include "client/show_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "bearing lvdt", and a simulated rig is called one wherever it is named. */
static struct phrase place(const json_t *object)
{
    const char *rig = reply_text(object, "rig", "");
    const char *channel = reply_text(object, "channel", "");
    const char *kind = describe_source_kind(json_object_get(object, "source"));
    bool simulated = strcmp(kind, "SIMULATED") == 0;
    return phrase_format("%s%s%s%s%s", rig, *rig && *channel ? " " : "", channel, simulated ? " " : "",
                         simulated ? kind : "");
}

/* The figures that tell one decay from the next, with the combined uncertainty like `show`, which has the rest. */
static void print_figures(const json_t *result, const struct glyphs *glyphs, FILE *out)
{
    const struct section *table = recommended_table(result);
    struct field_cursor cursor = {0};
    fprintf(out, "%s", describe_damping(result).text);
    while (table && next_headline(table, reply_recommended(result), &cursor)) {
        const struct labelled field = labelled_field(&cursor.field, reply_displacement_unit(result), glyphs);
        const struct figure figure = judgement_figure(result, reply_recommended(result), field.name);
        if (isnan(figure.value)) /* of a term that is not in the model */
            continue;
        fprintf(out, ", %s %s", field.label, figure_short(&figure, field.unit.text, glyphs).text);
    }
}

static struct phrase verdict_words(const json_t *result, const struct glyphs *glyphs)
{
    return describe_verdict(reply_text(result, "verdict", "no verdict"), glyphs);
}

/* "; provisional: ..." behind the figures of a first answer. */
static void print_provisional(const json_t *result, FILE *out)
{
    const struct phrase words = describe_provisional(result);
    fprintf(out, "%s%s\n", *words.text ? "; " : "", words.text);
}

/* Of a record that was handed in; false for decays. */
static bool print_headlines(const json_t *result, const struct glyphs *glyphs, FILE *out)
{
    const struct record_kind *kind = shown_kind(result);
    if (!kind || !kind->section)
        return false;
    fprintf(out, "%s, ", kind->name);
    if (reply_is_ok(result))
        fprintf(out, "%s", describe_headlines(result, glyphs).text);
    else
        fprintf(out, "no figures, %s: %s", verdict_words(result, glyphs).text,
                reply_text(result, "reason", "no reason was given"));
    print_provisional(result, out);
    return true;
}

void notice_result(const json_t *params, const struct glyphs *glyphs, FILE *out)
{
    const json_t *result = json_object_get(params, "result");
    const json_t *record = json_object_get(result, "record");
    const char *reason = reply_text(json_object_get(result, "fit"), "reason", NULL);
    fprintf(out, "#%s %s", describe_count(result, "id", glyphs).text, place(result).text);
    if (reply_integer(result, "run_id", 0) > 0)
        fprintf(out, ", run %lld", (long long)reply_integer(result, "run_id", 0));
    if (reply_integer(result, "revision", 1) > 1)
        fprintf(out, ", revision %lld", (long long)reply_integer(result, "revision", 1));
    fprintf(out, ": ");
    if (print_headlines(result, glyphs, out))
        return;
    if (reply_is_ok(result))
        print_figures(result, glyphs, out);
    else
        fprintf(out, "no figures, %s%s%s", verdict_words(result, glyphs).text, reason ? ": " : "",
                reason ? reason : "");
    fprintf(out, "; %s half cycles, ended by %s", describe_count(record, "half_cycles", glyphs).text,
            reply_text(record, "ended_by", "an unknown cause"));
    print_provisional(result, out);
}

void notice_event(const json_t *params, const struct glyphs *glyphs, FILE *out)
{
    (void)glyphs;
    const json_t *event = json_object_get(params, "event");
    struct phrase where = place(event);
    fprintf(out, "%s %s%s%s: %s\n", describe_moment(reply_text(event, "at", "(time unknown)")).text, where.text,
            *where.text ? ": " : "", reply_text(event, "code", "event"), reply_text(event, "sentence", ""));
}

void notice_dropped(const json_t *params, const struct glyphs *glyphs, FILE *out)
{
    (void)glyphs;
    long long from = (long long)reply_integer(params, "from_seq", 0);
    long long to = (long long)reply_integer(params, "to_seq", 0);
    fprintf(out, "! notifications %lld to %lld were dropped: %s; see them with: fricidctl watch --from-seq %lld\n",
            from, to, reply_text(params, "reason", "this client read too slowly"), from);
}

struct phrase notice_progress(const json_t *params, const struct glyphs *glyphs)
{
    struct phrase state = describe_state(json_object_get(params, "state"), reply_text(params, "unit", ""), glyphs);
    return phrase_format("%s: %s", place(params).text, state.text);
}
