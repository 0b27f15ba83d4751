/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl simulate: the force of a contact for a motion, or the motion of a mass that a force pushes. It is computed
 * here, however long the file is; a daemon is asked for nothing but a result. */

#include <config.h>

#include "client/command.h"
#include "client/figures.h"
#include "client/motion_file.h"
#include "client/record_file.h"
#include "client/reply.h"
#include "proto/json_value.h"
#include "proto/quote.h"
#include "report/kinds/simulation_json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- the model --- */

static enum exit_status load_model(struct client *client, const char *path, json_t **model)
{
    json_error_t error;
    if (access(path, R_OK) != 0) {
        screen_message(&client->screen,
                       "simulate wants the id of a result, or a file with a model, and there is no file '%s' to read",
                       path);
        return STATUS_USAGE;
    }
    *model = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (*model)
        return STATUS_OK;
    screen_message(&client->screen, "%s:%d: this is no model, which is a file in JSON and stands before the motion: %s",
                   path, error.line > 0 ? error.line : 1, error.text);
    return STATUS_USAGE;
}

static enum exit_status read_model(struct client *client, const char *name, const json_t *json,
                                   struct contact_task *task)
{
    struct complaint complaint;
    if (contact_task_from_json(json, (size_t)client->options.part, task, &complaint) != 0) {
        screen_message(&client->screen, "%s: %s", name, complaint.text);
        return STATUS_USAGE;
    }
    if (client->options.given & OPTION_MASS)
        task->mass = client->options.mass;
    return STATUS_OK;
}

static enum exit_status find_model(struct client *client, struct contact_task *task)
{
    const char *name = client->options.arguments[0];
    int64_t id;
    json_t *json;
    enum exit_status status;
    if (options_id(name, &id) == 0 && access(name, F_OK) != 0)
        status = client_ask(client, "results.get", json_pack("{s:I}", "id", (json_int_t)id), &json);
    else
        status = load_model(client, name, &json);
    if (status != STATUS_OK)
        return status;
    status = read_model(client, name, json, task);
    json_decref(json);
    return status;
}

/* --- what comes of it --- */

static void put_table(const struct motion_file *motion, const struct contact_task *task, const struct simulation *found,
                      FILE *stream)
{
    const char *way = task->angular ? "angle_rad" : "displacement_m", *force = task->angular ? "torque_nm" : "force_n";
    const char *speed = task->angular ? "velocity_rad_s" : "velocity_m_s";
    const double *time = motion->recording.time_s;
    fprintf(stream, found->se ? "time_s,%s,%s,se_%s\n" : "time_s,%s,%s,%s\n", way, found->se ? force : speed, force);
    for (size_t i = 0; i < found->count; i++)
        fprintf(stream, "%.12g,%.12g,%.12g,%.12g\n", time[i], found->displacement[i],
                found->se ? found->force[i] : found->velocity[i], found->se ? found->se[i] : found->force[i]);
}

/* false: there is no memory for it. */
static bool put_json(const struct motion_file *motion, const struct contact_task *task, const struct simulation *found,
                     FILE *stream)
{
    json_t *json = joined(simulation_to_json(task, VERDICT_OK, found),
                          json_pack("{s:o}", "time_s", numbers_to_json(motion->recording.time_s, found->count)));
    const bool put = json && quote_json(stream, json, JSON_REAL_PRECISION(17)) == 0;
    json_decref(json);
    fputc('\n', stream);
    return put;
}

/* What was not asked for, whose offset the force has, the residual of one that was measured, and since when the start
 * does not matter. */
