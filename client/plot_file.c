/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pictures of what is found in a file. A daemon of its own identifies it and keeps that as long as this takes: the one
 * that runs need not be there, and hears nothing of it. */

#include <config.h>

#include "client/plot_file.h"

#include "client/picture.h"
#include "client/reply.h"
#include "client/upload.h"
#include "client/upload_table.h"
#include "proto/plain_text.h"
#include "proto/quote.h"

#include <stdlib.h>
#include <string.h>

/* What was found, each result with the name of its picture, "monday-lvdt-1.svg", and what that is
 * of. */
struct found {
    json_t *results; /* as they were identified */
    json_t *names, *titles;
};

static bool is_wanted(const struct options *options, const char *channel)
{
    return !(options->given & OPTION_CHANNEL) || strcmp(options->channel, channel) == 0;
}

static const char *base_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

/* What a picture of that file may be called; the file and the channel may be called anything, in any encoding. NULL
 * when memory is short. */
static json_t *picture_name(const char *file, const char *channel, size_t number)
{
    const char *base = base_of(file), *dot = strrchr(base, '.');
    char *stem = strndup(base, dot > base ? (size_t)(dot - base) : strlen(base)), *made;
    char *from = stem ? quote_file_name(stem) : NULL, *of = quote_file_name(channel);
    if (!from || !of || asprintf(&made, "%s-%s-%zu.svg", from, of, number) < 0)
        made = NULL;
    json_t *name = made ? json_string(made) : NULL;
    free(stem);
    free(from);
    free(of);
    free(made);
    return name;
}

/* What results of a file are called by; a record of a table has its own name, and the word is NULL. NULL when memory is
 * short. */
static json_t *picture_title(const char *file, const char *named, const char *name, const json_t *result, size_t number)
{
    const bool decays = strcmp(reply_text(result, "kind", KIND_FREE_DECAY), KIND_FREE_DECAY) == 0;
    char *made;
    const int length =
        named ? asprintf(&made, "%s, %s %s, %s %zu", base_of(file), named, name, decays ? "decay" : "record", number)
              : asprintf(&made, "%s, %s", base_of(file), name);
    char *plain = length < 0 ? NULL : plain_text(made, false);
    json_t *title = plain ? json_string(plain) : NULL;
    if (length >= 0)
        free(made);
    free(plain);
    return title;
}

/* Takes in what came of a channel, or of what is one record otherwise. False: memory is short. */
static bool take_found(const struct options *options, const char *file, const char *named, const char *name,
                       const json_t *reply, struct found *found)
{
    size_t i;
    json_t *result;
    bool taken = true;
    json_array_foreach (json_object_get(reply, "results"), i, result) {
        if (options->given & OPTION_DECAY && options->decay != (int64_t)i + 1)
            continue;
        taken = taken && json_array_append(found->results, result) == 0 &&
                json_array_append_new(found->names, picture_name(file, name, i + 1)) == 0 &&
                json_array_append_new(found->titles, picture_title(file, named, name, result, i + 1)) == 0;
    }
    return taken;
}

static enum exit_status find_in_channel(struct client *client, const struct recording *recording, size_t channel,
                                        size_t *room, const char *file, struct found *found)
{
    struct uploaded uploaded;
    const enum exit_status status = upload_record(client, recording, channel, room, &uploaded);
    if (status != STATUS_OK || uploaded.sensors == 0)
        return status;
    const bool taken = take_found(&client->options, file, uploaded.sensors > 1 ? "sensors" : "channel", uploaded.name,
                                  uploaded.reply, found);
    json_decref(uploaded.reply);
    return taken ? STATUS_OK : screen_no_memory(&client->screen);
}

