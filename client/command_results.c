/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl results: the table of what was identified, page by page from the daemon. */

#include "client/columns.h"
#include "client/command.h"
#include "client/describe.h"
#include "client/labels.h"
#include "client/reply.h"
#include "client/results_pages.h"
#include "client/show_judgement.h"
#include "client/show_table.h"
#include "client/wrapped.h"
#include "proto/quote.h"
#include "proto/utf8.h"
#include "store/searched_figure.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_LIMIT = 100 };

/* --- columns --- */

/* Where the whole result lies beside what its summary has, for columns that need it. */
#define WHOLE "result"

static struct phrase number_text(const json_t *summary, const struct column *column, const struct glyphs *glyphs)
{
    return describe_count(summary, column->quantity, glyphs);
}

static struct phrase name_text(const json_t *summary, const struct column *column, const struct glyphs *glyphs)
{
    return phrase_format("%s", reply_text(summary, column->quantity, glyphs->missing));
}

static struct phrase source_text(const json_t *summary, const struct column *column, const struct glyphs *glyphs)
{
    (void)column;
    (void)glyphs;
    return phrase_format("%s", describe_source_kind(json_object_get(summary, "source")));
}

static struct phrase released_text(const json_t *summary, const struct column *column, const struct glyphs *glyphs)
{
    const char *released = reply_text(summary, column->quantity, NULL);
    char moment[sizeof "2026-11-21 14:00:03.204"]; /* without the time zone, which the head of the column names */
    if (!released)
        return phrase_format("%s", glyphs->missing);
    utf8_copy(moment, sizeof moment, describe_moment(released).text);
    return phrase_format("%s", moment);
}

/* The model that a ladder chose for a driven contact; empty: none did, or an earlier daemon kept the result, which
 * alone tells it then. */
static const char *contact_model(const json_t *summary)
{
    const json_t *loop = json_object_get(json_object_get(summary, WHOLE), "loop");
    const char *of_whole = reply_text(json_object_get(loop, "ladder"), "model", "");
    return *of_whole ? of_whole : reply_text(summary, "contact_model", "");
}

static struct phrase model_text(const json_t *summary, const struct column *column, const struct glyphs *glyphs)
{
    const char *of_contact = contact_model(summary);
    (void)column;
    if (*of_contact)
        return phrase_format("%s", of_contact);
    return reply_text(summary, "recommended", NULL) ? describe_model(reply_model(summary))
                                                    : phrase_format("%s", glyphs->missing);
}

/* Of the recommended method; a result without one keeps its row, with dashes. */
static struct phrase figure_text(const json_t *summary, const struct column *column, const struct glyphs *glyphs)
{
    const struct labelled field = labelled_quantity(column->quantity, reply_displacement_unit(summary), glyphs);
    const struct figure figure = judgement_figure(summary, summary, column->quantity);
    return figure_short(&figure, field.unit.text, glyphs);
}

static struct phrase physical_text(const json_t *summary, const struct column *column, const struct glyphs *glyphs)
{
    const json_t *whole = json_object_get(summary, WHOLE), *physical = json_object_get(whole, "physical");
    const struct labelled field = labelled_quantity(column->quantity, reply_displacement_unit(summary), glyphs);
    const struct figure figure = judgement_figure(whole, physical, column->quantity);
    return figure_short(&figure, field.unit.text, glyphs);
}

static const struct searched_figure *searched_figure_named(const char *name)
{
    for (int i = 0; i < SEARCHED_FIGURES; i++)
        if (strcmp(searched_figures[i].name, name) == 0)
            return &searched_figures[i];
    return NULL;
}

/* The object that names with a dot behind each lead to. */
static const json_t *object_within(const json_t *object, const char *names)
{
    char name[16];
    for (size_t length; *names; names += length + 1) {
        length = strcspn(names, ".");
        snprintf(name, sizeof name, "%.*s", (int)length, names);
        object = json_object_get(object, name);
    }
    return object;
}

