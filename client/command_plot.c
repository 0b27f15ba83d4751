/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl plot: the picture of one decay, drawn by gnuplot. */

#include <config.h>

#include "client/command.h"
#include "client/picture.h"
#include "client/plot_live.h"
#include "client/record_file.h"
#include "client/reply.h"
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

static enum exit_status plot(struct client *client, const struct picture *picture)
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

/* Of one that the daemon has. */
static enum exit_status plot_stored(struct client *client)
{
    json_t *result;
    enum exit_status status = client_ask_named_result(client, &result);
    if (status != STATUS_OK)
        return status;
    const long long id = (long long)reply_integer(result, "id", 0);
    const struct phrase usual = phrase_format("decay-%lld.svg", id);
    if (picture_exists(result)) {
        status = plot(client, &(struct picture){result, usual.text, NULL});
    } else {
        screen_message(&client->screen,
                       "record %lld is of the kind %s: there are pictures of free decays, ring-downs, loops, curves "
                       "and responses only",
                       id, reply_text(result, "kind", ""));
        status = STATUS_USAGE;
    }
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

static json_t *picture_title(const char *file, const char *channel, size_t sensors, size_t number)
{
    const char *slash = strrchr(file, '/');
    return json_string(phrase_format(sensors > 1 ? "%s, sensors %s, record %zu" : "%s, channel %s, decay %zu",
                                     slash ? slash + 1 : file, channel, number)
                           .text);
}

/* Takes in what came of a channel, or of several sensors that are one record. */
static void take_found(const struct options *options, const char *file, const char *channel, size_t sensors,
                       const json_t *reply, struct found *found)
{
    size_t i;
    json_t *result;
    json_array_foreach (json_object_get(reply, "results"), i, result) {
        if (options->given & OPTION_DECAY && options->decay != (int64_t)i + 1)
            continue;
        json_array_append(found->results, result);
        json_array_append_new(found->names, picture_name(file, channel, i + 1));
        json_array_append_new(found->titles, picture_title(file, channel, sensors, i + 1));
    }
}

static enum exit_status find_in_channel(struct client *client, const struct recording *recording, size_t channel,
                                        size_t *room, const char *file, struct found *found)
{
    struct uploaded uploaded;
    const enum exit_status status = upload_record(client, recording, channel, room, &uploaded);
    if (status != STATUS_OK || uploaded.sensors == 0)
        return status;
    take_found(&client->options, file, uploaded.name, uploaded.sensors, uploaded.reply, found);
    json_decref(uploaded.reply);
    return STATUS_OK;
}

static enum exit_status find_decays(struct client *client, const struct recording *recording, const char *file,
                                    struct found *found)
{
    size_t *room = calloc(recording->channel_count + 1, sizeof *room);
    enum exit_status status = room ? STATUS_OK : screen_no_memory(&client->screen);
    for (size_t c = 0; status == STATUS_OK && c < recording->channel_count; c++)
        if (is_wanted(&client->options, recording->columns[c].name))
            status = find_in_channel(client, recording, c, room, file, found);
    free(room);
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
        status = plot(client, &(struct picture){json_array_get(found->results, i),
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
    if (recording_to_identify(client, file, &recording, &complaint) < 0) {
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

static enum exit_status plot_past(struct client *client)
{
    const char *word = client->options.arguments[0];
    const option_set of_files = OPTION_CHANNEL | OPTION_DECAY | OPTION_WHOLE | OPTION_KIND | OPTIONS_MANNER;
    const option_set strange = client->options.given & of_files;
    int64_t id;
    const bool is_id = options_id(word, &id) == 0;
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

static enum exit_status plot_now(struct client *client)
{
    const option_set strange = client->options.given & ~(option_set)(OPTION_LIVE | OPTION_LAST | OPTION_FOR);
    if (!strange)
        return plot_live(client);
    screen_message(&client->screen, "%s does not go with --live", options_name(strange));
    return STATUS_USAGE;
}

/* Either goes on, or is over. */
static enum exit_status run_plot(struct client *client)
{
    const option_set lasting = client->options.given & (OPTION_LAST | OPTION_FOR);
    if (client->options.given & OPTION_LIVE)
        return plot_now(client);
    if (client->options.argument_count == 1 && !lasting)
        return plot_past(client);
    screen_message(&client->screen, "plot wants the id of a result or a recording, or --live and a rig");
    return STATUS_USAGE;
}

const struct command command_plot = {.name = "plot",
                                     .summary = "a picture of one decay, or of those in a recording, and of what the "
                                                "identified motion leaves over; or of a rig as it goes on",
                                     .options = OPTION_OUTPUT | OPTION_FORCE | OPTION_CHANNEL | OPTION_DECAY |
                                                OPTION_WHOLE | OPTION_KIND | OPTIONS_MANNER | OPTION_LIVE |
                                                OPTION_LAST | OPTION_FOR,
                                     .operand = WORD_ID_OR_FILE,
                                     .most = 1,
                                     .run = run_plot};
