/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A recording's way to the daemon: one request when it is short, pieces of a fixed number of samples when it is not. */

#include "client/upload.h"

#include "client/reply.h"
#include "proto/clock.h"
#include "proto/json_value.h"
#include "proto/utf8.h"
#include "report/kinds/record_kind.h"
#include "report/kinds/recording_sensors.h"

/* Of a record with many decays; the daemon puts fewer into a page where they are long. */
enum { RESULTS_A_PAGE = 40 };

/* The minor version of the protocol that brought gaps, clipped samples, and what is declared of a rig. */
enum { SINCE_GAPS = 2 };

/* That which brought how a file was read, and when it was made. */
enum { SINCE_DATES = 3 };

/* That which brought kinds of records that have samples, and between which amplitudes decays are used. */
enum { SINCE_SAMPLED_KINDS = 4 };

/* That which brought sensors that are one record. */
enum { SINCE_SENSORS = 6 };

/* Protocol 1.13 knows requests that belong together. */
enum { SINCE_TOGETHER = 13 };

/* A channel of a recording on its way, or several. */
struct upload {
    struct client *client;
    const struct recording *recording;
    size_t channel;
    const size_t *channels; /* whose record it is, the first of them is `channel` */
    size_t count;
    bool whole;
    bool stamped;                   /* its samples go with their time stamps */
    const struct record_kind *kind; /* that the daemon is told; NULL: nothing, which is a free decay */
};

/* The protocol knows one clock, and of a decay that is cut already no gaps of its index: elsewhere the stamps go along,
 * which are as good a time. */
static bool needs_stamps(const struct recording *recording, bool whole)
{
    bool needed = !recording->uniform || (whole && recording->run_count > 1);
    for (size_t r = 1; r < recording->run_count; r++)
        needed = needed || recording->runs[r].origin_s != recording->runs[0].origin_s ||
                 recording->runs[r].period_s != recording->runs[0].period_s;
    return needed;
}

/* Adds to an object unless something is NULL already. */
static bool add(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0;
}

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

/* A figure of each channel for every sample. */
static json_t *figures(const struct upload *upload, size_t first, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; array && i < count * upload->count; i++) {
        const double *values = upload->recording->displacement[upload->channels[i % upload->count]];
        if (json_array_append_new(array, json_real(values[first + i / upload->count])) < 0) {
            json_decref(array);
            array = NULL;
        }
    }
    return array;
}

/* Samples in time that a message holds. */
static size_t piece_of(const struct upload *upload)
{
    return UPLOAD_CHUNK / upload->count;
}

/* --- what the daemon must know besides the samples --- */

/* By the clock, where there is one: stamps are written with few decimals. */
static double start_of(const struct upload *upload)
{
    const struct recording *recording = upload->recording;
    const struct recording_run *run = &recording->runs[0];
    return upload->whole ? recording->start_s : run->origin_s + (double)run->first_index * run->period_s;
}

/* What fricidctl record wrote into the file. */
static bool add_declared(json_t *params, const struct upload *upload, double delay_s)
{
    const struct recording_declaration *declared = &upload->recording->declaration;
    bool added = true;
    if (*declared->rig)
        added = added && add(params, "rig", json_string(declared->rig));
    if (declared->tells_gaps)
        added = added && add(params, "tells_gaps", json_true());
    if (declared->clock_ppm > 0)
        added = added && add(params, "clock_ppm", json_real(declared->clock_ppm));
    if (delay_s > 0)
        added = added && add(params, "delay_s", json_real(delay_s));
    if (declared->time_error_s >= 0)
        added = added && add(params, "time_error_s", json_real(declared->time_error_s));
    return added;
}

/* By the time of the first sample, which the daemon counts from; INT64_MIN: there is no such date. */
static int64_t moment_of_start(const struct upload *upload, double delay_s)
{
    const struct recording *recording = upload->recording;
    const double start_s = upload->stamped ? recording->time_s[0] : start_of(upload) + delay_s;
    return clock_moment_behind_ns(recording->declaration.zero_at_ns, start_s);
}

