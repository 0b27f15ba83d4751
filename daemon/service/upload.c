/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A record on its way in, piece by piece. Every byte that it will occupy is taken from a budget shared by all
 * clients before it is allocated. */

#include "service/upload.h"

#include "proto/dialect/day_time.h"
#include "service/handed_form.h"
#include "service/parameters.h"
#include "service/simulation_upload.h"
#include "service/upload_marks.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 1024 };

/* Differences of times up to here are finite. */
#define LARGEST_TIME_S 1e300

/* Uniform or time-stamped: exactly one of them, and without contradiction. */
static bool timing_is_clear(const json_t *params, bool time_stamped, struct complaint *complaint)
{
    const json_t *rate = json_object_get(params, "sample_rate_hz");
    if (time_stamped && (rate || json_object_get(params, "start_s"))) {
        complaint_set(complaint, "time stamps and sample_rate_hz or start_s exclude each other");
        return false;
    }
    if (time_stamped)
        return true;
    if (!rate) {
        complaint_set(complaint, "either sample_rate_hz or time stamps are needed");
        return false;
    }
    /* The last sample of the longest record must still have a time of its own. */
    double period = 1.0 / json_number_value(rate);
    double start = parameter_number(params, "start_s", 0.0);
    double end = fabs(start) + period * UPLOAD_MAX_SAMPLES;
    if (isfinite(period) && period > 0.0 && end + period > end)
        return true;
    complaint_set(complaint, "sample_rate_hz and start_s do not give times that can be told apart");
    return false;
}

/* The time of day of its first sample, if it is told. */
static bool read_start(const json_t *params, struct identify_request *request, struct complaint *complaint)
{
    const char *text = parameter_text(params, "start_at", NULL);
    struct day_time found = {.zoned = false};
    if (!text)
        return true;
    const bool read = day_time_read((struct text_piece){text, strlen(text)}, &found) && found.zoned;
    request->start_at_ns = read ? day_time_moment_ns(&found) : INT64_MIN;
    request->dated = request->start_at_ns != INT64_MIN;
    if (!request->dated)
        complaint_set(complaint, "start_at is a date with a time and its zone, as 2026-11-21T07:05:31.250Z");
    return request->dated;
}

/* Between which amplitudes decays are used; kind: of a record that is none. */
static bool read_amplitudes(const json_t *params, const struct record_kind *kind, struct identify_request *request,
                            struct complaint *complaint)
{
    request->amplitude_max = parameter_number(params, "amplitude_max", 0.0);
    request->amplitude_min = parameter_number(params, "amplitude_min", 0.0);
    const bool limited = request->amplitude_max > 0 || request->amplitude_min > 0;
    const bool room = !(request->amplitude_max > 0) || request->amplitude_min < request->amplitude_max;
    if (kind && limited)
        complaint_set(complaint, "amplitude_max and amplitude_min are of free decays: the record is a %s", kind->name);
    else if (!room)
        complaint_set(complaint, "amplitude_min must be smaller than amplitude_max, or nothing is left between them");
    return room && !(kind && limited);
}

/* The names of sensors, and how many they are. */
static bool read_sensors(const json_t *params, const struct record_kind *kind, struct identify_request *request,
                         struct complaint *complaint)
{
    const char *names = parameter_text(params, "sensors", "");
    if (!*names)
        return true;
    bool whole = *names != ',' && !strstr(names, ",,") && names[strlen(names) - 1] != ',';
    request->sensors = 1;
    for (const char *comma = strchr(names, ','); comma; comma = strchr(comma + 1, ','))
        request->sensors++;
    snprintf(request->sensor, sizeof request->sensor, "%s", names);
    whole = whole && request->sensors <= KIND_SENSORS_MOST;
    if (!kind || !kind->several)
        complaint_set(complaint, "sensors are of a ring_down: records of other kinds have one");
    else if (!whole)
        complaint_set(complaint, "sensors must be at most %d names with commas between them", KIND_SENSORS_MOST);
    return kind && kind->several && whole;
}

