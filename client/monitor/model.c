/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What notifications and answers add up to. */

#include "client/monitor/model.h"

#include "client/labels.h"
#include "client/reply.h"
#include "client/show_judgement.h"
#include "client/show_table.h"
#include "client/status_findings.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int model_open(struct model *model, const struct glyphs *glyphs)
{
    *model = (struct model){.glyphs = glyphs, .results = json_array(), .events = json_array()};
    if (model->results && model->events)
        return 0;
    model_close(model);
    return -ENOMEM;
}

static void forget_channel(struct channel *channel)
{
    json_decref(channel->facts);
    trace_clear(&channel->trace);
}

void model_close(struct model *model)
{
    for (size_t i = 0; i < model->channel_count; i++)
        forget_channel(&model->channels[i]);
    free(model->channels);
    json_decref(model->status);
    json_decref(model->results);
    json_decref(model->events);
    *model = (struct model){0};
}

/* --- channels --- */

/* NULL: there is none of these names. */
static struct channel *find(const struct model *model, const char *rig, const char *name)
{
    for (size_t i = 0; i < model->channel_count; i++) {
        const json_t *facts = model->channels[i].facts;
        if (strcmp(reply_text(facts, "rig", ""), rig) == 0 && strcmp(reply_text(facts, "channel", ""), name) == 0)
            return &model->channels[i];
    }
    return NULL;
}

/* NULL when memory is short. */
static struct channel *add(struct model *model, const char *rig, const char *name)
{
    struct channel *channels = reallocarray(model->channels, model->channel_count + 1, sizeof *channels);
    json_t *facts = json_pack("{s:s,s:s}", "rig", rig, "channel", name);
    if (channels)
        model->channels = channels;
    if (!channels || !facts) {
        json_decref(facts);
        model->failed = true;
        return NULL;
    }
    struct channel *channel = &channels[model->channel_count++];
    *channel = (struct channel){.facts = facts};
    return channel;
}

static struct channel *find_or_add(struct model *model, const char *rig, const char *name)
{
    struct channel *channel = find(model, rig, name);
    return channel ? channel : add(model, rig, name);
}

/* The decay begins with the first half cycle that is told and ends with the phase. */
static void follow_decay(struct channel *channel)
{
    const json_t *state = json_object_get(channel->facts, "state");
    const bool runs = strcmp(reply_text(state, "phase", ""), "decaying") == 0;
    struct running_decay *decay = &channel->decay;
    if (!runs)
        *decay = (struct running_decay){0};
    else if (!decay->running)
        *decay = (struct running_decay){true, reply_number(state, "amplitude")};
    else if (!(decay->first_amplitude >= reply_number(state, "amplitude")))
        decay->first_amplitude = reply_number(state, "amplitude");
}

static void take_facts(struct model *model, const json_t *params, double now_s)
{
    struct channel *channel = find_or_add(model, reply_text(params, "rig", ""), reply_text(params, "channel", ""));
    if (!channel)
        return;
    const json_t *told = json_object_get(params, "signal");
    if (json_object_update(channel->facts, (json_t *)params) < 0)
        model->failed = true;
    follow_decay(channel);
    const struct window window = {.end_s = now_s,
                                  .length_s = (float)reply_number(told, "window_s"),
                                  .least = (float)reply_number(told, "min"),
                                  .most = (float)reply_number(told, "max")};
    if (told && trace_add(&channel->trace, window) < 0)
        model->failed = true;
}

/* --- the answer to `status` --- */

/* In the order of the answer: the i-th channel is brought to the i-th place. */
static void take_channel(struct model *model, const json_t *rig, const json_t *listed, size_t place)
{
    struct channel *channel = find_or_add(model, reply_text(rig, "name", ""), reply_text(listed, "name", ""));
    if (!channel)
        return;
    const struct channel found = *channel;
    const size_t behind = (size_t)(channel - model->channels);
    if (behind > place) {
        memmove(&model->channels[place + 1], &model->channels[place], (behind - place) * sizeof found);
        model->channels[place] = found;
    }
    channel = &model->channels[behind > place ? place : behind];
    channel->listed = true;
    static const char *const of_channel[] = {"unit", "state", "last", "counters"}, *const of_rig[] = {"condition",
                                                                                                      "source"};
    for (size_t i = 0; i < sizeof of_channel / sizeof of_channel[0]; i++)
        json_object_set(channel->facts, of_channel[i], json_object_get(listed, of_channel[i]));
    for (size_t i = 0; i < sizeof of_rig / sizeof of_rig[0]; i++)
        json_object_set(channel->facts, of_rig[i], json_object_get(rig, of_rig[i]));
}

/* A rig whose source never opened may have no channels, and must not vanish. */
static size_t take_rig(struct model *model, const json_t *rig, size_t place)
{
    const json_t *channels = json_object_get(rig, "channels");
    const json_t *none = NULL;
    size_t i;
    json_t *channel;
    if (json_array_size(channels) == 0)
        take_channel(model, rig, none, place++);
    json_array_foreach (channels, i, channel)
        take_channel(model, rig, channel, place++);
    return place;
}

static void forget_unlisted(struct model *model)
{
    size_t kept = 0;
    for (size_t i = 0; i < model->channel_count; i++) {
        if (model->channels[i].listed)
            model->channels[kept++] = model->channels[i];
        else
            forget_channel(&model->channels[i]);
    }
    model->channel_count = kept;
}

