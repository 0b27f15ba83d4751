/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl identify: sends recordings channel by channel and prints what comes back as it comes. */

#include <config.h>

#include "client/command.h"
#include "client/describe.h"
#include "client/figures.h"
#include "client/reply.h"
#include "client/show.h"
#include "client/show_table.h"
#include "client/upload.h"
#include "client/upload_table.h"
#include "proto/clock.h"
#include "proto/plain_text.h"
#include "report/kinds/loop_columns.h"
#include "report/kinds/table_join.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What comes of all files together. */
struct harvest {
    json_t *results; /* of every file, in order */
    json_t *files;   /* one object a channel of a file: what the results belong to */
    bool figures;    /* one has estimates, which need their legend */
    bool bad_file;   /* one could not be read */
    bool fruitless;  /* one gave no valid result */
    char
        kind[32]; /* of the channels of the latest file, where nobody said it and they are no free decays; else empty */
};

/* With --keep: what show, plot and results know it by. */
static void print_number(const json_t *result)
{
    /* What was there before was published then. */
    const bool anew = json_is_integer(json_object_get(result, "seq"));
    if (json_is_integer(json_object_get(result, "id")))
        printf("  %s: id %lld, run %lld\n", anew ? "kept" : "already kept", (long long)reply_integer(result, "id", 0),
               (long long)reply_integer(result, "run_id", 0));
}

/* Where samples are few, no two half cycles seem equally long. */
static bool too_few_a_cycle(const json_t *reply)
{
    return reply_integer(json_object_get(reply, "drops"), "irregular_period", 0) > 0;
}

/* A heading by file, channel and time: a decay on request has no id to be called by. */
static void print_channel(const struct client *client, const char *file, const char *channel, const json_t *reply)
{
    const struct glyphs *glyphs = client->screen.glyphs;
    const json_t *results = json_object_get(reply, "results");
    struct phrase drops = describe_counters(json_object_get(reply, "drops"));
    size_t i;
    json_t *result;
    json_array_foreach (results, i, result) {
        const json_t *record = json_object_get(result, "record");
        char *title = NULL;
        if (!record && asprintf(&title, "%s, %s", file, channel) < 0)
            title = NULL;
        if (record && asprintf(&title, "%s, channel %s, decay %zu, %s %s %s", file, channel, i + 1,
                               figure_rounded(reply_number(record, "start_s"), 6, NULL, glyphs).text, glyphs->to,
                               figure_rounded(reply_number(record, "end_s"), 6, "s", glyphs).text) < 0)
            title = NULL;
        show_result(result, title, NULL, client->options.given & OPTION_INTERVALS, glyphs, stdout);
        print_number(result);
        free(title);
    }
    if (json_array_size(results) == 0)
        printf("%s, channel %s: no decay found%s\n", file, channel,
               *drops.text && !too_few_a_cycle(reply)
                   ? ""
                   : ": there must be about 12 samples a cycle, and 20 where it fades fast; one with fewer, in a file "
                     "that begins at its first extremum, is taken as it is with --whole");
    if (*drops.text)
        printf("%s, channel %s: candidates dropped: %s\n", file, channel, drops.text);
}

static void print_reply(const struct client *client, const char *file, const char *channel, const json_t *reply)
{
    bool ascii = client->screen.glyphs->ascii;
    char *plain_file = plain_text(file, ascii);
    char *plain_channel = plain_text(channel, ascii);
    print_channel(client, plain_file ? plain_file : "", plain_channel ? plain_channel : "", reply);
    free(plain_channel);
    free(plain_file);
}

/* What a record is taken for because of its unit or name may be wrong. */
static void note_kind(const struct client *client, struct harvest *harvest, const json_t *result)
{
    const char *kind = reply_text(result, "kind", "");
    if (!(client->options.given & OPTION_KIND) && json_is_object(json_object_get(result, kind)))
        snprintf(harvest->kind, sizeof harvest->kind, "%s", kind);
}

/* Takes a channel's reply in, and prints it for people; says whether a result of it is valid. */
static bool gather(const struct client *client, struct harvest *harvest, const char *file, const char *channel,
                   const json_t *reply)
{
    json_t *results = json_object_get(reply, "results");
    bool valid = false;
    size_t i;
    json_t *result;
    json_array_foreach (results, i, result) {
        valid = valid || reply_is_ok(result);
        note_kind(client, harvest, result);
        harvest->figures =
            harvest->figures || reply_recommended(result) || *describe_headlines(result, client->screen.glyphs).text;
    }
    json_array_extend(harvest->results, results);
    /* The name of a file need not be UTF-8, which JSON must be. */
    char *name = plain_text(file, false);
    json_array_append_new(harvest->files,
                          json_pack("{s:s, s:s, s:I, s:O?}", "file", name ? name : "", "channel", channel, "results",
                                    (json_int_t)json_array_size(results), "drops", json_object_get(reply, "drops")));
    free(name);
    if (!client->options.json)
        print_reply(client, file, channel, reply);
    return valid;
}

