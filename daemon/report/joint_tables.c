/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The section of what several channels say together. */

#include "identify/ladder/joint_contradiction.h"
#include "report/joint_view.h"
#include "report/table_rows.h"
#include "report/tables.h"

#define BRIEF(member) .offset = offsetof(struct brief_view, member)

static const struct field unit_estimate_fields[] = {
    {.name = "value", .type = FIELD_FIGURE, .unit = KIND_OF_QUANTITY, BRIEF(value)},
    {.name = "se",
     .type = FIELD_SIZE,
     .unit = KIND_OF_QUANTITY,
     .note = "statistical standard uncertainty; null at a bound",
     BRIEF(se)},
    {.name = "ci95_statistical",
     .type = FIELD_INTERVAL,
     .unit = KIND_OF_QUANTITY,
     .note = "95 % interval of that; at a bound one-sided",
     BRIEF(interval)},
    {.name = "at_bound", .type = FIELD_FLAG, BRIEF(at_bound)},
    {.name = "unit", .type = FIELD_UNIT, .note = "empty for a pure number", BRIEF(unit)},
    REASON,
};

static const struct section unit_estimate_table = {
    .title = "an estimate with its unit, which need not be that of the channel",
    .size = sizeof(struct brief_view),
    SECTION_FIELDS(unit_estimate_fields),
    .missing = "at its bound, by definition, or its uncertainty could not be determined",
    .verdict_matters_not = true,
};

static const struct field estimates_fields[] = {
    {.type = FIELD_RUNG_FIGURES, .of = &unit_estimate_table, .offset = 0},
    REASON,
};

static const struct section estimates_table = {
    .title = "of the motion, in the unit of the reference",
    .size = sizeof(struct brief_view[LADDER_PARAMETERS]),
    SECTION_FIELDS(estimates_fields),
    .missing = "terms that the rung lacks are null",
};

#define CHANNEL(member) .offset = offsetof(struct joint_channel_view, member)

static const struct field channel_fields[] = {
    {.name = "channel", .type = FIELD_TEXT, CHANNEL(channel)},
    {.name = "id", .type = FIELD_ID, .note = "of its decay", CHANNEL(id)},
    {.name = "gain",
     .type = FIELD_OPTIONAL,
     .of = &unit_estimate_table,
     .note = "its displacement for one unit of the reference's; of the reference 1, without an uncertainty",
     CHANNEL(gain)},
    {.name = "bias", .type = FIELD_OPTIONAL, .of = &unit_estimate_table, .note = "in its own unit", CHANNEL(bias)},
    {.name = "noise", .type = FIELD_SIZE, .note = "standard deviation of what the fit leaves of it", CHANNEL(noise)},
    {.name = "unit", .type = FIELD_TEXT, .note = "of noise", CHANNEL(unit)},
    {.name = "delay_s",
     .type = FIELD_SIZE,
     .unit = KIND_S,
     .note = "after the start of a scan, as it is in the times of its samples",
     CHANNEL(delay_s)},
    {.name = "samples", .type = FIELD_COUNT, CHANNEL(samples)},
    REASON,
};

static const struct section joint_channel_table = {
    .title = "a channel of those that were fitted together",
    .size = sizeof(struct joint_channel_view),
    SECTION_FIELDS(channel_fields),
    .missing = "its decay is not stored, or the source did not tell its delay",
};

#define CONTRADICTION(member) .offset = offsetof(struct contradiction_view, member)

static const struct field contradiction_fields[] = {
    {.name = "found", .type = FIELD_FLAG, CONTRADICTION(found)},
    {.name = "figure",
     .type = FIELD_TEXT,
     .nullable = true,
     .note = "in which two channels by themselves differ most, f_n, t0 or a term in units of x0",
     CONTRADICTION(figure)},
    {.name = "channel", .type = FIELD_TEXT, .nullable = true, .note = "one of these", CONTRADICTION(channel)},
    {.name = "other", .type = FIELD_TEXT, .nullable = true, .note = "the other one", CONTRADICTION(other)},
    {.name = "standard_errors", .type = FIELD_SIZE, .note = "joint ones, by which they differ", CONTRADICTION(errors)},
    {.name = "limit",
     .type = FIELD_SIZE,
     .note = "beyond it the channels contradict each other; it grows with the number of comparisons",
     CONTRADICTION(limit)},
    REASON,
};

static const struct section contradiction_table = {
    .title = "whether channels by themselves, freed of gain and bias, say different things of one motion",
    .size = sizeof(struct contradiction_view),
    SECTION_FIELDS(contradiction_fields),
    .missing = "no two channels could be compared",
};

#define JOINT(member) .offset = offsetof(struct joint_view, member)

static const struct field joint_fields[] = {
    METHOD("joint"),
    VERDICT_OF(struct joint_view),
    REASON,
    {.name = "reference",
     .type = FIELD_TEXT,
     .nullable = true,
     .note = "the channel in whose unit the motion is told",
     JOINT(reference)},
    {.name = "terms", .type = FIELD_TERMS, .note = "of the rung", JOINT(terms)},
    {.name = "estimates", .type = FIELD_OBJECT, .of = &estimates_table, JOINT(estimate)},
    {.name = "half_cycles",
     .type = FIELD_COUNT,
     .note = "of the reference, from where all channels begin",
     JOINT(half_cycles)},
    {.name = "channels",
     .type = FIELD_LIST,
     .of = &joint_channel_table,
     .count_offset = offsetof(struct joint_view, count),
     .most = JOINT_CHANNELS_MOST,
     JOINT(channels)},
    {.name = "contradiction", .type = FIELD_OBJECT, .of = &contradiction_table, JOINT(contradiction)},
};

const struct section joint_table = {
    .title =
        "one fit of all channels that saw the motion: a rung of the ladder in common, and for each channel a gain, "
        "a bias and noise of its own",
    .size = sizeof(struct joint_view),
    SECTION_FIELDS(joint_fields),
    .missing = "it was not made",
    .not_computed = "no other channel was fitted with this one; where two or more channels of a run have their ladder, "
                    "a daemon makes it behind these, as a higher revision, and when all of them are identified anew; "
                    "a record that a client has identified is a run by itself, also where it is kept: fricidd "
                    "--offline, or a rig that plays the file, fits the channels of a file together",
};
