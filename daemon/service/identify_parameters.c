/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rows that tell what a record and its pieces are. */

#include "service/identify_parameters.h"

#include "report/kinds/record_kind.h"
#include "service/upload_parameters.h"
#include "store/kept.h"

#include <float.h>

/* What a piece holds, in identify and in identify.append. */
#define PIECE_PARAMETERS                                                                                               \
    {.name = "displacement",                                                                                           \
     .of_samples = true,                                                                                               \
     .type = PARAMETER_NUMBERS,                                                                                        \
     .maximum = UPLOAD_MAX_CHUNK,                                                                                      \
     .unit = "displacement unit"},                                                                                     \
        {.name = "time_s",                                                                                             \
         .of_samples = true,                                                                                           \
         .type = PARAMETER_NUMBERS,                                                                                    \
         .maximum = UPLOAD_MAX_CHUNK,                                                                                  \
         .unit = "s",                                                                                                  \
         .note = "strictly increasing time stamps, as many as samples"},                                               \
        {.name = "gaps",                                                                                               \
         .of_samples = true,                                                                                           \
         .type = PARAMETER_INDEXES,                                                                                    \
         .maximum = UPLOAD_MAX_CHUNK,                                                                                  \
         .since = 2,                                                                                                   \
         .note = "the numbers of those samples, from 0 in this request, before which others are missing"},             \
        {.name = "lost",                                                                                               \
         .of_samples = true,                                                                                           \
         .type = PARAMETER_INDEXES,                                                                                    \
         .maximum = UPLOAD_MAX_CHUNK,                                                                                  \
         .since = 2,                                                                                                   \
         .note =                                                                                                       \
             "for each of gaps how many, 0 when that is not known; uniform samples behind a gap are that much later"}, \
    {                                                                                                                  \
        .name = "clipped", .of_samples = true, .type = PARAMETER_INDEXES, .maximum = UPLOAD_MAX_CHUNK, .since = 2,     \
        .note = "the numbers of those samples that the converter cut off"                                              \
    }

