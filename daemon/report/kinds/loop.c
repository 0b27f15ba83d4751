/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Loops of force over displacement. */

#include "identify/loop/loop.h"
#include "identify/loop/loop_parts.h"
#include "report/kinds/friction_tables.h"
#include "report/kinds/loop_tables.h"
#include "report/kinds/record_kind.h"
#include "report/table_rows.h"

#define NO_STIFFNESS "k_sec is not known, or not above its noise in many loops"
#define NO_SECANT "the force leaps at a turn in many loops: one sample would decide"
#define NO_NORMAL_FORCE "no normal force, or not above 0 in many loops: see normal_sign"
#define NO_MASS "mass_kg, stiffness_n_per_m or c_eq is not known"
#define NOT_IN_MOST_LOOPS "not determined in more than a tenth of the loops"

/* The figures of a loop, a row each: ROW(name, unit, label, headline, note, index, why a mean of it is missing, since).
 */
#define LOOP_FIGURE_ROWS(ROW)                                                                                          \
    ROW(friction, KIND_FORCE, "F", true, "half the difference of the two plateaus", LOOP_FRICTION, NOT_IN_MOST_LOOPS,  \
        0)                                                                                                             \
    ROW(energy, KIND_J, "E", true, "that a loop dissipates: the closed integral of the force over the displacement",   \
        LOOP_ENERGY, NOT_IN_MOST_LOOPS, 0)                                                                             \
    ROW(stroke, KIND_DISPLACEMENT, "2A", true, "from the lower to the upper reversal", LOOP_STROKE, NOT_IN_MOST_LOOPS, \
        0)                                                                                                             \
    ROW(middle, KIND_DISPLACEMENT, "x_m", false,                                                                       \
        "half way between the reversals: where it wanders, the contact does, or the sensor's zero", LOOP_MIDDLE,       \
        "a velocity tells no position", 14)                                                                            \
    ROW(period_s, KIND_S, "T", false, "from one lower reversal to the next", LOOP_PERIOD, NOT_IN_MOST_LOOPS, 0)        \
    ROW(k_sec, KIND_FORCE_PER_DISPLACEMENT, "k_sec", false, "secant stiffness: by the forces at the two reversals",    \
        LOOP_K_SEC, NO_SECANT, 0)                                                                                      \
    ROW(c_eq, KIND_FORCE_S_PER_DISPLACEMENT, "c_eq", false,                                                            \
        "viscous coefficient that would dissipate as much in this motion", LOOP_C_EQ, NOT_IN_MOST_LOOPS, 0)            \
    ROW(loss_factor, KIND_ONE, "η", false, "energy/(π k_sec A²)", LOOP_LOSS_FACTOR, NO_STIFFNESS, 0)                   \
    ROW(plateau_forward, KIND_FORCE, "F_+", false, "mean force over 60 to 95 % of the stroke, upwards", LOOP_FORWARD,  \
        NOT_IN_MOST_LOOPS, 0)                                                                                          \
    ROW(plateau_backward, KIND_FORCE, "F_-", false, "likewise, downwards", LOOP_BACKWARD, NOT_IN_MOST_LOOPS, 0)        \
    ROW(mu_forward, KIND_ONE, "μ_+", false, "that force over the mean normal force there, upwards", LOOP_MU_FORWARD,   \
        NO_NORMAL_FORCE, 0)                                                                                            \
    ROW(mu_backward, KIND_ONE, "μ_-", false, "likewise, downwards", LOOP_MU_BACKWARD, NO_NORMAL_FORCE, 0)

/* --- every loop --- */

