/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl report: results as one page that needs nothing else, to be kept beside a paper or printed. */

#include <config.h>

#include "client/command.h"
#include "client/html.h"
#include "client/phrase.h"
#include "client/picture.h"
#include "client/reply.h"
#include "client/show.h"
#include "client/wrapped.h"
#include "proto/plain_text.h"

#include <stdlib.h>
#include <time.h>

/* Columns of a sheet on the page. */
enum { PAGE_WIDTH = 110 };

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>fricid report</title>\n"
    "<style>body { font-family: sans-serif; max-width: 72em; margin: 2em auto; padding: 0 1em }\n"
    "pre { overflow-x: auto; font-size: 85% } img { max-width: 100% }\n"
    "section { break-inside: avoid-page }</style></head>\n<body><h1>fricid report</h1>\n";

struct page {
    struct client *client;
    FILE *stream;
    struct glyphs glyphs; /* without a terminal's colours and width */
    enum exit_status worst;
};

/* Who wrote it, when, and who identified. */
static enum exit_status write_head(struct page *page)
{
    json_t *server;
    char moment[32] = "";
    const time_t now = time(NULL);
    struct tm utc;
    const enum exit_status status = client_ask(page->client, "version", NULL, &server);
    if (status != STATUS_OK)
        return status;
    if (gmtime_r(&now, &utc))
        strftime(moment, sizeof moment, "%Y-%m-%d %H:%M:%S UTC", &utc);
    fprintf(page->stream, "%s<p>Written %s by fricidctl %s; identified by %s ", head, moment, PACKAGE_VERSION,
            reply_text(server, "server", "fricidd"));
    html_text(reply_text(server, "version", "(version unknown)"), page->stream);
    fputs(".</p>\n", page->stream);
    json_decref(server);
    return STATUS_OK;
}

/* What show --intervals prints. */
static int write_sheet(const struct page *page, const json_t *result)
{
    char *text = NULL;
    size_t length;
    FILE *sheet = open_memstream(&text, &length);
    if (!sheet)
        return -1;
    int status = show_result(result, NULL, NULL, true, &page->glyphs, sheet);
    show_legend(true, &page->glyphs, sheet);
    if (fclose(sheet) != 0)
        status = -1;
    fputs("<pre>", page->stream);
    if (status == 0)
        html_text(text, page->stream);
    fputs("</pre>\n", page->stream);
    free(text);
    return status;
}

/* A page without a picture is worth having; that one is missing is told. */
static void write_drawing(struct page *page, const json_t *result)
{
    /* Lines of thousands of samples are ten times as long. */
    static const char small[] = "picture.png";
    char *png = NULL;
    size_t length;
    struct record_file drawing = {.stream = open_memstream(&png, &length)};
    const struct picture picture = {.result = result};
    enum exit_status status = STATUS_FAILED;
    const struct phrase instead = phrase_format("picture of record %lld", (long long)reply_integer(result, "id", 0));
    if (drawing.stream) {
        status = picture_write(page->client, &drawing, picture_kind_of(small), &picture);
        fclose(drawing.stream);
    }
    if (status == STATUS_OK && !html_png(png, length, instead.text, page->stream))
        status = screen_no_memory(&page->client->screen);
    if (status != STATUS_OK) {
        fputs("<p>The picture could not be drawn.</p>\n", page->stream);
        page->worst = status;
    }
    free(png);
}

/* For programs: every figure in full. */
static int write_figures(const struct page *page, const json_t *result)
{
    char *text = json_dumps(result, JSON_INDENT(1));
    if (!text)
        return -1;
    fputs("<details><summary>Every figure, as JSON</summary><pre>", page->stream);
    html_text(text, page->stream);
    fputs("</pre></details>\n", page->stream);
    free(text);
    return 0;
}

static enum exit_status write_result(struct page *page, int64_t id)
{
    json_t *result;
    enum exit_status status =
        client_ask(page->client, "results.get", json_pack("{s:I}", "id", (json_int_t)id), &result);
    if (status != STATUS_OK)
        return status;
    /* Asked for with --json it is as it came. */
    if (page->client->options.json && plain_tree(result, false) < 0) {
        json_decref(result);
        return screen_no_memory(&page->client->screen);
    }
    fprintf(page->stream, "<section><h2>Record %lld</h2>\n", (long long)id);
    if (write_sheet(page, result) < 0)
        status = screen_no_memory(&page->client->screen);
    if (status == STATUS_OK && picture_exists(result))
        write_drawing(page, result);
    fputs("</section>\n", page->stream);
    if (status == STATUS_OK && write_figures(page, result) < 0)
        status = screen_no_memory(&page->client->screen);
    json_decref(result);
    return status;
}

static enum exit_status write_page(struct page *page)
{
    const struct options *options = &page->client->options;
    enum exit_status status = write_head(page);
    for (int i = 0; status == STATUS_OK && i < options->argument_count; i++) {
        int64_t id = 0;
        options_id(options->arguments[i], &id);
        status = write_result(page, id);
    }
    fputs("</body></html>\n", page->stream);
    return status;
}

static bool are_ids(const struct client *client)
{
    int64_t id;
    for (int i = 0; i < client->options.argument_count; i++) {
        const char *word = client->options.arguments[i];
        if (options_id(word, &id) < 0) {
            screen_message(&client->screen,
                           "report wants the ids of results, such as 42, not '%s'; see: fricidctl results", word);
            return false;
        }
    }
    return true;
}

/* "report-6.html", or of several "report-6-and-2-more.html". */
static struct phrase usual_name(const struct options *options)
{
    int64_t first = 0;
    options_id(options->arguments[0], &first);
    return options->argument_count == 1
               ? phrase_format("report-%lld.html", (long long)first)
               : phrase_format("report-%lld-and-%d-more.html", (long long)first, options->argument_count - 1);
}

static enum exit_status run_report(struct client *client)
{
    const struct options *options = &client->options;
    struct record_file file;
    if (!are_ids(client))
        return STATUS_USAGE;
    const struct phrase usual = usual_name(options);
    const char *path = options->given & OPTION_OUTPUT ? options->output : usual.text;
    if (!record_file_open(&file, path, options->given & OPTION_FORCE, &client->screen)) {
        record_file_close(&file, false, &client->screen);
        return STATUS_USAGE;
    }
    const bool named = file.stream != stdout;
    struct page page = {client, file.stream, *glyphs_for(false), STATUS_OK};
    page.glyphs.width = PAGE_WIDTH;
    enum exit_status status = write_page(&page);
    if (!record_file_close(&file, status == STATUS_OK, &client->screen) && status == STATUS_OK)
        return STATUS_FAILED;
    if (status == STATUS_OK && named)
        client_tell_file(client, json_object(), path);
    return status == STATUS_OK ? page.worst : status;
}

const struct command command_report = {.name = "report",
                                       .summary =
                                           "results as one page, with their pictures, budgets and figures in full",
                                       .options = OPTION_OUTPUT | OPTION_FORCE,
                                       .operand = WORD_ID,
                                       .least = 1,
                                       .most = INT_MAX,
                                       .run = run_report};