/* What describes a record, in identify and in identify.begin. */
#define RECORD_PARAMETERS                                                                                              \
    {.name = "sample_rate_hz",                                                                                         \
     .of_samples = true,                                                                                               \
     .type = PARAMETER_NUMBER,                                                                                         \
     .minimum = 1e-6,                                                                                                  \
     .maximum = 1e12,                                                                                                  \
     .unit = "Hz",                                                                                                     \
     .note = "the sampling rate of a record without time stamps"},                                                     \
        {.name = "start_s",                                                                                            \
         .of_samples = true,                                                                                           \
         .type = PARAMETER_NUMBER,                                                                                     \
         .minimum = -DBL_MAX,                                                                                          \
         .maximum = DBL_MAX,                                                                                           \
         .unit = "s",                                                                                                  \
         .note = "the time of its first sample, 0 if left out"},                                                       \
        {.name = "unit",                                                                                               \
         .type = PARAMETER_TEXT,                                                                                       \
         .maximum = 31,                                                                                                \
         .note = "displacement unit, or that of columns whose names do not end in theirs; 1 if left out"},             \
        {.name = "name",                                                                                               \
         .type = PARAMETER_TEXT,                                                                                       \
         .maximum = 63,                                                                                                \
         .note = "the channel in the results; record if left out"},                                                    \
        {.name = "resolution",                                                                                         \
         .of_samples = true,                                                                                           \
         .type = PARAMETER_NUMBER,                                                                                     \
         .minimum = 0,                                                                                                 \
         .maximum = DBL_MAX,                                                                                           \
         .unit = "displacement unit",                                                                                  \
         .note = "smallest step of the sensor; 0, not known, if left out"},                                            \
        {.name = "whole",                                                                                              \
         .of_samples = true,                                                                                           \
         .type = PARAMETER_FLAG,                                                                                       \
         .note = "true: the record is one decay already cut, and starts at its first extremum or before; else decays " \
                 "are looked for in it"},                                                                              \
        {.name = "amplitude_max",                                                                                      \
         .of_samples = true,                                                                                           \
         .type = PARAMETER_NUMBER,                                                                                     \
         .minimum = 0,                                                                                                 \
         .maximum = DBL_MAX,                                                                                           \
         .unit = "displacement unit",                                                                                  \
         .since = 4,                                                                                                   \
         .note = "decays are used from the first extremum of at most this amplitude, half of a swing; the "            \
                 "configuration's start_below, if left out or 0; of free decays only"},                                \
        {.name = "amplitude_min",                                                                                      \
         .of_samples = true,                                                                                           \
         .type = PARAMETER_NUMBER,                                                                                     \
         .minimum = 0,                                                                                                 \
         .maximum = DBL_MAX,                                                                                           \
         .unit = "displacement unit",                                                                                  \
         .since = 4,                                                                                                   \
         .note = "and to the last of at least this one; the configuration's stop_below, if left out or 0; likewise"},  \
        {.name = "keep",                                                                                               \
         .type = PARAMETER_FLAG,                                                                                       \
         .since = 2,                                                                                                   \
         .note = "true: what is found is stored with its results and published, before the answer; what was kept "     \
                 "before is "                                                                                          \
                 "not kept twice, and has the id and run that it has"},                                                \
        {.name = "rig",                                                                                                \
         .type = PARAMETER_TEXT,                                                                                       \
         .maximum = 63,                                                                                                \
         .since = 2,                                                                                                   \
         .note = "the rig that was recorded: where one of that name is configured, its settings for the channel "      \
                 "hold, and a configured resolution counts more than the one given here; else those for files"},       \
        {.name = "together",                                                                                           \
         .of_samples = true,                                                                                           \
         .type = PARAMETER_TEXT,                                                                                       \
         .maximum = 63,                                                                                                \
         .since = 13,                                                                                                  \
         .note = "any word: free decays of one name and unit in requests with the same word are releases of one rig, " \
                 "and say together how large terms may be that one of them does not show; only those of this request " \
                 "do so, if left out"},                                                                                \
        {.name = "tells_gaps",                                                                                         \
         .of_samples = true,                                                                                           \
         .type = PARAMETER_FLAG,                                                                                       \
         .since = 2,                                                                                                   \
         .note = "true: no gap is missing in gaps, a late time stamp is none"},                                        \
        {.name = "clock_ppm",                                                                                          \
         .of_samples = true,                                                                                           \
         .type = PARAMETER_NUMBER,                                                                                     \
         .minimum = 0,                                                                                                 \
         .maximum = 1e6,                                                                                               \
         .unit = "1e-6",                                                                                               \
         .since = 2,                                                                                                   \
         .note = "uncertainty of its clock; 0, not known to matter, if left out"},                                     \
        {.name = "delay_s",                                                                                            \
         .of_samples = true,                                                                                           \
         .type = PARAMETER_NUMBER,                                                                                     \
         .minimum = 0,                                                                                                 \
         .maximum = DBL_MAX,                                                                                           \
         .unit = "s",                                                                                                  \
         .since = 2,                                                                                                   \
         .note = "how long after the start of its scan the channel was sampled, which its times have in them; 0 if "   \
                 "left out"},                                                                                          \
        {.name = "start_at",                                                                                           \
         .of_samples = true,                                                                                           \
         .type = PARAMETER_TEXT,                                                                                       \
         .maximum = 63,                                                                                                \
         .since = 3,                                                                                                   \
         .note = "when its first sample was taken, as 2026-11-21T07:05:31.250Z; not known, if left out"},              \
        {.name = "sensors",                                                                                            \
         .of_samples = true,                                                                                           \
         .type = PARAMETER_TEXT,                                                                                       \
         .maximum = 255,                                                                                               \
         .since = 6,                                                                                                   \
         .note = "of a ring_down that several sensors saw in one unit, 16 at most: their names with commas between "   \
                 "them. displacement then has a figure of each, in their order, for every sample in time, and time_s " \
                 "one for all; the numbers in clipped count figures"},                                                 \
        {.name = "read_as",                                                                                            \
         .type = PARAMETER_TEXT,                                                                                       \
         .maximum = 239,                                                                                               \
         .since = 3,                                                                                                   \
         .note = "how the client read its file, for the results"},                                                     \
    {                                                                                                                  \
        .name = "time_error_s", .of_samples = true, .type = PARAMETER_NUMBER, .minimum = 0, .maximum = DBL_MAX,        \
        .unit = "s", .since = 2,                                                                                       \
        .note = "how far its times may be from those of the rig's other channels; not known, if left out"              \
    }