static enum exit_status find_in_channels(struct client *client, const struct recording *recording, const char *file,
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

static enum exit_status find_in_recording(struct client *client, const char *file, struct found *found)
{
    struct recording recording;
    struct complaint complaint;
    if (recording_to_identify(client, file, &recording, &complaint) < 0) {
        screen_message(&client->screen, "%s", complaint.text);
        return STATUS_USAGE;
    }
    if (*recording.read_as)
        screen_message(&client->screen, "%s: read as: %s", file, recording.read_as);
    enum exit_status status = client_connect_own(client);
    if (status == STATUS_OK)
        status = find_in_channels(client, &recording, file, found);
    recording_clear(&recording);
    return status;
}

static enum exit_status find_in_records(struct client *client, const struct table_file *table, const char *file,
                                        struct found *found)
{
    enum exit_status status = client_connect_own(client);
    for (size_t i = 0; status == STATUS_OK && i < table->count; i++) {
        const char *name = upload_table_name(table, &table->records[i]);
        json_t *reply;
        if (!is_wanted(&client->options, name))
            continue;
        status = upload_table_record(client, table, &table->records[i], &reply);
        if (status != STATUS_OK)
            break;
        if (!take_found(&client->options, file, NULL, name, reply, found))
            status = screen_no_memory(&client->screen);
        json_decref(reply);
    }
    return status;
}

static bool all_are_ok(const struct found *found)
{
    bool ok = true;
    size_t i;
    json_t *result;
    json_array_foreach (found->results, i, result)
        ok = ok && reply_is_ok(result);
    return ok;
}

/* A table of figures that somebody read off shows no motion. */
static enum exit_status find_in_table(struct client *client, const char *file, struct found *found)
{
    struct table_file table;
    enum exit_status status = upload_table_load(client, file, &table) ? STATUS_OK : STATUS_USAGE;
    if (status == STATUS_OK && !record_kind_has_samples(table.kind)) {
        screen_message(&client->screen, "%s is no recording of one motion, and has no picture", file);
        status = STATUS_USAGE;
    }
    if (status == STATUS_OK)
        status = find_in_records(client, &table, file, found);
    if (status == STATUS_OK && table.kind->sampled && !(client->options.given & OPTION_KIND) && !all_are_ok(found))
        screen_message(&client->screen, "%s: taken for a %s because of its columns: " TABLE_AS_RECORDING, file,
                       table.kind->name);
    table_file_clear(&table);
    return status;
}

static enum exit_status find_in_file(struct client *client, const char *file, struct found *found)
{
    struct complaint complaint;
    const char *said = client->options.given & OPTION_KIND ? client->options.kind : "";
    const int table = table_file_wanted(file, &client->options.manner, said, &complaint);
    if (table == 0)
        return find_in_recording(client, file, found);
    if (table > 0)
        return find_in_table(client, file, found);
    screen_message(&client->screen, "%s", complaint.text);
    return STATUS_USAGE;
}

static enum exit_status plot_found(struct client *client, const char *file, const struct found *found)
{
    const size_t count = json_array_size(found->results);
    enum exit_status status = STATUS_OK;
    if (count == 0) {
        screen_message(&client->screen, "%s: no such record was found", file);
        return STATUS_NO_RESULT;
    }
    if (count > 1 && client->options.given & OPTION_OUTPUT) {
        screen_message(&client->screen, "%s has %zu records: --channel and --decay say of which the picture is", file,
                       count);
        return STATUS_USAGE;
    }
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = picture_draw(client, &(struct picture){json_array_get(found->results, i),
                                                        json_string_value(json_array_get(found->names, i)),
                                                        json_string_value(json_array_get(found->titles, i))});
    return status;
}

enum exit_status plot_file(struct client *client, const char *file)
{
    struct found found = {json_array(), json_array(), json_array()};
    client->options.given |= OPTION_KEEP;
    enum exit_status status = find_in_file(client, file, &found);
    if (status == STATUS_OK)
        status = plot_found(client, file, &found);
    json_decref(found.results);
    json_decref(found.names);
    json_decref(found.titles);
    return status;
}