/* Without --channel every column is sent. */
static bool wanted(const struct client *client, const char *channel)
{
    return !(client->options.given & OPTION_CHANNEL) || strcmp(client->options.channel, channel) == 0;
}

/* What a file came to whose records were all sent. */
static void conclude(const struct client *client, struct harvest *harvest, const char *file, bool found, bool valid)
{
    if (!found) {
        screen_message(&client->screen, "%s has no channel '%s'", file, client->options.channel);
        harvest->bad_file = true;
    } else if (!valid) {
        harvest->fruitless = true;
    }
}

static enum exit_status identify_channel(struct client *client, struct harvest *harvest, const char *file,
                                         const struct recording *recording, size_t channel, size_t *room, bool *valid)
{
    struct uploaded uploaded;
    const enum exit_status status = upload_record(client, recording, channel, room, &uploaded);
    if (status != STATUS_OK || uploaded.sensors == 0)
        return status;
    *valid = gather(client, harvest, file, uploaded.name, uploaded.reply) || *valid;
    json_decref(uploaded.reply);
    return STATUS_OK;
}

/* Of a recording without a valid result: that its header may mean something else. found: how many it has. */
static void tell_header(const struct client *client, const struct harvest *harvest, const char *file,
                        const struct recording *recording, size_t found)
{
    struct complaint lacking = {""};
    if (found == 0 && !(client->options.given & OPTION_KIND))
        loop_columns_lacking(recording, &lacking);
    if (*lacking.text)
        screen_message(&client->screen, "%s: %s", file, lacking.text);
    if (*harvest->kind)
        screen_message(&client->screen,
                       "%s: taken for a %s because of its unit or name: --kind free_decay takes it for a free decay",
                       file, harvest->kind);
}

/* Sends the wanted channels of a recording that has been read and checked. */
static enum exit_status identify_recording(struct client *client, struct harvest *harvest, const char *file,
                                           const struct recording *recording)
{
    bool valid = false;
    bool found = false;
    const size_t before = json_array_size(harvest->results);
    *harvest->kind = '\0';
    size_t *room = calloc(recording->channel_count + 1, sizeof *room);
    enum exit_status status = room ? STATUS_OK : screen_no_memory(&client->screen);
    for (size_t channel = 0; channel < recording->channel_count && status == STATUS_OK; channel++) {
        if (!wanted(client, recording->columns[channel].name))
            continue;
        found = true;
        status = identify_channel(client, harvest, file, recording, channel, room, &valid);
    }
    free(room);
    if (status != STATUS_OK)
        return status;
    conclude(client, harvest, file, found, valid);
    if (found && !valid)
        tell_header(client, harvest, file, recording, json_array_size(harvest->results) - before);
    return STATUS_OK;
}

/* Each set of labels is a record, as a channel of a recording is one. */
static enum exit_status identify_records(struct client *client, struct harvest *harvest, const char *file,
                                         const struct table_file *table)
{
    bool valid = false;
    bool found = false;
    for (size_t i = 0; i < table->count; i++) {
        const char *name = upload_table_name(table, &table->records[i]);
        json_t *reply;
        if (!wanted(client, name))
            continue;
        found = true;
        enum exit_status status = upload_table_record(client, table, &table->records[i], &reply);
        if (status != STATUS_OK)
            return status;
        valid = gather(client, harvest, file, name, reply) || valid;
        json_decref(reply);
    }
    conclude(client, harvest, file, found || !(client->options.given & OPTION_CHANNEL), valid);
    return STATUS_OK;
}

static enum exit_status identify_table(struct client *client, struct harvest *harvest, const char *file)
{
    struct table_file table;
    const bool fits = upload_table_load(client, file, &table);
    const enum exit_status status = fits ? identify_records(client, harvest, file, &table) : STATUS_OK;
    harvest->bad_file = harvest->bad_file || !fits;
    table_file_clear(&table);
    return status;
}