/* A daemon before 1.2 would refuse what it does not know: it gets what it does. NULL when memory is short. */
static json_t *settings(const struct upload *upload)
{
    const struct recording *recording = upload->recording;
    const struct recording_column *column = &recording->columns[upload->channel];
    const struct recording_channel_facts facts = recording_facts(&recording->declaration, column->name);
    char sensors[256] = "", name[64];
    if (upload->count > 1)
        sensor_names(recording, upload->channels, upload->count, sensors, sizeof sensors);
    utf8_copy(name, sizeof name, upload->count > 1 ? sensors : column->name);
    json_t *params = json_pack("{s:s, s:s, s:b, s:f}", "name", upload->count > 1 ? name : column->name, "unit",
                               column->unit, "whole", (int)upload->whole, "resolution", facts.resolution);
    bool added = params;
    if (added && !upload->stamped)
        added = add(params, "sample_rate_hz", json_real(1 / recording->period_s)) &&
                add(params, "start_s", json_real(start_of(upload) + facts.delay_s));
    if (added && upload->client->options.amplitude_max > 0)
        added = add(params, "amplitude_max", json_real(upload->client->options.amplitude_max));
    if (added && upload->client->options.amplitude_min > 0)
        added = add(params, "amplitude_min", json_real(upload->client->options.amplitude_min));
    if (added && upload->count > 1)
        added = add(params, "sensors", json_string(sensors));
    if (added && upload->kind)
        added = add(params, "kind", json_string(upload->kind->name));
    if (added && (upload->client->options.given & OPTION_KEEP))
        added = add(params, "keep", json_true());
    if (added && *upload->client->together)
        added = add(params, "together", json_string(upload->client->together));
    if (added && !recording->declaration.given && recording->declaration.clock_ppm > 0)
        added = add(params, "clock_ppm", json_real(recording->declaration.clock_ppm));
    if (added && recording->declaration.given && connection_minor_version(upload->client->connection) >= SINCE_GAPS)
        added = add_declared(params, upload, facts.delay_s);
    if (added && connection_minor_version(upload->client->connection) >= SINCE_DATES) {
        const int64_t start_ns = recording->declaration.dated ? moment_of_start(upload, facts.delay_s) : INT64_MIN;
        if (start_ns != INT64_MIN)
            added = add(params, "start_at", time_to_json(start_ns));
        if (added && *recording->read_as)
            added = add(params, "read_as", json_string(recording->read_as));
    }
    if (added)
        return params;
    json_decref(params);
    return NULL;
}

/* --- samples --- */

/* Adds the number of a sample to a list that may not be there yet. */
static bool note(json_t *params, const char *key, json_int_t number)
{
    json_t *numbers = json_object_get(params, key);
    if (!numbers && add(params, key, json_array()))
        numbers = json_object_get(params, key);
    return json_array_append_new(numbers, json_integer(number)) == 0;
}

/* Those runs that begin in this piece. A jump of the index tells how much is missing; where it does not jump, nothing
 * of the time is. */
static bool add_gaps(json_t *params, const struct upload *upload, size_t first, size_t count)
{
    const struct recording *recording = upload->recording;
    bool added = true;
    for (size_t r = 1; r < recording->run_count && !upload->whole; r++) {
        size_t row = recording->run_rows[r];
        uint64_t lost = recording_jump(recording, r);
        bool broken = lost > 0 || (recording->runs[r].broken >> upload->channel & 1);
        if (row < first || row >= first + count || !broken)
            continue;
        added = added && note(params, "gaps", (json_int_t)(row - first)) && note(params, "lost", (json_int_t)lost);
    }
    return added;
}

static bool add_clipped(json_t *params, const struct upload *upload, size_t first, size_t count)
{
    const struct recording *recording = upload->recording;
    bool added = true;
    for (size_t i = 0; recording->flags && i < count * upload->count && added; i++)
        if (recording->flags[upload->channels[i % upload->count]][first + i / upload->count] & RECORDING_CLIPPED)
            added = note(params, "clipped", (json_int_t)i);
    return added;
}