/* Nothing is taken from the budget before the first sample. */
static struct upload *new_upload(struct memory_budget *budget, enum jsonrpc_error *code, struct complaint *complaint)
{
    struct upload *upload = calloc(1, sizeof *upload);
    if (!upload) {
        *code = JSONRPC_BUSY;
        complaint_set(complaint, "memory is short at the moment: try again later");
        return NULL;
    }
    upload->charge.budget = budget;
    upload->request.charge = &upload->charge;
    *code = 0;
    return upload;
}

struct upload *upload_begin_simulation(const struct kind_form *form, struct memory_budget *budget,
                                       enum jsonrpc_error *code, struct complaint *complaint)
{
    struct upload *upload = new_upload(budget, code, complaint);
    if (!upload)
        return NULL;
    upload->request.form = form;
    upload->simulation = calloc(1, sizeof *upload->simulation);
    if (upload->simulation)
        return upload;
    upload_destroy(upload);
    *code = JSONRPC_BUSY;
    complaint_set(complaint, "memory is short at the moment: try again later");
    return NULL;
}

struct upload *upload_begin(const json_t *params, struct memory_budget *budget, enum jsonrpc_error *code,
                            struct complaint *complaint)
{
    bool time_stamped = json_object_get(params, "time_s") || parameter_flag(params, "time_stamped", false);
    struct handed_form handed;
    struct identify_request dated = {.dated = false}, limits;
    *code = JSONRPC_INVALID_PARAMS;
    if (!handed_form_of(params, &handed, complaint) || !read_start(params, &dated, complaint) ||
        !read_amplitudes(params, handed.kind, &limits, complaint) ||
        !read_sensors(params, handed.kind, &dated, complaint) ||
        (!handed.form && !timing_is_clear(params, time_stamped, complaint)))
        return NULL;
    struct upload *upload = new_upload(budget, code, complaint);
    if (!upload)
        return NULL;
    struct identify_request *request = &upload->request;
    upload->time_stamped = time_stamped;
    request->dated = dated.dated;
    request->start_at_ns = dated.start_at_ns;
    request->start_s = parameter_number(params, "start_s", 0.0);
    request->period_s = time_stamped || handed.form ? 0.0 : 1.0 / parameter_number(params, "sample_rate_hz", 1.0);
    request->resolution = parameter_number(params, "resolution", 0.0);
    request->keep = parameter_flag(params, "keep", false);
    request->whole = handed.kind || parameter_flag(params, "whole", false);
    request->amplitude_max = limits.amplitude_max;
    request->amplitude_min = limits.amplitude_min;
    request->kind = handed.kind;
    request->form = handed.form;
    request->sensors = dated.sensors;
    memcpy(request->sensor, dated.sensor, sizeof request->sensor);
    request->tells_gaps = parameter_flag(params, "tells_gaps", false);
    request->clock_ppm = parameter_number(params, "clock_ppm", 0.0);
    request->delay_s = handed.form ? NAN : parameter_number(params, "delay_s", 0.0);
    request->time_error_s = parameter_number(params, "time_error_s", NAN);
    snprintf(request->rig, sizeof request->rig, "%s", parameter_text(params, "rig", ""));
    snprintf(request->together, sizeof request->together, "%s", parameter_text(params, "together", ""));
    snprintf(request->unit, sizeof request->unit, "%s", parameter_text(params, "unit", handed.unit));
    snprintf(request->read_as, sizeof request->read_as, "%s", parameter_text(params, "read_as", ""));
    snprintf(request->name, sizeof request->name, "%s", parameter_text(params, "name", "record"));
    return upload;
}

/* Makes an array longer; on failure it is as it was. */
static bool grow(double **array, size_t capacity)
{
    double *grown = realloc(*array, capacity * sizeof **array);
    if (!grown)
        return false;
    *array = grown;
    return true;
}

static bool grow_flags(uint8_t **flags, size_t before, size_t capacity)
{
    uint8_t *grown = realloc(*flags, capacity);
    if (!grown)
        return false;
    memset(grown + before, 0, capacity - before);
    *flags = grown;
    return true;
}