static void tell(const struct client *client, const struct motion_file *motion, const struct contact_task *task,
                 const struct simulation *found)
{
    const struct glyphs *glyphs = client->screen.glyphs;
    const char *unit = task->angular ? "N m" : "N";
    if (task->parts > 1)
        screen_message(&client->screen, "the force has the offset of part %zu of %zu, %s: --part N tells of another",
                       task->part, task->parts,
                       figure_rounded(task->contact.value[FRICTION_F_0], 4, unit, glyphs).text);
    if (found->se && client->options.given & OPTION_MASS)
        screen_message(
            &client->screen,
            "--mass says nothing here: it is what a force pushes, and the motion is given; the force is that "
            "of the contact");
    if (found->se && found->known_from >= found->count)
        screen_message(&client->screen, "the force depends on how the contact was loaded before, until the end: the "
                                        "motion is too short, or set deflection in the model");
    else if (found->se && found->known_from > 0)
        screen_message(&client->screen, "how the contact was loaded before matters until %s",
                       figure_rounded(motion->recording.time_s[found->known_from], 4, "s", glyphs).text);
    if (found->gaps > 0)
        screen_message(&client->screen,
                       found->gaps > 1 ? "behind each of %zu gaps in the motion how the contact was loaded matters anew"
                                       : "behind %zu gap in the motion how the contact was loaded matters anew",
                       found->gaps);
    if (isfinite(found->residual_rms))
        screen_message(&client->screen, "residual of the measured force: %s rms",
                       figure_rounded(found->residual_rms, 4, unit, glyphs).text);
}

static enum exit_status write_found(struct client *client, const struct motion_file *motion,
                                    const struct contact_task *task, const struct simulation *found)
{
    const char *path = client->options.given & OPTION_OUTPUT ? client->options.output : "-";
    struct record_file file;
    bool put = true;
    if (!record_file_open(&file, path, client->options.given & OPTION_FORCE, &client->screen)) {
        record_file_close(&file, false, &client->screen);
        return STATUS_USAGE;
    }
    if (client->options.json)
        put = put_json(motion, task, found, file.stream);
    else
        put_table(motion, task, found, file.stream);
    if (!put)
        screen_no_memory(&client->screen);
    if (!record_file_close(&file, put, &client->screen) || !put)
        return STATUS_FAILED;
    if (!client->options.json)
        tell(client, motion, task, found);
    return STATUS_OK;
}

/* --- the command --- */

static enum exit_status settle_task(const struct client *client, const struct motion_file *motion,
                                    struct contact_task *task)
{
    struct complaint complaint;
    if (contact_task_settle(task, motion->angular, motion->displacement != NULL, &complaint) == 0)
        return STATUS_OK;
    screen_message(&client->screen, "%s: %s", client->options.arguments[1], complaint.text);
    return STATUS_USAGE;
}

static enum exit_status simulate_file(struct client *client, const struct motion_file *motion,
                                      const struct contact_task *task)
{
    const struct simulation_input input = {motion->recording.time_s, motion->displacement, motion->force,
                                           motion->recording.count, task->mass};
    struct simulation found;
    enum exit_status status;
    const enum verdict verdict = simulate(&task->contact, &input, NULL, &found);
    if (verdict == VERDICT_OK) {
        status = write_found(client, motion, task, &found);
    } else {
        screen_message(&client->screen, "%s: %s", client->options.arguments[1], simulation_sentence(verdict));
        status = verdict == VERDICT_NO_MEMORY ? STATUS_FAILED : STATUS_NO_RESULT;
    }
    simulation_clear(&found);
    return status;
}

static enum exit_status run_simulate(struct client *client)
{
    const char *path = client->options.arguments[1];
    struct contact_task task = {.angular = false};
    struct motion_file motion;
    struct complaint complaint;
    enum exit_status status = find_model(client, &task);
    if (status != STATUS_OK)
        return status;
    if (motion_file_load(path, &client->options.manner, &motion, &complaint) < 0) {
        screen_message(&client->screen, "%s", complaint.text);
        status = STATUS_USAGE;
    } else {
        if (*motion.recording.read_as)
            screen_message(&client->screen, "%s: read as: %s", path, motion.recording.read_as);
        status = settle_task(client, &motion, &task);
        if (status == STATUS_OK)
            status = simulate_file(client, &motion, &task);
    }
    motion_file_clear(&motion);
    return status;
}

const struct command command_simulate = {
    .name = "simulate",
    .summary = "the force of a contact for a motion, or the motion of a mass that a force pushes",
    .options = OPTION_OUTPUT | OPTION_FORCE | OPTION_MASS | OPTION_PART | OPTIONS_MANNER,
    .operand = WORD_MODEL,
    .least = 2,
    .most = 2,
    .run = run_simulate};