/* What is no table is a recording, or no file that can be read, which is the better thing to say. */
static void refuse_run(const struct client *client, const char *file)
{
    struct recording recording;
    struct complaint complaint;
    if (recording_to_identify(client, file, &recording, &complaint) < 0) {
        screen_message(&client->screen, "%s", complaint.text);
        return;
    }
    recording_clear(&recording);
    screen_message(&client->screen,
                   "%s: the first file is of loops, and its header is not that of a table of such: --together is said "
                   "of loops, or of recordings of free decays",
                   file);
}

static bool load_run(const struct client *client, const char *file, struct table_file *table)
{
    struct complaint complaint;
    const char *said = client->options.given & OPTION_KIND ? client->options.kind : "";
    const int wanted = table_file_wanted(file, &client->options.manner, said, &complaint);
    if (wanted > 0)
        return upload_table_load(client, file, table);
    if (wanted < 0)
        screen_message(&client->screen, "%s", complaint.text);
    else
        refuse_run(client, file);
    return false;
}

/* Of files that were all read. The record is called by the first of them. */
static enum exit_status identify_joined(struct client *client, struct harvest *harvest, const struct table_file *tables)
{
    struct table_file joined;
    struct complaint complaint;
    char *title = NULL;
    const char *const *files = (const char *const *)client->options.arguments;
    const size_t count = (size_t)client->options.argument_count;
    const bool fits = table_join(tables, files, count, &joined, &complaint) == 0;
    if (!fits)
        screen_message(&client->screen, "%s", complaint.text);
    if (fits && asprintf(&title, count > 1 ? "%s and %zu more, together" : "%s, together", files[0], count - 1) < 0)
        title = NULL;
    const enum exit_status status = !fits   ? STATUS_OK
                                    : title ? identify_records(client, harvest, title, &joined)
                                            : screen_no_memory(&client->screen);
    harvest->bad_file = harvest->bad_file || !fits;
    free(title);
    table_file_clear(&joined);
    return status;
}

/* All files are runs of one contact; nothing is made of some of them. */
static enum exit_status identify_runs(struct client *client, struct harvest *harvest)
{
    const size_t count = (size_t)client->options.argument_count;
    struct table_file *tables = calloc(count, sizeof *tables);
    if (!tables)
        return screen_no_memory(&client->screen);
    for (size_t i = 0; i < count; i++)
        harvest->bad_file = !load_run(client, client->options.arguments[i], &tables[i]) || harvest->bad_file;
    const enum exit_status status = harvest->bad_file ? STATUS_OK : identify_joined(client, harvest, tables);
    for (size_t i = 0; i < count; i++)
        table_file_clear(&tables[i]);
    free(tables);
    return status;
}

/* A file is read and checked whole before anything of it is sent; a bad one does not keep the others back. */
static enum exit_status identify_file(struct client *client, struct harvest *harvest, const char *file)
{
    struct recording recording;
    struct complaint complaint;
    const char *said = client->options.given & OPTION_KIND ? client->options.kind : "";
    const int table = table_file_wanted(file, &client->options.manner, said, &complaint);
    if (table > 0 && *client->together) {
        screen_message(&client->screen, "%s: is a table, and the first file is a recording", file);
        harvest->bad_file = true;
        return STATUS_OK;
    }
    if (table > 0)
        return identify_table(client, harvest, file);
    if (table < 0) {
        screen_message(&client->screen, "%s", complaint.text);
        harvest->bad_file = true;
        return STATUS_OK;
    }
    if (recording_to_identify(client, file, &recording, &complaint) < 0) {
        screen_message(&client->screen, "%s", complaint.text);
        harvest->bad_file = true;
        return STATUS_OK;
    }
    if (*recording.read_as)
        screen_message(&client->screen, "%s: read as: %s", file, recording.read_as);
    enum exit_status status = identify_recording(client, harvest, file, &recording);
    recording_clear(&recording);
    return status;
}

/* The daemon's sentence does not know the file's name, nor how many wait behind it. */
static enum exit_status identify_files(struct client *client, struct harvest *harvest)
{
    const int count = client->options.argument_count;
    enum exit_status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < count; i++) {
        const char *file = client->options.arguments[i];
        status = identify_file(client, harvest, file);
        const bool refused = status == STATUS_FAILED || status == STATUS_USAGE;
        if (refused && i + 1 < count)
            screen_message(&client->screen, "%s: not identified, nor the files behind it (%d)", file, count - i - 1);
        else if (refused && count > 1)
            screen_message(&client->screen, "%s: not identified", file);
    }
    return status;
}

