/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a ring-down's record has beside its modes. */

#include "report/kinds/ring_down_lines.h"

#include "identify/ring_down/ring_down_findings.h"
#include "report/table_rows.h"

#define DEAD(member) .offset = offsetof(struct dead_sensor, member)

static const struct field dead_fields[] = {
    {.name = "sensor", .type = FIELD_TEXT, DEAD(name)},
    VERDICT_OF(struct dead_sensor),
    REASON,
    {.name = "since_s",
     .type = FIELD_FIGURE,
     .unit = KIND_S,
     .note = "from when on it stands still, of one that moved before",
     .since = 15,
     DEAD(since_s)},
};

const struct section ring_down_dead_table = {
    .title = "a sensor among others that says nothing, or what another one says, and is left out",
    .size = sizeof(struct dead_sensor),
    SECTION_FIELDS(dead_fields),
};

#define LINE(member) .offset = offsetof(struct steady_line, member)

static const struct field line_fields[] = {
    {.name = "f_hz", .type = FIELD_SIZE, .unit = KIND_HZ, LINE(f_hz)},
    {.name = "se_f_hz", .type = FIELD_SIZE, .unit = KIND_HZ, .note = "its standard uncertainty", LINE(se_f_hz)},
    {.name = "amplitude",
     .type = FIELD_SIZE,
     .unit = KIND_DISPLACEMENT,
     .note = "of the displacement, at the sensor that sees most of it",
     LINE(amplitude)},
    {.name = "se_amplitude",
     .type = FIELD_SIZE,
     .unit = KIND_DISPLACEMENT,
     .note = "its standard uncertainty",
     LINE(se_amplitude)},
    {.name = "sensor", .type = FIELD_TEXT, LINE(sensor)},
};

const struct section ring_down_line_table = {
    .title = "a line that the blow did not make, and that does not decay, as hum of the mains: no mode",
    .size = sizeof(struct steady_line),
    SECTION_FIELDS(line_fields),
};

#define LEFT(member) .offset = offsetof(struct left_line, member)

static const struct field left_fields[] = {
    {.name = "f_hz", .type = FIELD_SIZE, .unit = KIND_HZ, LEFT(f_hz)},
    {.name = "cause", .type = FIELD_NAME, .words = WORDS_LEFT_CAUSE, LEFT(cause)},
    {.name = "reason", .type = FIELD_TEXT, .note = "the cause in words", LEFT(reason)},
    {.name = "of_hz",
     .type = FIELD_NUMBERS,
     .unit = KIND_HZ,
     .most = LEFT_OTHERS,
     .count_offset = offsetof(struct left_line, others),
     .note = "the frequencies of the modes that make it, or explain it, where these are one or two",
     LEFT(other_hz)},
};

const struct section ring_down_left_table = {
    .title = "a line that stands out of the spectrum, and is told neither as a mode nor as a steady line",
    .size = sizeof(struct left_line),
    SECTION_FIELDS(left_fields),
};
