/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A result and its short form; of records other than free decays what all of them have. */

#include "report/result_view.h"
#include "report/table_rows.h"
#include "report/tables.h"

#define RECORD(member) .offset = offsetof(struct record_view, member)

static const struct field record_fields[] = {
    {.name = "quantity", .type = FIELD_TEXT, .since = 2, .note = "what was measured", RECORD(quantity)},
    {.name = "delay_s",
     .type = FIELD_SIZE,
     .unit = KIND_S,
     .since = 2,
     .note = "how long after the start of a scan this channel is sampled, for channels take turns; the times of the "
             "samples have it in them; 0 where nothing is told of it, null when the record was stored before this was",
     RECORD(delay_s)},
    {.name = "read_as",
     .type = FIELD_TEXT,
     .since = 3,
     .note = "how the file was read, such as \"semicolon, decimal comma, time in ms\"; empty where it is written as "
             "recordings are, or the record is of no file",
     RECORD(read_as)},
    {.name = "start_s", .type = FIELD_FIGURE, .unit = KIND_S, .note = "source clock", RECORD(start_s)},
    {.name = "end_s", .type = FIELD_FIGURE, .unit = KIND_S, .note = "source clock", RECORD(end_s)},
    {.name = "samples", .type = FIELD_COUNT, RECORD(samples)},
    {.name = "sample_rate_hz", .type = FIELD_SIZE, .unit = KIND_HZ, RECORD(sample_rate_hz)},
    {.name = "time_error_s",
     .type = FIELD_SIZE,
     .unit = KIND_S,
     .since = 1,
     .note = "how far the record's times may be from those of the streams of the same rig; 0 when it is of such a "
             "stream, null where nothing is known of it, as in a recording",
     RECORD(time_error_s)},
    {.name = "half_cycles", .type = FIELD_COUNT, RECORD(half_cycles)},
    {.name = "ended_by",
     .type = FIELD_NAME,
     .words = WORDS_ENDED_BY,
     .note = "rest is a mass that stayed at an extremum where its own friction can hold it, noise_floor a motion that "
             "went on, as far as could be seen, until noise, hum or steps hid it, new_excitation anything that the law "
             "of the last half cycles does not explain: a blow, or a hand that caught the mass, also one that then "
             "pulled it to the limit of the sensor, or held it until samples were lost",
     RECORD(ended_by)},
    {.name = "dropped_first_half_cycle", .type = FIELD_FLAG, RECORD(dropped_first_half_cycle)},
    {.name = "clipped_samples", .type = FIELD_COUNT, RECORD(clipped_samples)},
    {.name = "pretrigger_samples", .type = FIELD_COUNT, RECORD(pretrigger_samples)},
    {.name = "resolution",
     .type = FIELD_SIZE,
     .unit = KIND_DISPLACEMENT,
     .note = "the smallest step",
     RECORD(resolution)},
    {.name = "noise", .type = FIELD_SIZE, .unit = KIND_DISPLACEMENT, .note = "standard deviation", RECORD(noise)},
    {.name = "rest_position",
     .type = FIELD_FIGURE,
     .unit = KIND_DISPLACEMENT,
     .note = "mean after the stop",
     RECORD(rest_position)},
    REASON,
};

static const struct section record_table = {
    .title = "what was identified",
    .size = sizeof(struct record_view),
    SECTION_FIELDS(record_fields),
    .missing = "what is null is not known: time-stamped samples have no single rate, a recording does not tell how "
               "well its times are known, the resolution may not be configured, the noise not measured, and the mass "
               "not seen at rest",
    .verdict_matters_not = true,
};

static const struct field source_fields[] = {
    {.name = "kind", .type = FIELD_TEXT, .words = WORDS_SOURCE_KIND, .offset = offsetof(struct source_view, kind)},
    {.name = "device",
     .type = FIELD_TEXT,
     .note = "device file, file name, or what the source calls itself",
     .offset = offsetof(struct source_view, device)},
};

static const struct section source_table = {
    .title = "where samples come from",
    .size = sizeof(struct source_view),
    SECTION_FIELDS(source_fields),
};

/* A displacement without its unit means nothing: units stand in the result itself. */
#define DISPLACEMENT_UNIT                                                                                              \
    {                                                                                                                  \
        .name = "displacement", .type = FIELD_TEXT, .offset = offsetof(struct units_view, displacement)                \
    }

static const struct field units_fields[] = {
    DISPLACEMENT_UNIT,
    {.name = "time", .type = FIELD_CONSTANT, .constant = "s"},
    {.name = "frequency", .type = FIELD_CONSTANT, .constant = "Hz"},
    {.name = "angular_frequency", .type = FIELD_CONSTANT, .constant = "rad/s"},
};