/* Of a contact that is driven: its result's own, or where it has none of that name, one within. */
static struct phrase contact_text(const json_t *summary, const struct column *column, const struct glyphs *glyphs)
{
    const struct searched_figure *of = searched_figure_named(column->quantity);
    const json_t *whole = json_object_get(summary, WHOLE);
    struct figure figure = reply_figure(whole, column->quantity);
    if (isnan(figure.value))
        figure = reply_figure(object_within(whole, of->within), column->quantity);
    return figure_short(&figure, unit_text(of->unit, reply_displacement_unit(summary), glyphs->dot).text, glyphs);
}

/* What was handed in has a kind and figures of its own. */
static bool is_other(const json_t *summary)
{
    return json_object_get(summary, "figures");
}

static struct phrase other_text(const json_t *summary, const struct column *column, const struct glyphs *glyphs)
{
    const struct phrase figures = describe_headlines(summary, glyphs);
    (void)column;
    if (!is_other(summary))
        return phrase_format("%s", "");
    return phrase_format("%s%s%s", reply_text(summary, "kind", ""), *figures.text ? ": " : "", figures.text);
}

static bool is_protected(const json_t *summary)
{
    return reply_true(summary, "protected");
}

static struct phrase protected_text(const json_t *summary, const struct column *column, const struct glyphs *glyphs)
{
    (void)column;
    (void)glyphs;
    return phrase_format("%s", is_protected(summary) ? "yes" : "");
}

