/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The section of the ladder of models. */

#include "report/ladder_view.h"
#include "report/table_rows.h"
#include "report/tables.h"

#define BRIEF(member) .offset = offsetof(struct brief_view, member)

static const struct field brief_fields[] = {
    {.name = "value", .type = FIELD_FIGURE, .unit = KIND_OF_QUANTITY, BRIEF(value)},
    {.name = "se",
     .type = FIELD_SIZE,
     .unit = KIND_OF_QUANTITY,
     .note = "statistical standard uncertainty; null at a bound",
     BRIEF(se)},
    {.name = "unit", .type = FIELD_UNIT, .note = "empty for a pure number", BRIEF(unit)},
    REASON,
};

const struct section brief_table = {
    .title = "an estimate in short",
    .size = sizeof(struct brief_view),
    SECTION_FIELDS(brief_fields),
    .missing = "at its bound, or its uncertainty could not be determined",
    .verdict_matters_not = true,
};

static const struct field rung_estimates_fields[] = {
    {.type = FIELD_RUNG_FIGURES, .of = &brief_table, .offset = 0},
    REASON,
};

static const struct section rung_estimates_table = {
    .title = "of its motion and of its terms",
    .size = sizeof(struct brief_view[LADDER_PARAMETERS]),
    SECTION_FIELDS(rung_estimates_fields),
    .missing = "terms that this rung lacks are null",
};

#define RUNG(member) .offset = offsetof(struct rung_view, member)
#define CRITERION "n ln of the whitened sum of squares, and 6.63 a term"

static const struct field rung_fields[] = {
    {.name = "terms", .type = FIELD_TERMS, RUNG(terms)},
    VERDICT_OF(struct rung_view),
    REASON,
    {.name = "estimates", .type = FIELD_OBJECT, .of = &rung_estimates_table, RUNG(estimate)},
    {.name = "residual_rms", .type = FIELD_SIZE, .unit = KIND_DISPLACEMENT, RUNG(rms)},
    {.name = "aicc", .type = FIELD_FIGURE, .note = "on whitened residuals; smaller is better", RUNG(aicc)},
    {.name = "criterion", .type = FIELD_FIGURE, .note = CRITERION "; that with the least is chosen", RUNG(criterion)},
};

const struct section rung_table = {
    .title = "a rung of the ladder",
    .size = sizeof(struct rung_view),
    SECTION_FIELDS(rung_fields),
};

#define CLOCK_STEP(member) .offset = offsetof(struct clock_step, member)

#define WHEN_AND_HOW_MUCH                                                                                              \
    {.name = "time",                                                                                                   \
     .type = FIELD_ESTIMATE,                                                                                           \
     .unit = KIND_S,                                                                                                   \
     .note = "when the clock stepped, by the record's times",                                                          \
     CLOCK_STEP(time_s)},                                                                                              \
    {                                                                                                                  \
        .name = "lost", .type = FIELD_ESTIMATE, .unit = KIND_S,                                                        \
        .note = "what the clock lost there; negative where it leapt", CLOCK_STEP(lost_s)                               \
    }

static const struct field clock_step_fields[] = {
    {.name = "found", .type = FIELD_FLAG, CLOCK_STEP(found)},
    WHEN_AND_HOW_MUCH,
    REASON,
};

static const struct section clock_step_table = {
    .title =
        "where the recorder's clock stepped, the largest such step of the record: behind that time the motion is as "
        "much later or earlier at the same amplitude; all models are fitted with it put right",
    .size = sizeof(struct clock_step),
    SECTION_FIELDS(clock_step_fields),
    .missing = "no step of the recorder's clock was seen",
};

static const struct field clock_steps_fields[] = {WHEN_AND_HOW_MUCH};

static const struct section clock_steps_table = {
    .title = "a step of the recorder's clock",
    .size = sizeof(struct clock_step),
    SECTION_FIELDS(clock_steps_fields),
};

#define ZERO_DRIFT(member) .offset = offsetof(struct zero_drift, member)

static const struct field zero_drift_fields[] = {
    {.name = "found", .type = FIELD_FLAG, ZERO_DRIFT(found)},
    {.name = "change",
     .type = FIELD_ESTIMATE,
     .unit = KIND_DISPLACEMENT,
     .note = "of the zero, from the first extremum to the last",
     ZERO_DRIFT(change)},
    REASON,
};

static const struct section zero_drift_table = {
    .title =
        "whether the sensor's zero drifts in a straight line along the record, as with its temperature; all models "
        "are fitted with it taken out, and their bias is the zero in the middle",
    .size = sizeof(struct zero_drift),
    SECTION_FIELDS(zero_drift_fields),
    .missing = "no drift of the sensor's zero was seen",
};