/* How much of the results is wanted at once. */
#define PAGE_PARAMETER                                                                                                 \
    {                                                                                                                  \
        .name = "limit", .type = PARAMETER_INTEGER, .minimum = 1, .maximum = UPLOAD_MAX_PAGE, .since = 1,              \
        .note = "at most so many results in the answer, fewer when they are long; all of them if left out"             \
    }

static const struct parameter for_identify[] = {
    PIECE_PARAMETERS,
    PAGE_PARAMETER,
    RECORD_PARAMETERS,
    {.name = "kind",
     .type = PARAMETER_TEXT,
     .maximum = 23,
     .word = record_kind_name_at,
     .since = 2,
     .note = "of the record: one that has samples, or one that has columns; if left out, a " KIND_FREE_DECAY
             ", whatever the unit"},
    UPLOAD_COLUMNS(
            .since = 2,
            .note = "the figures of a record that is a table, column by column under the names that its kind has for "
                    "them, as many in each; 0 is not measured"),
};

static const struct parameter for_begin[] = {
    RECORD_PARAMETERS,
    {.name = "time_stamped", .of_samples = true, .type = PARAMETER_FLAG, .note = "true: every piece brings its time_s"},
    {.name = "kind",
     .type = PARAMETER_TEXT,
     .maximum = 23,
     .word = record_kind_name_at,
     .since = 4,
     .note = "of the record, which has samples, or columns named in form; as of identify"},
    UPLOAD_FORM(
            .since = 6,
            .note =
                "the names of the columns that every piece brings, with commas between them, in the order in which the "
                "kind has them; it needs kind"),
};

static const struct parameter for_append[] = {
    UPLOAD_NUMBER,
    PIECE_PARAMETERS,
    UPLOAD_COLUMNS(.since = 6, .note = "of a record that was begun with a form: its next rows, as of identify"),
};

static const struct parameter for_finish[] = {
    UPLOAD_NUMBER,
    PAGE_PARAMETER,
};

static const struct parameter for_more[] = {
    UPLOAD_NUMBER,
    UPLOAD_OFFSET(.note = "how many results the client has; they are forgotten"),
};

#define GAPS_AND_LOST "\"dependentRequired\":{\"gaps\":[\"lost\"],\"lost\":[\"gaps\"]}"

static const char timed[] =
    "{\"oneOf\":[{\"required\":[\"displacement\",\"time_s\"],\"not\":{\"required\":[\"start_s\"]}},"
    "{\"required\":[\"displacement\",\"sample_rate_hz\"]},"
    "{\"required\":[\"kind\",\"columns\"]}]," GAPS_AND_LOST "}";
static const char announced[] =
    "{\"oneOf\":[{\"required\":[\"time_stamped\"],\"properties\":{\"time_stamped\":{\"const\":true}},"
    "\"not\":{\"required\":[\"start_s\"]}},{\"required\":[\"sample_rate_hz\"]},"
    "{\"required\":[\"kind\",\"form\"],\"not\":{\"required\":[\"time_stamped\"]}}],"
    "\"dependentRequired\":{\"form\":[\"kind\"]}}";
static const char piece[] =
    "{\"oneOf\":[{\"required\":[\"displacement\"]},{\"required\":[\"columns\"],\"not\":{\"anyOf\":["
    "{\"required\":[\"time_s\"]},{\"required\":[\"gaps\"]},{\"required\":[\"clipped\"]}]}}]," GAPS_AND_LOST "}";

#define LIST(rows) rows, sizeof rows / sizeof rows[0]

const struct parameter_list identify_parameters = {LIST(for_identify), timed};
const struct parameter_list identify_begin_parameters = {LIST(for_begin), announced};
const struct parameter_list identify_append_parameters = {LIST(for_append), piece};
const struct parameter_list identify_finish_parameters = {LIST(for_finish), NULL};
const struct parameter_list identify_more_parameters = {LIST(for_more), NULL};

static const char *parameter_of_samples(const json_t *params, const struct parameter_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->rows[i].of_samples && json_object_get(params, list->rows[i].name))
            return list->rows[i].name;
    return NULL;
}

const char *identify_parameter_of_samples(const json_t *params)
{
    const char *in_one = parameter_of_samples(params, &identify_parameters);
    return in_one ? in_one : parameter_of_samples(params, &identify_begin_parameters);
}
