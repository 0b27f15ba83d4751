/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Bounces: what a body keeps of its speed, height or flight time, impact after impact. */

#include "identify/bounce/restitution.h"
#include "report/kinds/record_kind.h"
#include "report/table_rows.h"

#define RESTITUTION(member) .offset = offsetof(struct restitution, member)

static const struct field fields[] = {
    METHOD("restitution"),
    VERDICT_OF(struct restitution),
    REASON,
    {.name = "from",
     .type = FIELD_NAME,
     .words = WORDS_BOUNCE,
     .note = "what was measured of the bounces",
     RESTITUTION(kind)},
    {.name = "e", .type = FIELD_ESTIMATE, .headline = true, .note = "coefficient of restitution", RESTITUTION(e)},
    {.name = "zeta",
     .type = FIELD_ESTIMATE,
     .label = "ζ",
     .headline = true,
     .note = "of a viscous contact that rebounds so",
     RESTITUTION(zeta)},
    {.name = "c_n_s_per_m",
     .type = FIELD_ESTIMATE,
     .unit = KIND_N_S_PER_M,
     .label = "c",
     .headline = true,
     .note = "viscous coefficient of the contact",
     RESTITUTION(c_n_s_per_m)},
    {.name = "sd", .type = FIELD_SIZE, .note = "standard deviation of a single e", RESTITUTION(sd)},
    {.name = "impacts", .type = FIELD_COUNT, .note = "that counted", RESTITUTION(impacts)},
    {.name = "left_out", .type = FIELD_COUNT, .note = "without an e above 0 and up to 1", RESTITUTION(left_out)},
};

static const struct section section = {
    .title = "what the bounces of one body came to",
    .size = sizeof(struct restitution),
    SECTION_FIELDS(fields),
    .missing = "a single impact has no standard deviation",
    .missing_estimate = "mass_kg and stiffness_n_per_m are not both configured",
    .missing_se = "repeats tell it by their scatter: there is one impact only, or all are alike to the last digit",
};

static const struct kind_form forms[] = {
    {{{.name = "interval_s", .unit = "s", .quantity = QUANTITY_TIME}}, 1},
    {{{.name = "flight_s", .unit = "s", .quantity = QUANTITY_TIME}}, 1},
    {{{.name = "height", .unit = NULL, .quantity = QUANTITY_HEIGHT}}, 1},
    {{{.name = "h0", .unit = NULL, .quantity = QUANTITY_HEIGHT},
      {.name = "h1", .unit = NULL, .quantity = QUANTITY_HEIGHT}},
     2},
    {{{.name = "v_in", .unit = NULL, .quantity = QUANTITY_VELOCITY},
      {.name = "v_out", .unit = NULL, .quantity = QUANTITY_VELOCITY}},
     2},
};

const struct record_kind record_kind_bounces = {
    .name = "bounces",
    .about = "what a body keeps of its speed, height or flight time when it bounces: the coefficient of restitution",
    .forms = forms,
    .form_count = sizeof forms / sizeof forms[0],
    .series = "throw",
    .passed_over = ",n,event_s,",
    .result = "restitution",
    .section = &section,
};