#define LISTED(member) .offset = offsetof(struct listed_loop, figures.member)
#define NORMAL_NEEDED "friction coefficients want a normal force above 0"
#define VALUE_AND_ERROR(called, of_unit, sign, is_headline, about, index, lacks, from)                                 \
    {.name = #called,                                                                                                  \
     .type = FIELD_FIGURE,                                                                                             \
     .unit = of_unit,                                                                                                  \
     .label = sign,                                                                                                    \
     .note = about,                                                                                                    \
     .since = from,                                                                                                    \
     LISTED(value[index])},                                                                                            \
        {.name = "se_" #called,                                                                                        \
         .type = FIELD_SIZE,                                                                                           \
         .unit = of_unit,                                                                                              \
         .note = "its standard uncertainty, by the noise and by what lies between samples alone",                      \
         .since = from,                                                                                                \
         LISTED(se[index])},

static const struct field listed_fields[] = {
    {.name = "number", .type = FIELD_ORDINAL, .note = "in the record", .offset = offsetof(struct listed_loop, number)},
    {.name = "start_s", .type = FIELD_FIGURE, .unit = KIND_S, .note = "its first lower reversal", LISTED(start_s)},
    {.name = "end_s", .type = FIELD_FIGURE, .unit = KIND_S, LISTED(end_s)},
    {.name = "closes",
     .type = FIELD_FLAG,
     .note = "it ends where it began: within 5 % of stroke and range of forces, or within the noise",
     LISTED(closes)},
    {.name = "rest_s", .type = FIELD_SIZE, .unit = KIND_S, .note = "time at rest at its reversals", LISTED(rest_s)},
    LOOP_FIGURE_ROWS(VALUE_AND_ERROR) REASON,
};

const struct section listed_loop_table = {
    .title = "a loop",
    .size = sizeof(struct listed_loop),
    SECTION_FIELDS(listed_fields),
    .missing = "the uncertainty of a single period is not known; a loss factor wants a stiffness above its noise, "
               "and " NORMAL_NEEDED,
};

/* --- runs --- */

#define RUN(member) .offset = offsetof(struct loop_run, member)
#define RUN_MEAN(called, of_unit, sign, is_headline, about, index, lacks, from)                                        \
    {.name = #called,                                                                                                  \
     .type = FIELD_ESTIMATE,                                                                                           \
     .unit = of_unit,                                                                                                  \
     .label = sign,                                                                                                    \
     .note = about,                                                                                                    \
     .missing = lacks,                                                                                                 \
     .since = from,                                                                                                    \
     RUN(figure[index])},

static const struct field run_fields[] = {{.name = "loops", .type = FIELD_COUNT, RUN(count)},
                                          {.name = "start_s", .type = FIELD_FIGURE, .unit = KIND_S, RUN(start_s)},
                                          {.name = "end_s", .type = FIELD_FIGURE, .unit = KIND_S, RUN(end_s)},
                                          {.name = "ended_by",
                                           .type = FIELD_NAME,
                                           .words = WORDS_LOOP_RUN_END,
                                           .note = "what is not alike in the loop behind it",
                                           RUN(ended_by)},
                                          LOOP_FIGURE_ROWS(RUN_MEAN)};

static const struct section run_table = {
    .title = "loops that follow each other with like stroke, period and mean force: means over these, with the "
             "uncertainty of their scatter; of a figure that up to a tenth of them lack, over the others",
    .size = sizeof(struct loop_run),
    SECTION_FIELDS(run_fields),
    .missing_se = "a single loop has no scatter",
};

#define DRIFT(member) .offset = offsetof(struct loop_drift, member)

static const struct field drift_fields[] = {
    {.name = "figure", .type = FIELD_NAME, .words = WORDS_LOOP_FIGURE, DRIFT(figure)},
    {.name = "scatter",
     .type = FIELD_SIZE,
     .note =
         "standard deviation of a single loop about the drift, as a share of the mean; of the middle, of the stroke",
     DRIFT(scatter)},
    {.name = "change",
     .type = FIELD_FIGURE,
     .note = "by a straight line, over the whole run, as a share of the mean; of the middle, of the stroke",
     DRIFT(change)},
    {.name = "significance",
     .type = FIELD_SIZE,
     .note = "of the change, in its standard uncertainties: by chance it is distributed as the absolute value of "
             "Student's t with two degrees of freedom fewer than loops",
     DRIFT(significance)},
    REASON,
};

