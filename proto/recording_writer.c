/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The other half of the recording format: rows whose numbers come back as the same doubles, and the marks between
 * them. */

#include "proto/recording_writer.h"

#include "proto/decimal.h"
#include "proto/json_value.h"
#include "proto/plain_text.h"
#include "proto/quote.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

/* Takes the object over. */
static int write_mark(FILE *file, json_t *object)
{
    if (!object)
        return -ENOMEM;
    fputs("#fricid ", file);
    int error = quote_json(file, object, 0);
    fputc('\n', file);
    json_decref(object);
    return error;
}

static json_t *channels_of(const struct recording_declaration *declaration)
{
    json_t *list = json_array();
    for (size_t c = 0; list && c < declaration->channel_count; c++) {
        const struct recording_channel_facts *facts = &declaration->channels[c];
        json_t *channel = json_pack("{s:s, s:s, s:f, s:f}", "name", facts->name, "unit", facts->unit, "resolution",
                                    facts->resolution, "delay_s", facts->delay_s);
        if (json_array_append_new(list, channel) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

static json_t *declared(const struct recording_declaration *declaration)
{
    json_t *object =
        json_pack("{s:i, s:s, s:s, s:b, s:f, s:o}", "recording", RECORDING_VERSION, "rig", declaration->rig, "device",
                  declaration->device, "tells_gaps", (int)declaration->tells_gaps, "clock_ppm", declaration->clock_ppm,
                  "channels", channels_of(declaration));
    int failed = !object;
    if (object && declaration->uniform)
        failed |= json_object_set_new(object, "origin_s", json_real(declaration->origin_s)) |
                  json_object_set_new(object, "period_s", json_real(declaration->period_s));
    if (object && declaration->dated)
        failed |= json_object_set_new(object, "zero_at", time_to_json(declaration->zero_at_ns));
    if (object && isfinite(declaration->time_error_s))
        failed |= json_object_set_new(object, "time_error_s", json_real(declaration->time_error_s));
    if (failed) {
        json_decref(object);
        object = NULL;
    }
    return object;
}

/* The unit always stands there: else the end of a name with an underscore would be taken for it. */
int recording_write_head(FILE *file, const struct recording_declaration *declaration, const char *remark,
                         const struct recording_column *columns, size_t count)
{
    int error = write_mark(file, declared(declaration));
    if (remark) {
        char *line = plain_text(remark, false);
        fprintf(file, "# %s\n", line ? line : "");
        free(line);
    }
    fputs("time_s", file);
    for (size_t c = 0; c < count; c++) {
        struct recording_column written;
        quote_column(written.name, sizeof written.name, columns[c].name);
        quote_column(written.unit, sizeof written.unit, columns[c].unit);
        fprintf(file, ",%s_%s", written.name, written.unit);
    }
    fputc('\n', file);
    return error;
}

/* The channels whose stream is broken; NULL when memory is short. */
static json_t *broken_channels(const struct recording_run *run, const struct recording_column *columns, size_t count)
{
    json_t *list = json_array();
    for (size_t c = 0; list && c < count; c++)
        if ((run->broken >> c & 1) && json_array_append_new(list, json_string(columns[c].name)) != 0) {
            json_decref(list);
            list = NULL;
        }
    return list;
}

int recording_write_run(FILE *file, const struct recording_run *run, bool clock, const struct recording_column *columns,
                        size_t count)
{
    json_t *mark = json_pack("{s:I}", "scan", (json_int_t)run->first_index);
    int failed = !mark;
    if (mark && clock)
        failed |= json_object_set_new(mark, "origin_s", json_real(run->origin_s)) |
                  json_object_set_new(mark, "period_s", json_real(run->period_s));
    if (mark && (run->broken || run->lost > 0)) {
        uint64_t all = count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
        failed |= json_object_set_new(mark, "gap", json_integer((json_int_t)run->lost));
        if ((run->broken & all) != all)
            failed |= json_object_set_new(mark, "channels", broken_channels(run, columns, count));
    }
    if (failed) {
        json_decref(mark);
        return -ENOMEM;
    }
    return write_mark(file, mark);
}

int recording_write_clipped(FILE *file, const char *channel, uint64_t samples)
{
    return write_mark(file, json_pack("{s:{s:I}}", "clipped", channel, (json_int_t)samples));
}

void recording_write_row(FILE *file, double time_s, const double *values, size_t count)
{
    char text[32];
    int length = decimal_write(text, sizeof text, time_s);
    fwrite(text, 1, (size_t)length, file);
    for (size_t c = 0; c < count; c++) {
        putc(',', file);
        length = decimal_write(text, sizeof text, values[c]);
        fwrite(text, 1, (size_t)length, file);
    }
    putc('\n', file);
}