static const struct section units_table = {
    .title = "in which the figures are",
    .size = sizeof(struct units_view),
    SECTION_FIELDS(units_fields),
};

static const struct field handed_units_fields[] = {
    {.name = "displacement",
     .type = FIELD_TEXT,
     .note = "of the figures that were handed in; of a ring-down that in the unit of its samples",
     .offset = offsetof(struct units_view, displacement)},
};

static const struct section handed_units_table = {
    .title = "in which the record is",
    .size = sizeof(struct units_view),
    SECTION_FIELDS(handed_units_fields),
};

static const struct field summary_units_fields[] = {DISPLACEMENT_UNIT};

static const struct section summary_units_table = {
    .title = "in which the figures are",
    .size = sizeof(struct units_view),
    SECTION_FIELDS(summary_units_fields),
};

#define IDENTITY(member) .offset = offsetof(struct identity_view, member)

/* Both results and summaries begin with their identity. */
#define IDENTITY_FIELDS                                                                                                \
    {.name = "id", .type = FIELD_ID, .note = "the decay; null when identified on request", IDENTITY(id)},              \
        {.name = "seq",                                                                                                \
         .type = FIELD_ID,                                                                                             \
         .note = "the number of the notification that told of it; null when identified on request",                    \
         IDENTITY(seq)},                                                                                               \
        {.name = "run_id",                                                                                             \
         .type = FIELD_ID,                                                                                             \
         .since = 2,                                                                                                   \
         .note = "what the rig did once, seen by one channel or several: their decays have the same; of a file that "  \
                 "is identified offline, a number within it; null when identified on request",                         \
         IDENTITY(run_id)},                                                                                            \
        {.name = "kind",                                                                                               \
         .type = FIELD_TEXT,                                                                                           \
         .words = WORDS_KIND,                                                                                          \
         .since = 2,                                                                                                   \
         .note = "of the record",                                                                                      \
         IDENTITY(kind)},                                                                                              \
        {.name = "provisional",                                                                                        \
         .type = FIELD_FLAG,                                                                                           \
         .since = 12,                                                                                                  \
         .note = "the first of two answers: what takes longer, of a decay its ladder of models, follows as a higher "  \
                 "revision, whose estimates may differ and whose uncertainties are then mostly larger",                \
         IDENTITY(provisional)},                                                                                       \
        {.name = "revision",                                                                                           \
         .type = FIELD_ORDINAL,                                                                                        \
         .note = "higher for a later analysis of the same decay",                                                      \
         IDENTITY(revision)},                                                                                          \
        {.name = "rig", .type = FIELD_TEXT, IDENTITY(rig)},                                                            \
        {.name = "channel", .type = FIELD_TEXT, IDENTITY(channel)},                                                    \
        {.name = "source", .type = FIELD_OBJECT, .of = &source_table, IDENTITY(source)},                               \
        {.name = "config_id", .type = FIELD_TEXT, IDENTITY(config_id)},                                                \
        {.name = "released_at",                                                                                        \
         .type = FIELD_TIME,                                                                                           \
         .note = "time of day of the release; null when it is not known",                                              \
         IDENTITY(released_at_ns)},                                                                                    \
        {.name = "reason", .type = FIELD_REASON, .elsewhere = true, IDENTITY(reason)},                                 \
        {.name = "verdict",                                                                                            \
         .type = FIELD_VERDICT,                                                                                        \
         .note = "of the recommended section, or why there is none",                                                   \
         IDENTITY(verdict)},                                                                                           \
    {                                                                                                                  \
        .name = "recommended", .type = FIELD_NAME, .words = WORDS_RECOMMENDED, .nullable = true,                       \
        .note = "the section whose estimates to use; null: none, and verdict says why; "                               \
                "records other than free decays have no sections",                                                     \
        IDENTITY(recommended)                                                                                          \
    }

#define SECTION(member, table)                                                                                         \
    {                                                                                                                  \
        .name = #member, .type = FIELD_OBJECT, .of = &table, .offset = offsetof(struct result_view, member)            \
    }
#define FOUND(member)                                                                                                  \
    {                                                                                                                  \
        .name = #member, .type = FIELD_OBJECT, .of = &member##_table,                                                  \
        .offset = offsetof(struct result_view, found.member)                                                           \
    }