static const struct section drift_table = {
    .title = "how steady a figure is over the main run",
    .size = sizeof(struct loop_drift),
    SECTION_FIELDS(drift_fields),
    .missing = "fewer than four loops do not tell a drift from scatter, or more than a tenth of them lack the figure",
};

/* --- the instruments --- */

#define CONFIGURED(called, of_unit, about)                                                                             \
    {.name = #called,                                                                                                  \
     .type = FIELD_FIGURE,                                                                                             \
     .unit = of_unit,                                                                                                  \
     .note = about,                                                                                                    \
     .offset = offsetof(struct contact_settings, called)},

static const struct field contact_fields[] = {CONTACT_SETTING_ROWS(CONFIGURED) REASON};

static const struct section contact_table = {
    .title = "by what the record was corrected before anything was looked for, as the group physical says it",
    .size = sizeof(struct contact_settings),
    SECTION_FIELDS(contact_fields),
    .missing = "not configured",
    .verdict_matters_not = true,
};

/* --- the record --- */

#define LOOP(member) .offset = offsetof(struct loop_findings, member)

static const struct field loop_fields[] = {
    VERDICT_OF(struct loop_findings),
    REASON,
    {.name = "noise_displacement",
     .type = FIELD_SIZE,
     .unit = KIND_DISPLACEMENT,
     .note = "standard deviation of the noise in its samples, with what of it lasts for several of them",
     LOOP(noise_displacement)},
    {.name = "noise_force",
     .type = FIELD_SIZE,
     .unit = KIND_FORCE,
     .note = "standard deviation of white noise in its samples",
     LOOP(noise_force)},
    {.name = "loops", .type = FIELD_COUNT, .note = "in the whole record, without those with a gap", LOOP(loops)},
    {.name = "runs", .type = FIELD_COUNT, .note = "likewise", LOOP(runs)},
    {.name = "main_run",
     .type = FIELD_COUNT,
     .note = "number of the run that the estimates are of, which has most loops; 0: there is none",
     LOOP(main_run)},
    {.name = "drift",
     .type = FIELD_LIST,
     .of = &drift_table,
     .count = LOOP_FIGURES,
     .offset = offsetof(struct loop_findings, drift)},
    {.name = "run",
     .type = FIELD_LIST,
     .of = &run_table,
     .most = LOOP_RUNS,
     .count_offset = offsetof(struct loop_findings, listed_runs),
     .note = "the first 32",
     LOOP(run)},
    {.name = "loop",
     .type = FIELD_LIST,
     .of = &listed_loop_table,
     .most = LOOPS_LISTED,
     .count_offset = offsetof(struct loop_findings, listed_loops),
     .note = "of more than 128 every second, fourth and so on",
     LOOP(loop)},
    {.name = "ladder", .type = FIELD_OBJECT, .of = &friction_ladder_table, .since = 7, LOOP(ladder)},
    {.name = "contact", .type = FIELD_OBJECT, .of = &contact_table, .since = 8, LOOP(contact)},
    {.name = "stribeck", .type = FIELD_OBJECT, .of = &stribeck_table, .since = 8, LOOP(stribeck)},
};

static const struct section loop_table = {
    .title = "the loops of the record",
    .size = sizeof(struct loop_findings),
    .lacks_offset = offsetof(struct loop_findings, lacks),
    SECTION_FIELDS(loop_fields),
};