/* Whether two files have the same bytes; what cannot be read is told of later, and what is no file can be read once. */
static bool are_alike(const char *one, const char *other)
{
    enum { CHUNK = 65536 };
    struct stat a, b;
    if (stat(one, &a) != 0 || stat(other, &b) != 0 || !S_ISREG(a.st_mode) || !S_ISREG(b.st_mode) ||
        a.st_size != b.st_size)
        return false;
    char first[CHUNK], second[CHUNK];
    FILE *streams[2] = {fopen(one, "r"), fopen(other, "r")};
    bool alike = streams[0] && streams[1];
    for (bool more = alike; more && alike;) {
        const size_t length = fread(first, 1, sizeof first, streams[0]);
        alike = fread(second, 1, sizeof second, streams[1]) == length && memcmp(first, second, length) == 0;
        more = length == sizeof first;
    }
    for (int i = 0; i < 2; i++)
        if (streams[i])
            fclose(streams[i]);
    return alike;
}

/* A release that counts twice tells too much. */
static bool has_repeated_file(struct client *client)
{
    char *const *files = client->options.arguments;
    for (int i = 1; i < client->options.argument_count; i++)
        for (int j = 0; j < i; j++)
            if (are_alike(files[j], files[i])) {
                screen_message(&client->screen, "%s has the same content as %s: together they would count twice",
                               files[i], files[j]);
                return true;
            }
    return false;
}

/* Runs of one contact, in tables, or recordings of one rig, which the daemon knows by a word that nobody else says. */
static enum exit_status identify_together(struct client *client, struct harvest *harvest)
{
    struct complaint complaint;
    const char *said = client->options.given & OPTION_KIND ? client->options.kind : "";
    if (has_repeated_file(client)) {
        harvest->bad_file = true;
        return STATUS_OK;
    }
    if (table_file_wanted(client->options.arguments[0], &client->options.manner, said, &complaint) != 0)
        return identify_runs(client, harvest);
    snprintf(client->together, sizeof client->together, "%lld.%ld", (long long)clock_realtime_ns(), (long)getpid());
    return identify_files(client, harvest);
}

/* What was found before something failed is printed all the same. */
static void print_harvest(const struct client *client, const struct harvest *harvest)
{
    if (client->options.json) {
        json_t *both = json_pack("{s:O, s:O}", "results", harvest->results, "files", harvest->files);
        screen_json(&client->screen, both);
        json_decref(both);
    } else if (harvest->figures) {
        show_legend(client->options.given & OPTION_INTERVALS, client->screen.glyphs, stdout);
    }
}

/* A daemon that fails ends it; a bad file does not, and shows in the exit status at the end. */
static enum exit_status run_identify(struct client *client)
{
    const bool keep = client->options.given & OPTION_KEEP, alone = client->options.given & OPTION_ALONE;
    const option_set timing = OPTION_TIME_UNIT | OPTION_RATE;
    if ((client->options.given & timing) == timing && !client->options.manner.timing.mean_rate) {
        screen_message(&client->screen, "--time-unit and --rate exclude each other");
        return STATUS_USAGE;
    }
    if (keep && alone) {
        screen_message(&client->screen, "--keep wants the fricidd that runs, and --alone goes without it");
        return STATUS_USAGE;
    }
    const enum exit_status connected = alone  ? client_connect_own(client)
                                       : keep ? client_connect(client)
                                              : client_connect_or_own(client);
    if (connected != STATUS_OK)
        return connected;
    struct harvest harvest = {.results = json_array(), .files = json_array()};
    enum exit_status status = harvest.results && harvest.files ? STATUS_OK : STATUS_FAILED;
    if (status == STATUS_OK)
        status = client->options.given & OPTION_TOGETHER ? identify_together(client, &harvest)
                                                         : identify_files(client, &harvest);
    if (json_array_size(harvest.files) > 0 || (status == STATUS_OK && !harvest.bad_file))
        print_harvest(client, &harvest);
    json_decref(harvest.results);
    json_decref(harvest.files);
    if (status != STATUS_OK)
        return status;
    return harvest.bad_file ? STATUS_USAGE : harvest.fruitless ? STATUS_NO_RESULT : STATUS_OK;
}

const struct command command_identify = {.name = "identify",
                                         .summary = "identify the decays of CSV recordings, and other records",
                                         .options = OPTION_WHOLE | OPTION_AMPLITUDE | OPTION_KIND | OPTION_CHANNEL |
                                                    OPTION_KEEP | OPTION_ALONE | OPTION_TOGETHER | OPTION_INTERVALS |
                                                    OPTIONS_MANNER,
                                         .operand = WORD_FILE,
                                         .least = 1,
                                         .most = INT_MAX,
                                         .run = run_identify};
