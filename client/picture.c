/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What draws each kind of record, and into which kinds of files. */

#include <config.h>

#include "client/picture.h"

#include "client/gnuplot.h"
#include "client/plot_curve.h"
#include "client/plot_loop.h"
#include "client/plot_ring_down.h"
#include "client/plot_script.h"
#include "client/reply.h"
#include "client/show_table.h"
#include "proto/cause.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <strings.h>

/* What the ending of a file's name asks for. */
static const struct picture_kind {
    const char *ending;
    struct plot_terminal terminal; /* without a name: the script itself */
} kinds[] = {
    {".svg", {"svg", "", "enhanced background rgb 'white'", 900, 600}},
    {".png", {"pngcairo", "", "fontscale 1.4 enhanced", 1350, 900}},
    {".pdf", {"pdfcairo", "cm", "enhanced", 18, 12}},
    {".gp", {NULL, NULL, NULL, NAN, NAN}},
};

const struct picture_kind *picture_kind_of(const char *path)
{
    size_t length = strlen(path);
    if (strcmp(path, "-") == 0)
        return &kinds[sizeof kinds / sizeof kinds[0] - 1];
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t ending = strlen(kinds[i].ending);
        if (length > ending && strcasecmp(path + length - ending, kinds[i].ending) == 0)
            return &kinds[i];
    }
    return NULL;
}

/* What a picture makes of the samples. */
struct taker {
    void (*begin)(void *context, double start_s);
    void (*take)(void *context, const json_t *samples);
    void *context;
};

/* Page after page, until there are all. */
static enum exit_status put_samples(struct client *client, const struct taker *taker, int64_t id)
{
    int64_t taken = 0;
    for (bool more = true; more;) {
        json_t *samples;
        json_t *params = json_pack("{s:I, s:I}", "id", (json_int_t)id, "offset", (json_int_t)taken);
        enum exit_status status = client_ask(client, "samples", params, &samples);
        if (status != STATUS_OK)
            return status;
        if (taken == 0)
            taker->begin(taker->context, reply_number(samples, "start_s"));
        taker->take(taker->context, samples);
        taken += (int64_t)json_array_size(json_object_get(samples, "displacement"));
        more = reply_integer(samples, "count", 0) > 0 && taken < reply_integer(samples, "total", 0);
        json_decref(samples);
    }
    return STATUS_OK;
}

static void begin_script(void *context, double start_s)
{
    plot_script_begin(context, start_s);
}

static void take_into_script(void *context, const json_t *samples)
{
    plot_script_samples(context, samples);
}

static void begin_ring_down(void *context, double start_s)
{
    (void)start_s;
    plot_ring_down_begin(context);
}

static void take_into_ring_down(void *context, const json_t *samples)
{
    plot_ring_down_samples(context, samples);
}

static enum exit_status write_ring_down(struct client *client, FILE *stream, const struct plot_terminal *terminal,
                                        const struct picture *picture)
{
    struct plot_ring_down plot = {.stream = stream, .terminal = terminal, .result = picture->result, .of = picture->of};
    const struct taker taker = {begin_ring_down, take_into_ring_down, &plot};
    const enum exit_status status = put_samples(client, &taker, reply_integer(picture->result, "id", 0));
    if (status == STATUS_OK)
        plot_ring_down_end(&plot);
    return status;
}

static void begin_loop(void *context, double start_s)
{
    (void)start_s;
    plot_loop_begin(context);
}

static void take_into_loop(void *context, const json_t *samples)
{
    plot_loop_samples(context, samples);
}

static enum exit_status write_loop(struct client *client, FILE *stream, const struct plot_terminal *terminal,
                                   const struct picture *picture)
{
    struct plot_loop plot = {.stream = stream, .terminal = terminal, .result = picture->result, .of = picture->of};
    const struct taker taker = {begin_loop, take_into_loop, &plot};
    enum exit_status status = put_samples(client, &taker, reply_integer(picture->result, "id", 0));
    const int error = status == STATUS_OK ? plot_loop_end(&plot, client->screen.glyphs) : 0;
    if (error == -ERANGE) {
        screen_message(&client->screen,
                       "record %lld has no loop to draw: its samples are too few, or their times do not increase",
                       (long long)reply_integer(picture->result, "id", 0));
        status = STATUS_FAILED;
    } else if (error != 0)
        status = screen_no_memory(&client->screen);
    plot_loop_clear(&plot);
    return status;
}

