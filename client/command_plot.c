/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl plot: the picture of one decay, drawn by gnuplot. */

#include <config.h>

#include "client/command.h"
#include "client/gnuplot.h"
#include "client/plot_curve.h"
#include "client/plot_loop.h"
#include "client/plot_ring_down.h"
#include "client/plot_script.h"
#include "client/record_file.h"
#include "client/reply.h"
#include "client/show_table.h"
#include "client/upload.h"
#include "client/upload_table.h"
#include "proto/cause.h"
#include "proto/plain_text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

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

static const struct picture_kind *kind_of(const char *path)
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

/* What is drawn: a result that a daemon has, and what it is called. */
struct drawn {
    const json_t *result;
    const char *usual; /* the file's name unless --output says it */
    const char *of;    /* NULL: as the result says */
};

static enum exit_status write_ring_down(struct client *client, FILE *stream, const struct plot_terminal *terminal,
                                        const struct drawn *drawn)
{
    struct plot_ring_down plot = {.stream = stream, .terminal = terminal, .result = drawn->result, .of = drawn->of};
    const struct taker taker = {begin_ring_down, take_into_ring_down, &plot};
    const enum exit_status status = put_samples(client, &taker, reply_integer(drawn->result, "id", 0));
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
                                   const struct drawn *drawn)
{
    struct plot_loop plot = {.stream = stream, .terminal = terminal, .result = drawn->result};
    const struct taker taker = {begin_loop, take_into_loop, &plot};
    enum exit_status status = put_samples(client, &taker, reply_integer(drawn->result, "id", 0));
    const int error = status == STATUS_OK ? plot_loop_end(&plot, client->screen.glyphs) : 0;
    if (error == -ERANGE) {
        screen_message(&client->screen,
                       "record %lld has no loop to draw: its samples are too few, or their times do not increase",
                       (long long)reply_integer(drawn->result, "id", 0));
        status = STATUS_FAILED;
    } else if (error != 0)
        status = screen_no_memory(&client->screen);
    plot_loop_clear(&plot);
    return status;
}

static enum exit_status write_curve(struct client *client, FILE *stream, const struct plot_terminal *terminal,
                                    const struct drawn *drawn)
{
    plot_curve(stream, terminal, drawn->result, client->screen.glyphs);
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
                                       const struct drawn *drawn)
{
    struct plot_response plot = {.stream = stream, .terminal = terminal, .result = drawn->result};
    const struct taker taker = {begin_response, take_into_response, &plot};
    const enum exit_status status = put_samples(client, &taker, reply_integer(drawn->result, "id", 0));
    if (status == STATUS_OK)
        plot_response_end(&plot, client->screen.glyphs);
    return status;
}

static enum exit_status write_decay(struct client *client, FILE *stream, const struct plot_terminal *terminal,
                                    const struct drawn *drawn)
{
    struct plot_script script = {.stream = stream, .terminal = terminal, .result = drawn->result, .of = drawn->of};
    const struct taker taker = {begin_script, take_into_script, &script};
    enum exit_status status = put_samples(client, &taker, reply_integer(drawn->result, "id", 0));
    if (status == STATUS_OK && plot_script_end(&script, client->screen.glyphs) < 0)
        status = screen_no_memory(&client->screen);
    plot_script_clear(&script);
    return status;
}

/* What draws a kind of record, by the object that its results have. */
typedef enum exit_status write_kind(struct client *client, FILE *stream, const struct plot_terminal *terminal,
                                    const struct drawn *drawn);

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

static enum exit_status write_picture(struct client *client, struct record_file *file, const struct picture_kind *kind,
                                      const struct drawn *drawn)
{
    const bool by_gnuplot = kind->terminal.name != NULL;
    FILE *stream = by_gnuplot ? tmpfile() : file->stream;
    const struct plot_terminal *terminal = by_gnuplot ? &kind->terminal : NULL;
    if (!stream) {
        screen_message(&client->screen, "there is no room for the script for gnuplot: %s", cause_of(errno));
        return STATUS_FAILED;
    }
    enum exit_status status = writer_of(drawn->result)(client, stream, terminal, drawn);
    if (status == STATUS_OK && by_gnuplot && !gnuplot_draw(stream, file, &client->screen))
        status = STATUS_FAILED;
    if (by_gnuplot)
        fclose(stream);
    return status;
}