#define CONTACT_COLUMN(figure, of_unit, of_object)                                                                     \
    {.name = #figure, .header = #figure, .quantity = #figure, .asked = true, .text = contact_text},

/* In a narrow terminal what tells one decay from the next stays longest. */
static const struct column columns[] = {
    {.name = "id", .header = "ID", .quantity = "id", .text = number_text},
    {.name = "run", .header = "RUN", .quantity = "run_id", .rank = 5, .text = number_text},
    {.name = "rig", .header = "RIG", .quantity = "rig", .rank = 4, .apart = 1, .text = name_text},
    {.name = "channel", .header = "CHANNEL", .quantity = "channel", .rank = 1, .text = name_text},
    {.name = "source", .header = "SOURCE", .rank = 7, .text = source_text},
    {.name = "released", .header = "RELEASED (UTC)", .quantity = "released_at", .rank = 6, .text = released_text},
    {.name = "verdict", .header = "VERDICT", .quantity = "verdict", .judges = true, .text = name_text},
    {.name = "model", .header = "MODEL", .rank = 8, .text = model_text},
    {.name = "f_n", .quantity = "f_n_hz", .rank = 1, .text = figure_text},
    {.name = "zeta", .quantity = "zeta", .rank = 2, .text = figure_text},
    {.name = "x_k", .quantity = "x_k", .rank = 3, .text = figure_text},
    {.name = "x0", .quantity = "x0", .asked = true, .text = figure_text},
    {.name = "f_k", .quantity = "f_k_n", .asked = true, .text = physical_text},
    {.name = "mu", .quantity = "mu", .asked = true, .text = physical_text},
    {.name = "c", .quantity = "c_n_s_per_m", .asked = true, .text = physical_text},
    {.name = "half_cycles", .header = "HALF CYCLES", .quantity = "half_cycles", .rank = 9, .text = number_text},
    {.name = "ended_by", .header = "ENDED BY", .quantity = "ended_by", .rank = 10, .text = name_text},
    {.name = "protected", .header = "PROTECTED", .rank = 12, .text = protected_text},
    {.name = "other", .header = "OF OTHER RECORDS", .rank = 11, .text = other_text},
    CONTACT_FIGURE_ROWS(CONTACT_COLUMN)};

enum { COLUMNS = sizeof columns / sizeof columns[0] };
static_assert((int)COLUMNS <= (int)TABLE_MAX_COLUMNS, "all columns can be asked for at once");

static bool is_loop(const json_t *summary)
{
    return strcmp(reply_text(summary, "kind", ""), "loop") == 0;
}

/* Whether a column of this result wants what its summary lacks. A list that nobody chose the columns of is quick. */
static bool needs_whole(const struct column_choice *choice, const json_t *summary)
{
    bool needs = false;
    for (size_t i = 0; i < choice->count; i++) {
        const struct column *column = choice->columns[i];
        needs = needs || column->text == physical_text || column->text == contact_text ||
                (choice->asked && column->text == model_text && is_loop(summary) && !*contact_model(summary));
    }
    return needs;
}

/* Forces, coefficients and what is known of a contact are not in a summary: each such result is asked for. */
static enum exit_status fetch_whole(struct client *client, const struct column_choice *choice, json_t *results)
{
    enum exit_status status = STATUS_OK;
    size_t i;
    json_t *summary, *whole;
    json_array_foreach (results, i, summary) {
        const json_int_t id = reply_integer(summary, "id", 0);
        if (!needs_whole(choice, summary))
            continue;
        status = client_ask(client, "results.get", json_pack("{s:I}", "id", id), &whole);
        if (status != STATUS_OK)
            break;
        json_object_set_new(summary, WHOLE, whole);
    }
    return status;
}

static size_t count_those(const json_t *results, bool (*one)(const json_t *summary))
{
    size_t i, count = 0;
    json_t *summary;
    json_array_foreach (results, i, summary)
        count += one(summary);
    return count;
}

static bool is_simulated(const json_t *summary)
{
    return strcmp(reply_text(json_object_get(summary, "source"), "kind", ""), "simulated") == 0;
}

/* Of which of them something is told, in a line for each such thing. */
static int print_told(const json_t *results, struct phrase (*describe)(const json_t *summary), size_t width)
{
    struct wrapped_sheet lines;
    struct phrase before = {""};
    size_t i;
    json_t *summary;
    if (wrapped_open(&lines) < 0)
        return -ENOMEM;
    json_array_foreach (results, i, summary) {
        const struct phrase words = describe(summary);
        if (!*words.text)
            continue;
        const bool same = strcmp(words.text, before.text) == 0;
        fprintf(lines.lines, "%s%s%s %lld", same || !*before.text ? "" : "\n", same ? "" : words.text,
                same ? "," : ", of", (long long)reply_integer(summary, "id", 0));
        before = words;
    }
    fprintf(lines.lines, "%s", *before.text ? "\n" : "");
    return wrapped_close(&lines, width, stdout);
}

/* On a terminal the newest stands where the eye is, above the prompt; a program reads the order of the daemon. */
static enum exit_status print_table(const struct client *client, struct column_choice *choice, const json_t *results)
{
    const struct glyphs *glyphs = client->screen.glyphs;
    const size_t count = json_array_size(results), simulated = count_those(results, is_simulated);
    const size_t stay = count_those(results, is_protected);
    struct table *table = table_create();
    columns_add_header(table, choice, glyphs);
    for (size_t i = 0; i < count; i++)
        columns_add_row(table, choice, json_array_get(results, client->screen.terminal ? count - 1 - i : i), glyphs);
    table_name_columns(table);
    columns_fit(table, choice, screen_room(&client->screen));
    int failed = table_print(table, "", screen_room(&client->screen), stdout);
    table_destroy(table);
    failed = failed ? failed : print_told(results, describe_provisional, screen_room(&client->screen));
    failed = failed ? failed : print_told(results, describe_stopped, screen_room(&client->screen));
    if (simulated > 0 && !columns_has(choice, "source"))
        printf("! SIMULATED: %zu of these %zu\n", simulated, count);
    if (stay > 0 && !columns_has(choice, "protected") && !choice->asked)
        printf("protected: %zu of these %zu\n", stay, count);
    return failed ? screen_no_memory(&client->screen) : STATUS_OK;
}

/* The place is the daemon's word, and people copy what they see. */
static void tell_next_page(const struct client *client, const char *cursor)
{
    char *word = quote_shell(cursor);
    screen_message(&client->screen, "the next ones: the same with --cursor %s", word ? word : "?");
    free(word);
}

/* Where there are no decays it is what tells one record from the next. */
static const struct column figures_of_others = {.name = "other", .header = "FIGURES", .rank = 1, .text = other_text};

static bool has_contact_model(const json_t *summary)
{
    return *contact_model(summary);
}

/* Columns that none of these results fills. Of records that are no decays nothing is said in those of decays. */
static void leave_empty_out(struct column_choice *choice, const json_t *results)
{
    static const char *const of_decays[] = {"released", "f_n", "zeta", "x_k", "half_cycles", "ended_by"};
    const size_t others = count_those(results, is_other);
    if (others == 0)
        columns_leave_out(choice, "other");
    const bool alone = others == json_array_size(results);
    for (size_t i = 0; alone && i < sizeof of_decays / sizeof of_decays[0]; i++)
        columns_leave_out(choice, of_decays[i]);
    if (alone && count_those(results, has_contact_model) == 0)
        columns_leave_out(choice, "model");
    for (size_t i = 0; alone && i < choice->count; i++)
        if (choice->columns[i]->text == other_text)
            choice->columns[i] = &figures_of_others;
    if (count_those(results, is_protected) == 0)
        columns_leave_out(choice, "protected");
}

static bool is_provisional(const json_t *summary)
{
    return *describe_provisional(summary).text;
}

/* A ladder of models brings figures to the result of a driven contact later. */
static bool comes_later(const json_t *summary)
{
    return is_provisional(summary) && is_loop(summary);
}

/* A list in the order of a figure is without the results that lack it, and some may have it later. */
static enum exit_status tell_why_none(struct client *client, const char *figure)
{
    json_t *reply;
    const bool of_ladder = *searched_figure_named(figure)->within;
    client->options.sort = NULL;
    const enum exit_status status = results_pages_ask(client, DEFAULT_LIMIT, &reply);
    client->options.sort = figure;
    if (status != STATUS_OK)
        return status;
    const json_t *others = json_object_get(reply, "results");
    const size_t count = json_array_size(others), later = of_ladder ? count_those(others, comes_later) : 0;
    if (count == 0)
        screen_message(&client->screen, "no result matches");
    else
        screen_message(&client->screen, "no result matches that has %s; without it %s%zu", figure,
                       count == DEFAULT_LIMIT ? "at least " : "", count);
    for (size_t i = 0; i < count && later > 0; i++) {
        const json_t *other = json_array_get(others, i);
        if (!comes_later(other))
            continue;
        screen_message(&client->screen, "%zu of them may have it later; %s", later, describe_provisional(other).text);
        break;
    }
    json_decref(reply);
    return STATUS_OK;
}

static enum exit_status print_results(struct client *client, const json_t *reply)
{
    json_t *results = json_object_get(reply, "results");
    const char *sort = client->options.sort;
    if (json_array_size(results) == 0 && sort && searched_figure_named(sort) && !client->options.cursor)
        return tell_why_none(client, sort);
    if (json_array_size(results) == 0) {
        screen_message(&client->screen, "%s",
                       client->options.given ? "no result matches" : "there is no result yet; see: fricidctl status");
        return STATUS_OK;
    }
    struct column_choice choice;
    enum exit_status status = columns_wanted(client, columns, COLUMNS, &choice);
    if (status == STATUS_OK)
        status = fetch_whole(client, &choice, results);
    if (status == STATUS_OK && !choice.asked)
        leave_empty_out(&choice, results);
    if (status == STATUS_OK)
        status = print_table(client, &choice, results);
    /* A hint for people only: in a pipe it would be noise. */
    int64_t before = reply_integer(reply, "next_before_id", 0);
    if (before > 0 && client->screen.terminal)
        screen_message(&client->screen, "older ones: fricidctl results --before %lld", (long long)before);
    else if (client->screen.terminal && reply_text(reply, "next_cursor", NULL))
        tell_next_page(client, reply_text(reply, "next_cursor", ""));
    return status;
}

/* A column that there is not is refused before anybody is asked. */
static enum exit_status run_results(struct client *client)
{
    json_t *reply;
    struct column_choice choice;
    enum exit_status status = columns_wanted(client, columns, COLUMNS, &choice);
    if (status == STATUS_OK)
        status = results_pages_ask(client, client->options.given & OPTION_LIMIT ? client->options.limit : DEFAULT_LIMIT,
                                   &reply);
    return status == STATUS_OK ? client_print(client, reply, print_results) : status;
}

const struct command command_results = {.name = "results",
                                        .summary = "the latest results",
                                        .options = OPTIONS_FILTER | OPTION_SORT | OPTION_ASCENDING | OPTION_LIMIT |
                                                   OPTION_BEFORE | OPTION_CURSOR | OPTION_COLUMNS,
                                        .run = run_results};