/* A uniform recording sends no stamps: its index is the time, and half the bytes are saved. */
static int add_samples(json_t *params, const struct upload *upload, size_t first, size_t count)
{
    const struct recording *recording = upload->recording;
    bool added = add(params, "displacement", figures(upload, first, count)) &&
                 (!upload->stamped || add(params, "time_s", list(recording->time_s, first, count)));
    if (added && connection_minor_version(upload->client->connection) >= SINCE_GAPS)
        added = add_gaps(params, upload, first, count) && add_clipped(params, upload, first, count);
    return added ? 0 : -1;
}

static enum exit_status no_memory(const struct client *client, json_t *params)
{
    json_decref(params);
    return screen_no_memory(&client->screen);
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

static enum exit_status in_one_request(const struct upload *upload, json_t **reply)
{
    struct client *client = upload->client;
    json_t *params = settings(upload);
    if (!params || json_object_set_new(params, "limit", json_integer(RESULTS_A_PAGE)) < 0 ||
        add_samples(params, upload, 0, upload->recording->count) < 0)
        return no_memory(client, params);
    return client_ask_within(client, "identify", params, client_timeout(client, IDENTIFY_TIMEOUT_S), reply);
}

/* The daemon numbers its uploads; the number comes back with every piece. */
static enum exit_status begin(const struct upload *upload, int64_t *number)
{
    json_t *reply;
    json_t *params = settings(upload);
    if (!params || (upload->stamped && json_object_set_new(params, "time_stamped", json_true()) < 0))
        return no_memory(upload->client, params);
    enum exit_status status = client_ask(upload->client, "identify.begin", params, &reply);
    if (status != STATUS_OK)
        return status;
    *number = reply_integer(reply, "upload", -1);
    json_decref(reply);
    return STATUS_OK;
}

static enum exit_status append(const struct upload *upload, size_t first, int64_t number)
{
    size_t left = upload->recording->count - first;
    json_t *reply;
    json_t *params = json_pack("{s:I}", "upload", (json_int_t)number);
    if (!params || add_samples(params, upload, first, left < piece_of(upload) ? left : piece_of(upload)) < 0)
        return no_memory(upload->client, params);
    enum exit_status status = client_ask(upload->client, "identify.append", params, &reply);
    if (status == STATUS_OK)
        json_decref(reply);
    return status;
}

/* An upload that breaks off is forgotten by the daemon when the connection closes. */
static enum exit_status in_pieces(const struct upload *upload, json_t **reply)
{
    struct client *client = upload->client;
    int64_t number = -1;
    enum exit_status status = begin(upload, &number);
    for (size_t first = 0; status == STATUS_OK && first < upload->recording->count; first += piece_of(upload))
        status = append(upload, first, number);
    if (status != STATUS_OK)
        return status;
    json_t *params = json_pack("{s:I, s:i}", "upload", (json_int_t)number, "limit", RESULTS_A_PAGE);
    return client_ask_within(client, "identify.finish", params, client_timeout(client, IDENTIFY_TIMEOUT_S), reply);
}

/* Without its gaps a recording would give other decays, and nobody would know. */
static enum exit_status check_age(const struct upload *upload)
{
    const struct recording *recording = upload->recording;
    const struct client *client = upload->client;
    bool marked = recording->run_count > 1 || recording->flags;
    if ((client->options.given & OPTION_KEEP) && connection_minor_version(client->connection) < SINCE_GAPS) {
        screen_message(&client->screen, "this fricidd is too old to keep what it identifies on request");
        return STATUS_FAILED;
    }
    if ((client->options.given & OPTION_AMPLITUDE) &&
        connection_minor_version(client->connection) < SINCE_SAMPLED_KINDS) {
        screen_message(&client->screen, "this fricidd is too old to be told between which amplitudes decays are used");
        return STATUS_FAILED;
    }
    if (*client->together && connection_minor_version(client->connection) < SINCE_TOGETHER) {
        screen_message(&client->screen, "this fricidd is too old to be told that files are of one rig");
        return STATUS_FAILED;
    }
    if (!marked || upload->whole || connection_minor_version(client->connection) >= SINCE_GAPS)
        return STATUS_OK;
    screen_message(&client->screen,
                   "this fricidd is too old to be told of the gaps and clipped samples in a recording: "
                   "fricidd --offline knows them");
    return STATUS_FAILED;
}

/* What a channel is of, by what is said or by its unit. A daemon that does not know of that takes all for free decays.
 */
static enum exit_status look_at_kind(struct upload *upload)
{
    struct client *client = upload->client;
    const bool said = client->options.given & OPTION_KIND;
    const bool known = connection_minor_version(client->connection) >= SINCE_SAMPLED_KINDS;
    const struct record_kind *kind =
        recording_kind(upload->recording, said ? client->options.kind : "", upload->channel);
    if (said && !known)
        screen_message(&client->screen, "this fricidd is too old to be told of which kind samples are");
    else if (!kind || kind->form_count > 0)
        screen_message(&client->screen, "--kind: there is no kind '%s' of records that have samples",
                       client->options.kind);
    if ((said && !known) || !kind || kind->form_count > 0)
        return STATUS_USAGE;
    upload->kind = known && record_kind_is_whole(kind) ? kind : NULL;
    if (upload->kind && (client->options.given & OPTION_AMPLITUDE)) {
        screen_message(&client->screen,
                       "%s is a %s: --amplitude-max and --amplitude-min are said of free decays; --kind free_decay "
                       "takes it for one",
                       upload->recording->columns[upload->channel].name, kind->name);
        return STATUS_USAGE;
    }
    if (upload->kind && *client->together) {
        screen_message(&client->screen,
                       "%s is a %s: --together is said of loops and of free decays; --kind free_decay takes it for one",
                       upload->recording->columns[upload->channel].name, kind->name);
        return STATUS_USAGE;
    }
    upload->whole = upload->whole || upload->kind;
    upload->stamped = needs_stamps(upload->recording, upload->whole);
    return STATUS_OK;
}

static bool takes_sensors(struct client *client, enum exit_status *status)
{
    *status = client->connection ? STATUS_OK : client_connect(client);
    return *status == STATUS_OK && connection_minor_version(client->connection) >= SINCE_SENSORS;
}

static size_t find_together(struct client *client, const struct recording *recording, size_t channel, size_t *room,
                            enum exit_status *status)
{
    const char *said = client->options.given & OPTION_KIND ? client->options.kind : "";
    *room = channel;
    return client->options.given & OPTION_CHANNEL || !takes_sensors(client, status)
               ? 1
               : sensors_together(recording, said, channel, room);
}

static enum exit_status send_together(struct client *client, const struct recording *recording, const size_t *channels,
                                      size_t count, json_t **reply)
{
    struct upload upload = {.client = client,
                            .recording = recording,
                            .channel = channels[0],
                            .channels = channels,
                            .count = count,
                            .whole = client->options.given & OPTION_WHOLE};
    enum exit_status status = client->connection ? STATUS_OK : client_connect(client);
    if (status == STATUS_OK)
        status = look_at_kind(&upload);
    if (status == STATUS_OK)
        status = check_age(&upload);
    if (status == STATUS_OK)
        status = recording->count <= piece_of(&upload) ? in_one_request(&upload, reply) : in_pieces(&upload, reply);
    if (status != STATUS_OK)
        return status;
    status = fetch_others(client, *reply);
    if (status != STATUS_OK)
        json_decref(*reply);
    return status;
}

enum exit_status upload_record(struct client *client, const struct recording *recording, size_t channel, size_t *room,
                               struct uploaded *uploaded)
{
    enum exit_status status = STATUS_OK;
    *uploaded = (struct uploaded){.sensors = find_together(client, recording, channel, room, &status)};
    if (status != STATUS_OK || uploaded->sensors == 0)
        return status;
    sensor_names(recording, room, uploaded->sensors, uploaded->name, sizeof uploaded->name);
    return send_together(client, recording, room, uploaded->sensors, &uploaded->reply);
}

int recording_to_identify(const struct client *client, const char *file, struct recording *recording,
                          struct complaint *complaint)
{
    const struct options *options = &client->options;
    struct recording_manner manner = options->manner;
    manner.holes = true;
    int error = recording_load(file, &manner, recording, complaint);
    if (!error)
        error = recording_settle_holes(recording, file, options->given & OPTION_KIND ? options->kind : "",
                                       options->given & OPTION_CHANNEL ? options->channel : NULL, complaint);
    if (error)
        recording_clear(recording);
    return error;
}
