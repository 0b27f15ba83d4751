/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A recording's way to the daemon: one request when it is short, pieces of a fixed number of samples when it is not. */

#include "client/upload.h"

#include "client/reply.h"

/* An identification of a long recording may queue behind others, s. */
#define IDENTIFY_TIMEOUT_S 600.0

/* Of a record with many decays; the daemon puts fewer into a page where they are long. */
enum { RESULTS_A_PAGE = 40 };

/* Samples [first, first + count) as a list; NULL when memory is short. */
static json_t *list(const double *values, size_t first, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; array && i < count; i++)
        if (json_array_append_new(array, json_real(values[first + i])) < 0) {
            json_decref(array);
            array = NULL;
        }
    return array;
}

/* The protocol knows no gaps of an index: then it gets the stamps, which are as good a time. */
static bool sends_stamps(const struct recording *recording)
{
    return !recording->uniform || recording->run_count > 1;
}

/* What the daemon must know besides the samples. */
static json_t *settings(const struct recording *recording, size_t channel, bool whole)
{
    const struct recording_column *column = &recording->columns[channel];
    const struct recording_channel_facts facts = recording_facts(&recording->declaration, column->name);
    json_t *params = json_pack("{s:s, s:s, s:b, s:f}", "name", column->name, "unit", column->unit, "whole", (int)whole,
                               "resolution", facts.resolution);
    if (!sends_stamps(recording)) {
        json_object_set_new(params, "sample_rate_hz", json_real(1 / recording->period_s));
        json_object_set_new(params, "start_s", json_real(recording->start_s + facts.delay_s));
    }
    return params;
}

/* A uniform recording sends no stamps: its index is the time, and half the bytes are saved. */
static int add_samples(json_t *params, const struct recording *recording, size_t channel, size_t first, size_t count)
{
    int status = json_object_set_new(params, "displacement", list(recording->displacement[channel], first, count));
    if (status == 0 && sends_stamps(recording))
        status = json_object_set_new(params, "time_s", list(recording->time_s, first, count));
    return status;
}

static enum exit_status no_memory(const struct client *client, json_t *params)
{
    json_decref(params);
    screen_message(&client->screen, "not enough memory");
    return STATUS_FAILED;
}

/* Fetches the results that did not fit into the first answer, page by page, and puts them into it. */
static enum exit_status fetch_others(struct client *client, json_t *reply)
{
    json_t *results = json_object_get(reply, "results");
    int64_t upload = reply_integer(reply, "upload", 0), remaining = reply_integer(reply, "remaining", 0);
    while (remaining > 0) {
        json_t *page;
        json_t *params =
            json_pack("{s:I, s:I}", "upload", (json_int_t)upload, "offset", (json_int_t)json_array_size(results));
        enum exit_status status = client_ask(client, "identify.more", params, &page);
        if (status != STATUS_OK)
            return status;
        int failed = json_array_extend(results, json_object_get(page, "results"));
        remaining = json_array_size(json_object_get(page, "results")) > 0 ? reply_integer(page, "remaining", 0) : 0;
        json_decref(page);
        if (failed)
            return no_memory(client, NULL);
    }
    return STATUS_OK;
}

static enum exit_status in_one_request(struct client *client, const struct recording *recording, size_t channel,
                                       bool whole, json_t **reply)
{
    json_t *params = settings(recording, channel, whole);
    if (!params || json_object_set_new(params, "limit", json_integer(RESULTS_A_PAGE)) < 0 ||
        add_samples(params, recording, channel, 0, recording->count) < 0)
        return no_memory(client, params);
    return client_ask_within(client, "identify", params, client_timeout(client, IDENTIFY_TIMEOUT_S), reply);
}

/* The daemon numbers its uploads; the number comes back with every piece. */
static enum exit_status begin(struct client *client, const struct recording *recording, size_t channel, bool whole,
                              int64_t *upload)
{
    json_t *reply;
    json_t *params = settings(recording, channel, whole);
    if (!params || (sends_stamps(recording) && json_object_set_new(params, "time_stamped", json_true()) < 0))
        return no_memory(client, params);
    enum exit_status status = client_ask(client, "identify.begin", params, &reply);
    if (status != STATUS_OK)
        return status;
    *upload = reply_integer(reply, "upload", -1);
    json_decref(reply);
    return STATUS_OK;
}

static enum exit_status append(struct client *client, const struct recording *recording, size_t channel, size_t first,
                               int64_t upload)
{
    size_t left = recording->count - first;
    json_t *reply;
    json_t *params = json_pack("{s:I}", "upload", (json_int_t)upload);
    if (!params || add_samples(params, recording, channel, first, left < UPLOAD_CHUNK ? left : UPLOAD_CHUNK) < 0)
        return no_memory(client, params);
    enum exit_status status = client_ask(client, "identify.append", params, &reply);
    if (status == STATUS_OK)
        json_decref(reply);
    return status;
}

/* An upload that breaks off is forgotten by the daemon when the connection closes. */
static enum exit_status in_pieces(struct client *client, const struct recording *recording, size_t channel, bool whole,
                                  json_t **reply)
{
    int64_t upload = -1;
    enum exit_status status = begin(client, recording, channel, whole, &upload);
    for (size_t first = 0; status == STATUS_OK && first < recording->count; first += UPLOAD_CHUNK)
        status = append(client, recording, channel, first, upload);
    if (status != STATUS_OK)
        return status;
    json_t *params = json_pack("{s:I, s:i}", "upload", (json_int_t)upload, "limit", RESULTS_A_PAGE);
    return client_ask_within(client, "identify.finish", params, client_timeout(client, IDENTIFY_TIMEOUT_S), reply);
}

enum exit_status upload_channel(struct client *client, const struct recording *recording, size_t channel, bool whole,
                                json_t **reply)
{
    enum exit_status status = recording->count <= UPLOAD_CHUNK
                                  ? in_one_request(client, recording, channel, whole, reply)
                                  : in_pieces(client, recording, channel, whole, reply);
    if (status != STATUS_OK)
        return status;
    status = fetch_others(client, *reply);
    if (status != STATUS_OK)
        json_decref(*reply);
    return status;
}