static void tell(const struct client *client, const char *path, int64_t id)
{
    json_t *object = json_pack("{s:I, s:s}", "id", (json_int_t)id, "file", path);
    if (client->options.json && object)
        screen_json(&client->screen, object);
    else if (client->screen.terminal)
        plain_print(stdout, "%s", path);
    else
        printf("%s\n", path);
    json_decref(object);
}

static enum exit_status plot(struct client *client, const struct drawn *drawn)
{
    int64_t id = reply_integer(drawn->result, "id", 0);
    const char *wanted = client->options.given & OPTION_OUTPUT ? client->options.output : drawn->usual;
    const struct picture_kind *kind = kind_of(wanted);
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
    enum exit_status status = write_picture(client, &file, kind, drawn);
    if (!record_file_close(&file, status == STATUS_OK, &client->screen) && status == STATUS_OK)
        status = STATUS_FAILED;
    if (status == STATUS_OK && named)
        tell(client, wanted, id);
    return status;
}

/* A picture is one of samples, which a table of intervals or heights has not; nor does anybody know what a kind has
 * that this program does not know. */
static bool has_picture(const struct client *client, const json_t *result)
{
    const struct record_kind *kind = shown_kind(result);
    if (kind && record_kind_has_samples(kind))
        return true;
    screen_message(&client->screen,
                   "record %lld is of the kind %s: there are pictures of free decays, ring-downs, loops, curves and "
                   "responses only",
                   (long long)reply_integer(result, "id", 0), reply_text(result, "kind", ""));
    return false;
}

/* Of one that the daemon has. */
static enum exit_status plot_stored(struct client *client)
{
    json_t *result;
    enum exit_status status = client_ask_named_result(client, &result);
    if (status != STATUS_OK)
        return status;
    const long long id = (long long)reply_integer(result, "id", 0);
    const struct phrase usual = phrase_format("decay-%lld.svg", id);
    status = has_picture(client, result) ? plot(client, &(struct drawn){result, usual.text, NULL}) : STATUS_USAGE;
    json_decref(result);
    return status;
}

/* --- of a file --- */

/* The decays of a recording that were found, each with the name of its picture, "monday-lvdt-1.svg", and what that is
 * of. */
struct found {
    json_t *results; /* as they were identified */
    json_t *names, *titles;
};

static bool is_wanted(const struct options *options, const char *channel)
{
    return !(options->given & OPTION_CHANNEL) || strcmp(options->channel, channel) == 0;
}

/* What a file of that name may be called; a channel may be called anything. */
static json_t *picture_name(const char *file, const char *channel, size_t number)
{
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');
    const int length = dot > base ? (int)(dot - base) : (int)strlen(base);
    struct phrase name = phrase_format("%.*s-%s-%zu.svg", length, base, channel, number);
    for (char *letter = name.text; *letter; letter++)
        if (*letter == '/' || (unsigned char)*letter < ' ')
            *letter = '_';
    return json_string(name.text);
}

static json_t *picture_title(const char *file, const char *channel, size_t number)
{
    const char *slash = strrchr(file, '/');
    return json_string(phrase_format("%s, channel %s, decay %zu", slash ? slash + 1 : file, channel, number).text);
}

static enum exit_status find_decays(struct client *client, const struct recording *recording, const char *file,
                                    struct found *found)
{
    enum exit_status status = STATUS_OK;
    const struct options *options = &client->options;
    for (size_t c = 0; status == STATUS_OK && c < recording->channel_count; c++) {
        const char *channel = recording->columns[c].name;
        json_t *reply, *result;
        size_t i;
        if (!is_wanted(options, channel))
            continue;
        status = upload_channel(client, recording, c, options->given & OPTION_WHOLE, &reply);
        if (status != STATUS_OK)
            break;
        json_array_foreach (json_object_get(reply, "results"), i, result) {
            if (options->given & OPTION_DECAY && options->decay != (int64_t)i + 1)
                continue;
            json_array_append(found->results, result);
            json_array_append_new(found->names, picture_name(file, channel, i + 1));
            json_array_append_new(found->titles, picture_title(file, channel, i + 1));
        }
        json_decref(reply);
    }
    return status;
}

