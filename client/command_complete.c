/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl complete: for the completion of shells. Its arguments are the words of a command line up to the one that is
 * being typed; the answer is a line that says what kind of words follow ("words", "open": more comes behind them,
 * "files": the shell knows better), and a candidate a line, behind a tab what it means. */

#include "client/command.h"
#include "client/reply.h"
#include "proto/quote.h"
#include "store/results_query.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Nobody waits longer for a word, s; nor reads more of them. */
static const double patience_s = 1;
enum { MOST_IDS = 20 };

/* What is known of the command line. */
struct line {
    char **words;
    int count;                       /* with the last one */
    const char *typed;               /* the last one so far */
    const struct command *command;   /* NULL: none yet */
    const struct option_row *option; /* whose value is being typed; NULL: none's */
};

static void offer(const struct line *line, const char *candidate, const char *meaning)
{
    if (strncmp(candidate, line->typed, strlen(line->typed)) == 0)
        printf("%s\t%s\n", candidate, meaning);
}

/* --- what the daemon knows --- */

/* Names of others are offered when they are one word in any shell. */
static void offer_name(const struct line *line, const json_t *object, const char *meaning)
{
    const char *name = reply_text(object, "name", "");
    if (quote_is_word(name))
        offer(line, name, meaning);
}

static void offer_of_rigs(struct client *client, const struct line *line, enum word_kind kind)
{
    json_t *status, *rig, *channel;
    size_t i, c;
    if (client_ask(client, "status", NULL, &status) != STATUS_OK)
        return;
    json_array_foreach (json_object_get(status, "rigs"), i, rig) {
        if (kind == WORD_RIG)
            offer_name(line, rig, "rig");
        else
            json_array_foreach (json_object_get(rig, "channels"), c, channel)
                offer_name(line, channel, "channel");
    }
    json_decref(status);
}

static void offer_ids(struct client *client, const struct line *line, const char *key, const char *meaning)
{
    json_t *reply, *result;
    size_t i;
    int64_t before = 0; /* the results of a run follow each other */
    if (client_ask(client, "results.list", json_pack("{s:i}", "limit", MOST_IDS), &reply) != STATUS_OK)
        return;
    json_array_foreach (json_object_get(reply, "results"), i, result) {
        char id[24];
        const int64_t number = reply_integer(result, key, 0);
        snprintf(id, sizeof id, "%" PRId64, number);
        if (number > 0 && number != before)
            offer(line, id, meaning);
        before = number;
    }
    json_decref(reply);
}

/* Those of the latest results. */
static void offer_configurations(struct client *client, const struct line *line)
{
    json_t *reply, *result;
    size_t i;
    const char *before = "";
    if (client_ask(client, "results.list", json_pack("{s:i}", "limit", MOST_IDS), &reply) != STATUS_OK)
        return;
    json_array_foreach (json_object_get(reply, "results"), i, result) {
        const char *id = reply_text(result, "config_id", "");
        if (quote_is_word(id) && strcmp(id, before) != 0)
            offer(line, id, "configuration");
        before = id;
    }
    json_decref(reply);
}

/* --- what the tables know --- */

/* KEY=VALUE; every figure that results are searched for has a least and a largest value. */
static void offer_keys(const struct line *line, const char *keys)
{
    char key[64];
    puts("open");
    for (int taken; sscanf(keys, " %63s%n", key, &taken) == 1; keys += taken)
        offer(line, key, "");
    for (int i = 0; i < SEARCHED_FIGURES; i++) {
        snprintf(key, sizeof key, "%s_min=", searched_figures[i].name);
        offer(line, key, "");
        snprintf(key, sizeof key, "%s_max=", searched_figures[i].name);
        offer(line, key, "");
    }
}

static void offer_every(const struct line *line, const char *(*every)(size_t index))
{
    const char *word;
    puts("words");
    for (size_t i = 0; (word = every(i)); i++)
        offer(line, word, "");
}

/* As far as it was typed; nothing is one. */
static bool is_number(const char *typed)
{
    return typed[strspn(typed, "0123456789")] == '\0';
}

static void offer_value(struct client *client, const struct line *line, enum word_kind kind)
{
    const bool or_file = kind == WORD_ID_OR_FILE || kind == WORD_MODEL;
    puts(kind == WORD_FILE || (or_file && !is_number(line->typed)) ? "files" : "words");
    if (kind == WORD_RIG || kind == WORD_CHANNEL)
        offer_of_rigs(client, line, kind);
    else if (kind == WORD_ID || or_file)
        offer_ids(client, line, "id", "decay");
    else if (kind == WORD_RUN)
        offer_ids(client, line, "run_id", "run");
    else if (kind == WORD_CONFIG)
        offer_configurations(client, line);
}

static void offer_options(const struct line *line)
{
    size_t count;
    const struct option_row *rows = options_rows(&count);
    puts("words");
    for (size_t i = 0; i < count; i++)
        if (rows[i].bit == 0 || (line->command && (line->command->options & rows[i].bit)))
            offer(line, rows[i].name, rows[i].summary);
}

static void offer_commands(const struct client *client, const struct line *line)
{
    puts("words");
    for (const struct command *const *each = client->commands; *each; each++)
        if ((*each)->summary)
            offer(line, (*each)->name, (*each)->summary);
}

/* --- the command line --- */

/* A shell may make three words of --rig=bearing. */
static const struct option_row *option_before(const struct line *line)
{
    int before = line->count - 2;
    if (before > 0 && strcmp(line->words[before], "=") == 0)
        before--;
    const struct option_row *row = before >= 0 ? options_find(line->words[before]) : NULL;
    return row && row->value ? row : NULL;
}

/* The first word that is neither an option nor the value of one; on the way, where the daemon listens. */
static void read_line(struct line *line, struct client *client)
{
    struct options *options = &client->options;
    for (int i = 0; i + 1 < line->count; i++) {
        const struct option_row *row = options_find(line->words[i]);
        if (!row && !line->command)
            line->command = command_named(client->commands, line->words[i]);
        if (!row || !row->value || i + 2 >= line->count)
            continue;
        i += strcmp(line->words[i + 1], "=") == 0 && i + 3 < line->count ? 2 : 1;
        if (strcmp(row->name, "--socket") == 0)
            options->socket = line->words[i];
    }
    line->option = option_before(line);
}

static enum exit_status complete(struct client *client)
{
    struct options *options = &client->options;
    struct line line = {.words = options->arguments, .count = options->argument_count};
    line.typed = strcmp(line.words[line.count - 1], "=") == 0 ? "" : line.words[line.count - 1];
    read_line(&line, client);
    options->timeout_s = isnan(options->timeout_s) ? patience_s : options->timeout_s;
    if (line.option && line.option->keys)
        offer_keys(&line, line.option->keys);
    else if (line.option && line.option->every)
        offer_every(&line, line.option->every);
    else if (line.option)
        offer_value(client, &line, line.option->word);
    else if (*line.typed == '-' || (line.command && line.command->operand == WORD_NONE))
        offer_options(&line);
    else if (line.command)
        offer_value(client, &line, line.command->operand);
    else
        offer_commands(client, &line);
    return STATUS_OK;
}

const struct command command_complete = {.name = "complete", .least = 1, .most = INT_MAX, .run = complete};