/* Samples have one figure each. */
static size_t columns_of(const struct upload *upload)
{
    return upload->request.form ? upload->request.form->count : 1;
}

size_t upload_rows(const struct upload *upload)
{
    return upload->request.count / columns_of(upload);
}

static bool grow_arrays(struct upload *upload, size_t capacity)
{
    struct identify_request *request = &upload->request;
    return grow(&request->displacement, capacity) && (!upload->time_stamped || grow(&request->time_s, capacity)) &&
           (!request->flags || grow_flags(&request->flags, upload->capacity, capacity));
}

/* Room for `wanted` samples or figures of a table, a quarter more than that while it grows. */
static enum jsonrpc_error make_room(struct upload *upload, size_t wanted, struct complaint *complaint)
{
    if (wanted <= upload->capacity)
        return 0;
    size_t capacity = wanted < FIRST_CAPACITY ? FIRST_CAPACITY : wanted + wanted / 4;
    const size_t most = UPLOAD_MAX_SAMPLES * columns_of(upload);
    capacity = capacity < most ? capacity : most;
    size_t each = sizeof(double) * (upload->time_stamped ? 2 : 1) + (upload->request.flags ? 1 : 0);
    size_t more = (capacity - upload->capacity) * each;
    if (memory_charge_add(&upload->charge, more) != MEMORY_GRANTED) {
        complaint_set(complaint, "too many records are being sent at the moment: try again later");
        return JSONRPC_BUSY;
    }
    if (!grow_arrays(upload, capacity)) {
        memory_charge_remove(&upload->charge, more);
        complaint_set(complaint, "memory is short at the moment: try again later");
        return JSONRPC_BUSY;
    }
    upload->sample_bytes += more;
    upload->capacity = capacity;
    return 0;
}

bool upload_figures_fit(const struct upload *upload, struct complaint *complaint)
{
    const struct identify_request *request = &upload->request;
    const struct kind_column *column =
        request->form ? kind_form_too_small(request->form, request->displacement, upload_rows(upload)) : NULL;
    if (column)
        complaint_set(complaint, "%s is too small to calculate with: the largest of a column is at least %.0e",
                      column->name, KIND_SMALLEST_FIGURE);
    return !column;
}

/* Figures of a sample in time. */
static size_t sensors_of(const struct identify_request *request)
{
    return request->sensors > 0 ? request->sensors : 1;
}

/* Whether the time stamps fit the samples and increase, also over what came before. */
static bool stamps_fit(const struct upload *upload, const json_t *displacement, const json_t *stamps,
                       struct complaint *complaint)
{
    const struct identify_request *request = &upload->request;
    if (upload->time_stamped != (stamps != NULL)) {
        complaint_set(complaint, upload->time_stamped ? "time_s is missing: the record was announced as time_stamped"
                                                      : "time_s was not announced: the record has a sample_rate_hz");
        return false;
    }
    if (json_array_size(displacement) % sensors_of(request) != 0) {
        complaint_set(complaint, "displacement has %zu elements, which are no whole samples of %zu sensors",
                      json_array_size(displacement), sensors_of(request));
        return false;
    }
    if (stamps && json_array_size(stamps) * sensors_of(request) != json_array_size(displacement)) {
        complaint_set(complaint, "time_s has %zu elements, displacement %zu: %s", json_array_size(stamps),
                      json_array_size(displacement),
                      sensors_of(request) > 1 ? "there must be one for all sensors" : "they must be alike");
        return false;
    }
    double before = request->count > 0 && stamps ? request->time_s[request->count - 1] : -INFINITY;
    for (size_t i = 0; i < json_array_size(stamps); i++) {
        double now = json_number_value(json_array_get(stamps, i));
        if (!(now > before) || fabs(now) > LARGEST_TIME_S) {
            complaint_set(complaint, "time_s does not increase, or is beyond all measure, at sample %zu",
                          request->count + i);
            return false;
        }
        before = now;
    }
    return true;
}