#define IS_COEFFICIENT(index) ((index) == LOOP_MU_FORWARD || (index) == LOOP_MU_BACKWARD)
#define MEAN(called, of_unit, sign, is_headline, about, index, lacks, from)                                            \
    {.name = #called,                                                                                                  \
     .type = FIELD_ESTIMATE,                                                                                           \
     .unit = of_unit,                                                                                                  \
     .label = sign,                                                                                                    \
     .headline = is_headline,                                                                                          \
     .note = about,                                                                                                    \
     .missing = lacks,                                                                                                 \
     .missing_offset = IS_COEFFICIENT(index) ? offsetof(struct loop_findings, no_coefficient) : 0,                     \
     .since = from,                                                                                                    \
     LOOP(figure[index])},

static const struct field fields[] = {
    METHOD("loop"),
    VERDICT_OF(struct loop_findings),
    REASON,
    LOOP_FIGURE_ROWS(MEAN){.name = "zeta_eq",
                           .type = FIELD_ESTIMATE,
                           .label = "ζ_eq",
                           .note = "damping ratio of the configured mass and stiffness by c_eq",
                           .since = 8,
                           .missing = NO_MASS,
                           LOOP(zeta)},
    {.name = "loop", .type = FIELD_OBJECT, .of = &loop_table},
};

static const struct section section = {
    .title = "what the loops of a contact that is driven to and fro came to: means over the run with most of them",
    .size = sizeof(struct loop_findings),
    .lacks_offset = offsetof(struct loop_findings, lacks),
    SECTION_FIELDS(fields),
    .missing_se = "a single loop has no scatter",
};

#define DISPLACEMENT                                                                                                   \
    {                                                                                                                  \
        .name = "displacement_m", .unit = "m", .quantity = QUANTITY_DISPLACEMENT, .stem = "displacement",              \
        .also = "position"                                                                                             \
    }
#define VELOCITY                                                                                                       \
    {                                                                                                                  \
        .name = "velocity_m_s", .unit = "m/s", .quantity = QUANTITY_VELOCITY, .stem = "velocity", .also = "speed"      \
    }
#define ANGULAR_VELOCITY                                                                                               \
    {                                                                                                                  \
        .name = "velocity_rad_s", .unit = "rad/s", .quantity = QUANTITY_VELOCITY, .stem = "velocity", .also = "speed"  \
    }
#define FORCE                                                                                                          \
    {                                                                                                                  \
        .name = "force_n", .unit = "N", .quantity = QUANTITY_FORCE, .stem = "force", .also = "friction"                \
    }
#define ANGLE                                                                                                          \
    {                                                                                                                  \
        .name = "angle_rad", .unit = "rad", .quantity = QUANTITY_ANGLE, .stem = "angle"                                \
    }
#define TORQUE                                                                                                         \
    {                                                                                                                  \
        .name = "torque_nm", .unit = "N*m", .quantity = QUANTITY_TORQUE, .stem = "torque"                              \
    }
#define TIME                                                                                                           \
    {                                                                                                                  \
        .name = "time_s", .unit = "s", .quantity = QUANTITY_TIME, .stem = "time", .also = "t"                          \
    }
#define NORMAL                                                                                                         \
    {                                                                                                                  \
        .name = "normal_n", .unit = "N", .quantity = QUANTITY_NORMAL_FORCE, .stem = "normal"                           \
    }

static const struct kind_form forms[] = {
    {{DISPLACEMENT, FORCE, TIME}, 3}, {{DISPLACEMENT, FORCE, TIME, NORMAL}, 4}, {{ANGLE, TORQUE, TIME}, 3},
    {{VELOCITY, FORCE, TIME}, 3},     {{VELOCITY, FORCE, TIME, NORMAL}, 4},     {{ANGULAR_VELOCITY, TORQUE, TIME}, 3},
};

const struct record_kind record_kind_loop = {
    .name = "loop",
    .about = "a contact that is driven to and fro, with its force: what its loops dissipate, and its friction",
    .forms = forms,
    .form_count = sizeof forms / sizeof forms[0],
    .sampled = true,
    .over_time = true,
    .of_displacement = true,
    .second_step = "the ladder of models is still being fitted",
    .runs_most = LOOP_PARTS,
    .result = "loop",
    .section = &section,
};