static enum exit_status write_curve(struct client *client, FILE *stream, const struct plot_terminal *terminal,
                                    const struct picture *picture)
{
    plot_curve(stream, terminal, picture->result, picture->of, client->screen.glyphs);
    return STATUS_OK;
}

static void begin_response(void *context, double start_s)
{
    (void)start_s;
    plot_response_begin(context);
}

static void take_into_response(void *context, const json_t *samples)
{
    plot_response_samples(context, samples);
}

static enum exit_status write_response(struct client *client, FILE *stream, const struct plot_terminal *terminal,
                                       const struct picture *picture)
{
    struct plot_response plot = {.stream = stream, .terminal = terminal, .result = picture->result, .of = picture->of};
    const struct taker taker = {begin_response, take_into_response, &plot};
    const enum exit_status status = put_samples(client, &taker, reply_integer(picture->result, "id", 0));
    if (status == STATUS_OK)
        plot_response_end(&plot, client->screen.glyphs);
    return status;
}

static enum exit_status write_decay(struct client *client, FILE *stream, const struct plot_terminal *terminal,
                                    const struct picture *picture)
{
    struct plot_script script = {.stream = stream, .terminal = terminal, .result = picture->result, .of = picture->of};
    const struct taker taker = {begin_script, take_into_script, &script};
    enum exit_status status = put_samples(client, &taker, reply_integer(picture->result, "id", 0));
    if (status == STATUS_OK && plot_script_end(&script, client->screen.glyphs) < 0)
        status = screen_no_memory(&client->screen);
    plot_script_clear(&script);
    return status;
}

/* What draws a kind of record, by the object that its results have. */
typedef enum exit_status write_kind(struct client *client, FILE *stream, const struct plot_terminal *terminal,
                                    const struct picture *picture);

static write_kind *writer_of(const json_t *result)
{
    static const struct {
        const char *has;
        write_kind *write;
    } kinds_drawn[] = {
        {"ring_down", write_ring_down}, {"loop", write_loop}, {"curve", write_curve}, {"response", write_response}};
    for (size_t i = 0; i < sizeof kinds_drawn / sizeof kinds_drawn[0]; i++)
        if (json_object_get(result, kinds_drawn[i].has))
            return kinds_drawn[i].write;
    return write_decay;
}

enum exit_status picture_write(struct client *client, struct record_file *file, const struct picture_kind *kind,
                               const struct picture *picture)
{
    const bool by_gnuplot = kind->terminal.name != NULL;
    FILE *stream = by_gnuplot ? tmpfile() : file->stream;
    const struct plot_terminal *terminal = by_gnuplot ? &kind->terminal : NULL;
    if (!stream) {
        screen_message(&client->screen, "there is no room for the script for gnuplot: %s", cause_of(errno));
        return STATUS_FAILED;
    }
    enum exit_status status = writer_of(picture->result)(client, stream, terminal, picture);
    if (status == STATUS_OK && by_gnuplot && !gnuplot_draw(stream, file, &client->screen))
        status = STATUS_FAILED;
    if (by_gnuplot)
        fclose(stream);
    return status;
}

bool picture_exists(const json_t *result)
{
    const struct record_kind *kind = shown_kind(result);
    return kind && record_kind_has_samples(kind);
}

enum exit_status picture_draw(struct client *client, const struct picture *picture)
{
    int64_t id = reply_integer(picture->result, "id", 0);
    const char *wanted = client->options.given & OPTION_OUTPUT ? client->options.output : picture->usual;
    const struct picture_kind *kind = picture_kind_of(wanted);
    struct record_file file;
    if (!kind) {
        screen_message(&client->screen,
                       "%s: a picture is a .svg, .png or .pdf file; .gp, or -, is the script for gnuplot", wanted);
        return STATUS_USAGE;
    }
    if (!record_file_open(&file, wanted, client->options.given & OPTION_FORCE, &client->screen)) {
        record_file_close(&file, false, &client->screen);
        return STATUS_USAGE;
    }
    bool named = file.stream != stdout;
    enum exit_status status = picture_write(client, &file, kind, picture);
    if (!record_file_close(&file, status == STATUS_OK, &client->screen) && status == STATUS_OK)
        status = STATUS_FAILED;
    if (status == STATUS_OK && named)
        client_tell_file(client, json_pack("{s:I}", "id", (json_int_t)id), wanted);
    return status;
}
