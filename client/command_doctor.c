/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl doctor: what on this computer keeps fricid from working, and how to mend it. Works without a daemon. */

#include "client/command.h"
#include "client/doctor.h"
#include "client/table.h"
#include "proto/address.h"
#include "proto/plain_text.h"

#include <stdio.h>
#include <stdlib.h>

/* The words for a level, for programs and for people. */
static const char *const level_names[] = {"ok", "note", "problem"};
static const char *const level_marks[] = {"ok", "-", "!"};

/* Whatever goes wrong with asking is a finding, not an error. */
static void ask_daemon(struct client *client, struct doctor_facts *facts)
{
    static const char *const methods[] = {"status", "version", "config"};
    json_t **replies[] = {&facts->status, &facts->version, &facts->config};
    double timeout_s = client_timeout(client, CLIENT_TIMEOUT_S);
    enum exit_status status = connection_open(facts->socket.path, timeout_s, &client->connection, &facts->silence);
    for (size_t i = 0; i < 3 && status == STATUS_OK; i++)
        status = connection_call(client->connection, methods[i], NULL, timeout_s, replies[i], &facts->silence);
}

static json_t *finding_to_json(const struct finding *finding)
{
    const char *remedy = finding->remedy.text[0] ? finding->remedy.text : NULL;
    return json_pack("{s:s, s:s, s:s, s:s?}", "topic", finding->topic, "level", level_names[finding->level], "sentence",
                     finding->sentence.text, "remedy", remedy);
}

static void print_json(const struct client *client, const struct findings *findings, bool fine)
{
    json_t *checks = json_array();
    for (size_t i = 0; i < findings->count; i++)
        json_array_append_new(checks, finding_to_json(&findings->all[i]));
    json_t *all = json_pack("{s:b, s:o}", "fine", (int)fine, "checks", checks);
    screen_json(&client->screen, all);
    json_decref(all);
}

static void add_line(struct table *table, const char *mark, const char *topic, const char *words, bool ascii)
{
    char *plain = plain_text(words, ascii);
    table_cell(table, "%s", mark);
    table_cell(table, "%s", topic);
    table_span(table, "%s", plain ? plain : "(not enough memory)");
    free(plain);
}

static int print_text(const struct client *client, const struct findings *findings)
{
    bool ascii = client->screen.glyphs->ascii;
    struct table *table = table_create();
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->all[i];
        add_line(table, level_marks[finding->level], finding->topic, finding->sentence.text, ascii);
        if (finding->remedy.text[0]) {
            struct complaint remedy;
            complaint_set(&remedy, "-> %s", finding->remedy.text);
            add_line(table, "", "", remedy.text, ascii);
        }
    }
    int error = table_print(table, "", screen_room(&client->screen), stdout);
    table_destroy(table);
    return error;
}

/* Notes are worth knowing and need nobody; the exit status is for problems. */
static enum exit_status run_doctor(struct client *client)
{
    struct doctor_facts facts;
    struct findings findings;
    doctor_look(&facts, fricid_socket_path(client->options.socket));
    if (facts.connect_error == 0)
        ask_daemon(client, &facts);
    doctor_look_behind_replies(&facts);
    doctor_judge(&facts, &findings);
    doctor_facts_clear(&facts);
    size_t problems = findings_count(&findings, FINDING_PROBLEM);
    if (client->options.json) {
        print_json(client, &findings, problems == 0);
    } else if (print_text(client, &findings) < 0) {
        return screen_no_memory(&client->screen);
    } else if (problems > 0) {
        printf("\n%zu problem%s\n", problems, problems == 1 ? "" : "s");
    } else {
        puts("\nno problem");
    }
    return problems == 0 ? STATUS_OK : STATUS_FAILED;
}

const struct command command_doctor = {.name = "doctor",
                                       .summary = "what on this computer keeps fricid from working, and how to mend it",
                                       .run = run_doctor};