static enum exit_status plot_found(struct client *client, const char *file, const struct found *found)
{
    const size_t count = json_array_size(found->results);
    enum exit_status status = STATUS_OK;
    if (count == 0) {
        screen_message(&client->screen, "%s: no such decay was found", file);
        return STATUS_NO_RESULT;
    }
    if (count > 1 && client->options.given & OPTION_OUTPUT) {
        screen_message(&client->screen, "%s has %zu decays: --channel and --decay say of which the picture is", file,
                       count);
        return STATUS_USAGE;
    }
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = plot(client, &(struct drawn){json_array_get(found->results, i),
                                              json_string_value(json_array_get(found->names, i)),
                                              json_string_value(json_array_get(found->titles, i))});
    return status;
}

/* A table has no picture before it is a record. */
static bool is_refused(struct client *client, const char *file)
{
    struct complaint complaint;
    const char *said = client->options.given & OPTION_KIND ? client->options.kind : "";
    const int table = table_file_wanted(file, &client->options.manner, said, &complaint);
    const struct record_kind *kind = table > 0 ? table_file_kind(file, &client->options.manner) : NULL;
    if (table < 0)
        screen_message(&client->screen, "%s", complaint.text);
    else if (kind && kind->sampled)
        screen_message(
            &client->screen,
            "%s is a table of a %s: identify --keep makes a record of it, which plot ID draws; " TABLE_AS_RECORDING,
            file, kind->name);
    else if (table > 0)
        screen_message(&client->screen, "%s is no recording of one motion, and has no picture", file);
    return table != 0;
}

/* A daemon of its own identifies them and keeps them as long as this takes: the one that runs need not be there, and
 * hears nothing of it. */
static enum exit_status plot_file(struct client *client, const char *file)
{
    struct recording recording;
    struct complaint complaint;
    if (is_refused(client, file))
        return STATUS_USAGE;
    if (recording_load(file, &client->options.manner, &recording, &complaint) < 0) {
        screen_message(&client->screen, "%s", complaint.text);
        return STATUS_USAGE;
    }
    if (*recording.read_as)
        screen_message(&client->screen, "%s: read as: %s", file, recording.read_as);
    struct found found = {json_array(), json_array(), json_array()};
    client->options.given |= OPTION_KEEP;
    enum exit_status status = client_connect_own(client);
    if (status == STATUS_OK)
        status = find_decays(client, &recording, file, &found);
    if (status == STATUS_OK)
        status = plot_found(client, file, &found);
    json_decref(found.results);
    json_decref(found.names);
    json_decref(found.titles);
    recording_clear(&recording);
    return status;
}

static enum exit_status run_plot(struct client *client)
{
    const char *word = client->options.arguments[0];
    const unsigned of_files = OPTION_CHANNEL | OPTION_DECAY | OPTION_WHOLE | OPTION_KIND | OPTIONS_MANNER;
    const unsigned strange = client->options.given & of_files;
    int64_t id;
    const bool is_id = options_number(*word == '#' ? word + 1 : word, 1, &id) == 0;
    if (!is_id && access(word, F_OK) == 0)
        return plot_file(client, word);
    if (is_id && !strange)
        return plot_stored(client);
    if (!is_id)
        screen_message(&client->screen,
                       "plot wants the id of a result, such as 42, or a recording, and there is no file '%s'; see: "
                       "fricidctl results",
                       word);
    else
        screen_message(&client->screen, "%s is said of a file, and there is no file %s", options_name(strange), word);
    return STATUS_USAGE;
}

const struct command command_plot = {
    .name = "plot",
    .summary = "a picture of one decay, or of those in a recording, and of what the identified motion leaves over",
    .options =
        OPTION_OUTPUT | OPTION_FORCE | OPTION_CHANNEL | OPTION_DECAY | OPTION_WHOLE | OPTION_KIND | OPTIONS_MANNER,
    .operand = WORD_ID_OR_FILE,
    .least = 1,
    .most = 1,
    .run = run_plot};