#define ZERO_STEPS(member) .offset = offsetof(struct zero_steps, member)

static const struct field zero_steps_fields[] = {
    {.name = "found", .type = FIELD_FLAG, ZERO_STEPS(found)},
    {.name = "rms",
     .type = FIELD_SIZE,
     .unit = KIND_DISPLACEMENT,
     .note = "of the middles of the cycles, from the chosen rung",
     ZERO_STEPS(rms)},
    {.name = "share", .type = FIELD_SIZE, .note = "of the mean square of the residuals", ZERO_STEPS(share)},
    REASON,
};

static const struct section zero_steps_table = {
    .title =
        "whether the sensor's zero changes from cycle to cycle, as where an encoder's counts slip at turning points",
    .size = sizeof(struct zero_steps),
    SECTION_FIELDS(zero_steps_fields),
    .missing = "fewer cycles than it takes to tell",
};

#define CONSISTENCY(member) .offset = offsetof(struct ladder_consistency, member)

static const struct field consistency_fields[] = {
    PARAMETER(FIT_X_K, offsetof(struct ladder_consistency, x_k)),
    {.name = "errors",
     .type = FIELD_SIZE,
     .note = "what that differs from the friction of all samples by, in joint standard errors",
     CONSISTENCY(errors)},
    {.name = "contradicts", .type = FIELD_FLAG, .note = "these are more than three", CONSISTENCY(contradicts)},
    REASON,
};

static const struct section consistency_table = {
    .title = "the friction of the chosen rung by its extrema alone, which know no phase between them",
    .size = sizeof(struct ladder_consistency),
    SECTION_FIELDS(consistency_fields),
    .missing = "asked where the ladder is recommended, has friction, and saw no step of the clock",
};

#define LADDER(member) .offset = offsetof(struct ladder_view, member)

static const struct field ladder_fields[] = {
    METHOD("ladder"),
    VERDICT_OF(struct ladder_view),
    REASON,
    {.name = "terms", .type = FIELD_TERMS, .note = "of the chosen rung, whose estimates stand here", LADDER(terms)},
    F_N_HZ(offsetof(struct ladder_view, f_n_hz)),
    {.type = FIELD_PARAMETERS, LADDER(estimate)},
    {.type = FIELD_TERM_ESTIMATES, LADDER(beyond)},
    {.name = "rms", .type = FIELD_SIZE, .unit = KIND_DISPLACEMENT, .note = "of its residuals", LADDER(rms)},
    {.name = "samples", .type = FIELD_COUNT, .note = "from the first extremum to the last", LADDER(samples)},
    {.name = "half_cycles", .type = FIELD_COUNT, .note = "that these span", LADDER(half_cycles)},
    {.name = "earlier_releases",
     .type = FIELD_COUNT,
     .since = 12,
     .note = "of the channel, which say with this one how large terms may be that the chosen rung lacks",
     LADDER(earlier_releases)},
    {.name = "clock_step", .type = FIELD_OBJECT, .of = &clock_step_table, LADDER(clock_step)},
    {.name = "clock_steps",
     .type = FIELD_LIST,
     .of = &clock_steps_table,
     .count_offset = offsetof(struct ladder_view, clock_steps.count),
     .most = CLOCK_STEPS,
     .since = 10,
     .note = "all of them, in order of time",
     LADDER(clock_steps.step)},
    {.name = "zero_drift", .type = FIELD_OBJECT, .of = &zero_drift_table, LADDER(zero_drift)},
    {.name = "zero_steps", .type = FIELD_OBJECT, .of = &zero_steps_table, LADDER(zero_steps)},
    {.name = "consistency", .type = FIELD_OBJECT, .of = &consistency_table, LADDER(consistency)},
    {.name = "chosen", .type = FIELD_COUNT, .nullable = true, .note = "which of the models, from 0", LADDER(chosen)},
    {.name = "models",
     .type = FIELD_LIST,
     .of = &rung_table,
     .count_offset = offsetof(struct ladder_view, count),
     .most = LADDER_RUNGS,
     LADDER(models)},
};

const struct section ladder_table = {
    .title = "the ladder of models: viscous and Coulomb damping with drag, a cubic and a square part of the restoring "
             "force, and presliding friction, in every combination",
    .size = sizeof(struct ladder_view),
    SECTION_FIELDS(ladder_fields),
    .missing = "the chosen rung lacks a term",
    .missing_estimate = "the chosen rung lacks this term",
    .not_computed =
        "the ladder of this answer was not made: ladder_deadline_s was 0, or passed before its turn in a record with "
        "many decays; fricidctl reidentify makes it for what is stored, with a ladder_deadline_s that is not 0",
};