/* A table, or a piece of one. */
static enum jsonrpc_error take_table(struct upload *upload, const json_t *params, struct complaint *complaint)
{
    struct identify_request *request = &upload->request;
    if (!handed_piece_fits(params, request->form, complaint))
        return JSONRPC_INVALID_PARAMS;
    const size_t rows = handed_rows(params, request->form), more = rows * request->form->count;
    if (rows > UPLOAD_MAX_SAMPLES - upload_rows(upload)) {
        complaint_set(complaint, "a record has at most %d rows", UPLOAD_MAX_SAMPLES);
        return JSONRPC_TOO_LARGE;
    }
    enum jsonrpc_error code = make_room(upload, request->count + more, complaint);
    if (code != 0)
        return code;
    handed_copy(params, request->form, request->displacement + request->count);
    request->count += more;
    return 0;
}

/* All is checked before the first number is copied. */
enum jsonrpc_error upload_append(struct upload *upload, const json_t *params, struct complaint *complaint)
{
    struct identify_request *request = &upload->request;
    if (request->form)
        return take_table(upload, params, complaint);
    const json_t *displacement = json_object_get(params, "displacement");
    const json_t *stamps = json_object_get(params, "time_s");
    const bool tabular = json_object_get(params, "columns");
    if (!displacement || tabular) {
        complaint_set(complaint,
                      tabular ? "the record has samples, not columns" : "the parameter displacement is missing");
        return JSONRPC_INVALID_PARAMS;
    }
    if (!stamps_fit(upload, displacement, stamps, complaint))
        return JSONRPC_INVALID_PARAMS;
    size_t more = json_array_size(displacement);
    if (more > UPLOAD_MAX_SAMPLES - request->count) {
        complaint_set(complaint, "a record has at most %d samples", UPLOAD_MAX_SAMPLES);
        return JSONRPC_TOO_LARGE;
    }
    if (!upload_marks_fit(upload, params, more, complaint))
        return JSONRPC_INVALID_PARAMS;
    enum jsonrpc_error code = make_room(upload, request->count + more, complaint);
    if (code == 0)
        code = upload_marks_take(upload, params, complaint);
    if (code != 0)
        return code;
    for (size_t i = 0; i < more; i++) {
        request->displacement[request->count + i] = json_number_value(json_array_get(displacement, i));
        if (stamps)
            request->time_s[request->count + i] = json_number_value(json_array_get(stamps, i / sensors_of(request)));
    }
    request->count += more;
    return 0;
}

bool upload_keep_results(struct upload *upload, struct kept_result **results, size_t count,
                         const uint64_t drops[DROP_REASONS])
{
    upload->results = calloc(count, sizeof(struct kept_result *));
    if (!upload->results)
        return false;
    memcpy(upload->results, results, count * sizeof *results);
    memset(results, 0, count * sizeof *results);
    upload->result_count = count;
    memcpy(upload->drops, drops, sizeof upload->drops);
    upload->identified = true;
    memory_charge_remove(&upload->charge, upload->sample_bytes);
    upload->sample_bytes = 0;
    return true;
}

void upload_take_back(struct upload *upload, struct identify_request *request)
{
    memory_charge_remove(&upload->charge, upload->charge.bytes - upload->sample_bytes);
    upload->call = NULL;
    if (request == &upload->request)
        return;
    upload->request = *request;
    memset(request, 0, sizeof *request);
}

/* The bytes go back to the budget even when the arrays were handed to the backend: the request is over then. */
void upload_destroy(struct upload *upload)
{
    if (!upload)
        return;
    memory_charge_remove(&upload->charge, upload->charge.bytes);
    identify_request_clear(&upload->request);
    for (size_t i = 0; i < upload->result_count; i++)
        kept_result_release(upload->results[i]);
    free(upload->results);
    if (upload->simulation)
        simulation_clear(&upload->simulation->request.found);
    free(upload->simulation);
    free(upload);
}
