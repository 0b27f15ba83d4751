/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The model of a mode beside the record of its ring-down. */

#include "report/kinds/ring_down_simulation.h"

#include "identify/ring_down/ring_down.h"
#include "report/table_rows.h"

#define COURSE(member) .offset = offsetof(struct course_point, member)

static const struct field course_fields[] = {
    {.name = "time_s",
     .type = FIELD_SIZE,
     .unit = KIND_S,
     .note = "since the first sample that was used",
     COURSE(time_s)},
    {.name = "record", .type = FIELD_SIZE, .note = "amplitude in the mode's band", COURSE(record)},
    {.name = "model", .type = FIELD_SIZE, .note = "likewise", COURSE(model)},
    {.name = "residual", .type = FIELD_SIZE, .note = "that of the difference of the two", COURSE(residual)},
};

static const struct section course_table = {
    .title = "record and model over time, over the first crest",
    .size = sizeof(struct course_point),
    SECTION_FIELDS(course_fields),
};

#define SPECTRUM_POINT(member) .offset = offsetof(struct spectrum_point, member)

static const struct field spectrum_point_fields[] = {
    {.name = "f_hz", .type = FIELD_SIZE, .unit = KIND_HZ, SPECTRUM_POINT(f_hz)},
    {.name = "record", .type = FIELD_SIZE, SPECTRUM_POINT(record)},
    {.name = "model", .type = FIELD_SIZE, SPECTRUM_POINT(model)},
};

static const struct section spectrum_point_table = {
    .title = "magnitudes over the largest of the record in the first spectrum",
    .size = sizeof(struct spectrum_point),
    SECTION_FIELDS(spectrum_point_fields),
};

#define SPECTRUM(member) .offset = offsetof(struct zeroed_spectrum, member)

static const struct field spectrum_fields[] = {
    {.name = "zeroed_s",
     .type = FIELD_SIZE,
     .unit = KIND_S,
     .note = "since the first sample that was used: what is earlier is zeroed",
     SPECTRUM(zeroed_s)},
    {.name = "misfit",
     .type = FIELD_SIZE,
     .note = "rms of what the model leaves of the complex spectrum, over the record's largest in it",
     SPECTRUM(misfit)},
    {.name = "points",
     .type = FIELD_LIST,
     .of = &spectrum_point_table,
     .most = SPECTRUM_POINTS,
     .count_offset = offsetof(struct zeroed_spectrum, count),
     SPECTRUM(point)},
};

static const struct section spectrum_table = {
    .title = "a spectrum of record and model whose early time is zeroed",
    .size = sizeof(struct zeroed_spectrum),
    SECTION_FIELDS(spectrum_fields),
};

#define SIMULATION(member) .offset = offsetof(struct mode_simulation, member)

static const struct field simulation_fields[] = {
    VERDICT_OF(struct mode_simulation),
    REASON,
    {.name = "residual",
     .type = FIELD_SIZE,
     .note = "rms of what it leaves of the samples, over the first crest",
     SIMULATION(residual)},
    {.name = "residual_first",
     .type = FIELD_SIZE,
     .note = "the same in the first 20 cycles that were used",
     SIMULATION(residual_first)},
    {.name = "residual_after",
     .type = FIELD_SIZE,
     .note = "and after them; null: there is no sample",
     SIMULATION(residual_after)},
    {.name = "course",
     .type = FIELD_LIST,
     .of = &course_table,
     .most = COURSE_POINTS,
     .count_offset = offsetof(struct mode_simulation, points),
     SIMULATION(course)},
    {.name = "spectra",
     .type = FIELD_LIST,
     .of = &spectrum_table,
     .most = SPECTRA,
     .count_offset = offsetof(struct mode_simulation, spectra),
     .note = "zeroed until the mode fell by none, one, two and three quarters of the nepers that are seen of it",
     SIMULATION(spectrum)},
};

const struct section ring_down_simulation_table = {
    .title = "the model of the mode, integrated exactly, beside the record: over time, and as spectra of both with "
             "zeroed early time, which show how a peak changes as the motion becomes smaller",
    .size = sizeof(struct mode_simulation),
    SECTION_FIELDS(simulation_fields),
};