static const struct field result_fields[] = {
    IDENTITY_FIELDS,
    SECTION(record, record_table),
    SECTION(units, units_table),
    FOUND(fit),
    FOUND(extrema_fit),
    FOUND(decrement),
    {.name = "models",
     .type = FIELD_LIST,
     .of = &models_table,
     .count = MODEL_COUNT,
     .offset = offsetof(struct result_view, found.models)},
    FOUND(static_friction),
    SECTION(physical, physical_table),
    {.name = "flags", .type = FIELD_RAISED, .of = &flags_table, .offset = offsetof(struct result_view, flags)},
    FOUND(logarithmic_decrement),
    FOUND(linear_decrement),
    FOUND(jacobsen_ayre),
    SECTION(model_choice, model_choice_table),
    {.name = "drift", .type = FIELD_OBJECT, .of = &drift_table, .offset = offsetof(struct result_view, found.drifts)},
    FOUND(windows),
    SECTION(budget, budget_table),
    {.name = "ladder",
     .type = FIELD_OBJECT,
     .of = &ladder_table,
     .since = 4,
     .offset = offsetof(struct result_view, ladder)},
    {.name = "joint",
     .type = FIELD_OBJECT,
     .of = &joint_table,
     .since = 5,
     .offset = offsetof(struct result_view, joint)},
};

const struct section result_table = {
    .title = "everything found out about one decay",
    .size = sizeof(struct result_view),
    SECTION_FIELDS(result_fields),
};

static const struct field combined_fields[] = {
    {.type = FIELD_UNCERTAINTIES, .offset = 0},
    REASON,
};

#define NOT_RECOMMENDED "not determined by the recommended method"

static const struct section combined_table = {
    .title = "combined standard uncertainties of the estimates, as in the result's budget",
    .size = sizeof(double[MAIN_FIGURES]),
    SECTION_FIELDS(combined_fields),
    .missing = NOT_RECOMMENDED,
};

#define SUMMARY(member) .offset = offsetof(struct summary_view, member)

static const struct field summary_fields[] = {
    IDENTITY_FIELDS,
    {.name = "model",
     .type = FIELD_MODEL,
     .note = "the terms of what the record shows, as in model_choice; null where that is not decided",
     SUMMARY(main.terms)},
    {.name = "units", .type = FIELD_OBJECT, .of = &summary_units_table, SUMMARY(units)},
    {.name = "half_cycles",
     .type = FIELD_COUNT,
     .nullable = true,
     .note = "null of records other than free decays",
     SUMMARY(half_cycles)},
    {.name = "ended_by",
     .type = FIELD_NAME,
     .words = WORDS_ENDED_BY,
     .nullable = true,
     .note = "null of records other than free decays",
     SUMMARY(ended_by)},
    {.type = FIELD_MAIN_FIGURES, SUMMARY(main.figure)},
    {.name = "u", .type = FIELD_OBJECT, .of = &combined_table, .since = 1, SUMMARY(main.u)},
    {.name = "figures",
     .type = FIELD_HEADLINES,
     .since = 2,
     .note = "only of records other than free decays: the main estimates of the result, by their names",
     SUMMARY(figures)},
    {.name = "contact_model",
     .type = FIELD_TEXT,
     .since = 15,
     .note = "what a ladder chose for a driven contact; empty where none did",
     SUMMARY(contact_model)},
    {.name = "stopped",
     .type = FIELD_FLAG,
     .since = 15,
     .note = "a deadline ended the identification before all was looked at: modes and backbones of a ring-down, or a "
             "ladder of models, may be lacking",
     SUMMARY(stopped)},
    {.name = "protected",
     .type = FIELD_FLAG,
     .since = 3,
     .note = "the decay stays, however old it gets",
     SUMMARY(is_protected)},
};

const struct section summary_table = {
    .title = "the short form of a result",
    .size = sizeof(struct summary_view),
    SECTION_FIELDS(summary_fields),
    .missing = NOT_RECOMMENDED,
};

#define HANDED(member) .offset = offsetof(struct handed_view, member)

static const struct field handed_fields[] = {
    IDENTITY_FIELDS,
    {.name = "units", .type = FIELD_OBJECT, .of = &handed_units_table, HANDED(units)},
    {.name = "file", .type = FIELD_TEXT, .note = "as the device of source", HANDED(identity.source.device)},
    {.name = "group",
     .type = FIELD_TEXT,
     .note = "as channel: of a table the labels of its rows",
     HANDED(identity.channel)},
};

const struct section handed_table = {
    .title = "what every result of a record begins with that was handed in",
    .size = sizeof(struct handed_view),
    SECTION_FIELDS(handed_fields),
};