void model_take_status(struct model *model, const json_t *status)
{
    size_t i, place = 0;
    json_t *rig;
    json_decref(model->status);
    model->status = json_incref((json_t *)status);
    for (size_t c = 0; c < model->channel_count; c++)
        model->channels[c].listed = false;
    json_array_foreach (json_object_get(status, "rigs"), i, rig)
        place = take_rig(model, rig, place);
    forget_unlisted(model);
    for (size_t c = 0; c < model->channel_count; c++)
        follow_decay(&model->channels[c]);
    model->findings = (struct findings){0};
    status_findings_find(status, NULL, &model->findings);
}

struct losses model_losses(const struct model *model)
{
    struct losses losses = {0};
    size_t i;
    json_t *rig;
    json_array_foreach (json_object_get(model->status, "rigs"), i, rig) {
        const json_t *counters = json_object_get(rig, "counters");
        losses.scans += reply_integer(counters, "lost_scans", 0);
        losses.decays += reply_integer(counters, "decays_lost", 0);
    }
    return losses;
}

/* --- results and events --- */

/* Puts it in front; what is too old falls off. Takes the object over. */
static void put_first(struct model *model, json_t *list, json_t *object, size_t most)
{
    if (!object || json_array_insert_new(list, 0, object) < 0)
        model->failed = true;
    while (json_array_size(list) > most)
        json_array_remove(list, json_array_size(list) - 1);
}

/* The figures of the recommended method, or those of a record that was handed in. */
static void add_figure(json_t *row, const json_t *result, const json_t *section, const char *quantity,
                       const struct glyphs *glyphs)
{
    const struct labelled field = labelled_quantity(quantity, reply_displacement_unit(result), glyphs);
    const struct figure figure = judgement_figure(result, section, quantity);
    json_object_set_new(row, quantity, json_string(figure_short(&figure, field.unit.text, glyphs).text));
}

static json_t *row_of(const json_t *result, const struct glyphs *glyphs)
{
    static const char *const copied[] = {"id",     "run_id",      "rig",     "channel",
                                         "source", "released_at", "verdict", "provisional"};
    const json_t *section = reply_recommended(result), *physical = json_object_get(result, "physical");
    json_t *row = json_object();
    for (size_t i = 0; i < sizeof copied / sizeof copied[0]; i++)
        json_object_set(row, copied[i], json_object_get(result, copied[i]));
    json_object_set(row, "half_cycles", json_object_get(json_object_get(result, "record"), "half_cycles"));
    add_figure(row, result, section, "f_n_hz", glyphs);
    add_figure(row, result, section, "zeta", glyphs);
    add_figure(row, result, section, "x_k", glyphs);
    add_figure(row, result, physical, "f_k_n", glyphs);
    json_object_set_new(row, "other", json_string(describe_headlines(result, glyphs).text));
    return row;
}

/* Ids grow with time: the place of a result among the others is that of its id. */
void model_take_result(struct model *model, const json_t *result)
{
    const int64_t id = reply_integer(result, "id", 0);
    size_t place = 0;
    int64_t other = 0;
    if (!json_is_object(result))
        return;
    while (place < json_array_size(model->results) &&
           (other = reply_integer(json_array_get(model->results, place), "id", 0)) > id)
        place++;
    json_t *row = row_of(result, model->glyphs);
    if (place < json_array_size(model->results) && other == id)
        model->failed = json_array_set_new(model->results, place, row) < 0 || model->failed;
    else
        model->failed = json_array_insert_new(model->results, place, row) < 0 || model->failed;
    while (json_array_size(model->results) > MODEL_RESULTS)
        json_array_remove(model->results, json_array_size(model->results) - 1);
}

static void take_result(struct model *model, const json_t *params, double now_s)
{
    (void)now_s;
    model_take_result(model, json_object_get(params, "result"));
}

static void take_event(struct model *model, const json_t *params, double now_s)
{
    json_t *event = json_object_get(params, "event");
    (void)now_s;
    if (json_is_object(event))
        put_first(model, model->events, json_incref(event), MODEL_EVENTS);
}

/* What this client missed is an event of its own. */
static void take_dropped(struct model *model, const json_t *params, double now_s)
{
    (void)now_s;
    put_first(model, model->events,
              json_pack("{s:s,s:s}", "code", "dropped", "sentence",
                        reply_text(params, "reason", "this client read too slowly")),
              MODEL_EVENTS);
}

/* What is told, and who takes it in. Notifications of a newer daemon that are not known here are passed over, and so is
 * what is no object. */
static const struct {
    const char *method;
    void (*take)(struct model *model, const json_t *params, double now_s);
} notifications[] = {
    {"notify.signal", take_facts}, {"notify.progress", take_facts},  {"notify.result", take_result},
    {"notify.event", take_event},  {"notify.dropped", take_dropped},
};

void model_take(struct model *model, const json_t *notification, double now_s)
{
    const char *method = reply_text(notification, "method", "");
    const json_t *params = json_object_get(notification, "params");
    for (size_t i = 0; json_is_object(params) && i < sizeof notifications / sizeof notifications[0]; i++)
        if (strcmp(notifications[i].method, method) == 0)
            notifications[i].take(model, params, now_s);
}
