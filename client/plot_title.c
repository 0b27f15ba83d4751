/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What stands above the picture of a decay, in lines that fit it. */

#include "client/plot_title.h"

#include "client/describe.h"
#include "client/labels.h"
#include "client/reply.h"
#include "client/show_friction_ladder.h"
#include "client/show_judgement.h"
#include "client/show_table.h"
#include "client/text_width.h"
#include "proto/quote.h"

#include <math.h>
#include <string.h>

/* As wide as a picture is. */
enum { COLUMNS = 96 };

/* Lines of a title. */
struct title {
    FILE *stream;
    const char *command; /* before the first of them */
    struct phrase line;
    size_t lines; /* that are ended */
};

static void end_line(struct title *title)
{
    if (!*title->line.text)
        return;
    fputs(title->lines > 0 ? ".\"\\n\"." : title->command, title->stream);
    quote_gnuplot(title->stream, title->line.text);
    title->lines++;
    title->line.text[0] = '\0';
}

/* Behind the others of the line, or where it does not fit into one of its own. */
static void put_part(struct title *title, const char *separator, const char *text)
{
    if (text_width(title->line.text) + text_width(separator) + text_width(text) > COLUMNS)
        end_line(title);
    title->line = phrase_format("%s%s%s", title->line.text, *title->line.text ? separator : "", text);
}

/* A sentence, broken where words end. */
static void put_sentence(struct title *title, const char *separator, const char *text)
{
    while (*text) {
        const size_t length = strcspn(text, " ");
        put_part(title, separator, phrase_format("%.*s", (int)length, text).text);
        text += length + strspn(text + length, " ");
        separator = " ";
    }
}

/* The figures; without an estimate why there is none. */
static void put_figures(const json_t *result, struct title *title, const struct glyphs *glyphs)
{
    const json_t *section = reply_recommended(result);
    const struct section *table = recommended_table(result);
    struct field_cursor cursor = {0};
    put_part(title, "", table ? describe_damping(result).text : reply_text(result, "verdict", "no verdict"));
    if (strcmp(reply_text(result, "recommended", ""), "extrema_fit") == 0)
        put_part(title, " ", "from the extrema alone");
    if (!table)
        put_sentence(title, ": ", reply_text(json_object_get(result, "fit"), "reason", "no reason was given"));
    while (table && next_headline(table, section, &cursor)) {
        const struct labelled field = labelled_field(&cursor.field, reply_displacement_unit(result), glyphs);
        const struct figure figure = judgement_figure(result, section, field.name);
        if (isnan(figure.value)) /* of a term that is not in the model */
            continue;
        put_part(title, ",  ",
                 phrase_format("%s = %s", field.label, figure_short(&figure, field.unit.text, glyphs).text).text);
    }
}

static void put_place(const json_t *result, struct title *title)
{
    const char *released = reply_text(result, "released_at", NULL);
    put_part(title, "", phrase_format("decay %lld", (long long)reply_integer(result, "id", 0)).text);
    put_part(title, ", ", phrase_format("rig %s", reply_text(result, "rig", "?")).text);
    put_part(title, ", ", phrase_format("channel %s", reply_text(result, "channel", "?")).text);
    put_part(title, ", ", describe_source_kind(json_object_get(result, "source")));
    if (released)
        put_part(title, ", ", phrase_format("released %s", describe_moment(released).text).text);
}

void plot_title_put(FILE *stream, const json_t *result, const char *of, const struct glyphs *glyphs)
{
    struct title title = {.stream = stream, .command = "set title "};
    if (of)
        put_part(&title, "", of);
    else
        put_place(result, &title);
    end_line(&title);
    put_figures(result, &title, glyphs);
    end_line(&title);
    put_part(&title, "", describe_provisional(result).text);
    end_line(&title);
    fputs(" noenhanced\n", stream);
}

struct phrase plot_record_name(const json_t *result, const char *of)
{
    return of ? phrase_format("%s", of)
              : phrase_format("record %lld, channel %s", (long long)reply_integer(result, "id", 0),
                              reply_text(result, "channel", "?"));
}

/* The colon stays with the name, wherever the line ends. */
static void put_record_name(const json_t *result, const char *of, struct title *title)
{
    const struct phrase name = plot_record_name(result, of);
    put_part(title, "", phrase_format("%.*s:", (int)text_fit(name.text, COLUMNS - 1), name.text).text);
}

/* Of several runs of loops the figures are those of one. */
static void put_main_run(struct title *title, const json_t *loop)
{
    const long long runs = reply_integer(loop, "runs", 0);
    if (runs > 1)
        put_part(title, ", ",
                 phrase_format("run %lld of %lld", (long long)reply_integer(loop, "main_run", 0), runs).text);
}

static void put_line(struct title *title, const char *sentence)
{
    end_line(title);
    put_sentence(title, "", sentence);
}

/* What is to be known of the figures, or of a picture that has no model. */
static void put_doubts(const json_t *result, struct title *title)
{
    const json_t *ladder = json_object_get(json_object_get(result, "loop"), "ladder");
    put_line(title, describe_provisional(result).text);
    if (lacks_friction_ladder(ladder) && !reply_true(result, "provisional")) {
        put_line(title, "no ladder of models:");
        put_sentence(title, " ", reply_text(ladder, "reason", "?"));
    }
    if (reply_true(json_object_get(result, "response"), "amplitude_dependent"))
        put_line(title, "not the peak of one linear resonance: the damping changes with the amplitude, or two are too "
                        "close to show");
}

size_t plot_record_title_put(FILE *stream, const char *command, const json_t *result, const char *of,
                             const struct glyphs *glyphs)
{
    struct title title = {.stream = stream, .command = command};
    struct field_cursor cursor = {0};
    const char *separator = " ";
    put_record_name(result, of, &title);
    if (!reply_is_ok(result)) {
        const char *why = show_why_not_ok(result);
        put_sentence(&title, separator, why ? why : reply_text(result, "reason", "?"));
    } else {
        struct phrase next = describe_next_headline(result, &cursor, glyphs);
        for (; *next.text; next = describe_next_headline(result, &cursor, glyphs), separator = ", ")
            put_part(&title, separator, next.text);
        put_main_run(&title, json_object_get(result, "loop"));
        put_doubts(result, &title);
    }
    end_line(&title);
    fputs(" noenhanced\n", stream);
    return title.lines;
}
