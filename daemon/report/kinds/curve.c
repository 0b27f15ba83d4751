/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Curves of friction over speed. */

#include "identify/curve/speed_curve.h"
#include "report/kinds/friction_tables.h"
#include "report/kinds/record_kind.h"
#include "report/table_rows.h"

#define NO_DIP                                                                                                         \
    "no dip is seen, or not well enough: `stribeck` says why; what the points do not tell apart has no figure either"

/* What a fit of a curve has, a row each, wherever it stands. */
#define FIT_ESTIMATES(structure, path)                                                                                 \
    {.name = "f_c",                                                                                                    \
     .type = FIELD_ESTIMATE,                                                                                           \
     .unit = KIND_FORCE,                                                                                               \
     .label = "F_C",                                                                                                   \
     .headline = true,                                                                                                 \
     .note = "Coulomb level: what sliding takes beside dip and viscous friction",                                      \
     .offset = offsetof(structure, path f_c)},                                                                         \
        {.name = "f_s",                                                                                                \
         .type = FIELD_ESTIMATE,                                                                                       \
         .unit = KIND_FORCE,                                                                                           \
         .label = "F_S",                                                                                               \
         .headline = true,                                                                                             \
         .note = "level at no speed: Coulomb level and dip",                                                           \
         .offset = offsetof(structure, path f_s)},                                                                     \
        {.name = "dip",                                                                                                \
         .type = FIELD_ESTIMATE,                                                                                       \
         .unit = KIND_FORCE,                                                                                           \
         .note = "by how much friction falls from there: F_S - F_C",                                                   \
         .offset = offsetof(structure, path dip)},                                                                     \
        {.name = "v_s",                                                                                                \
         .type = FIELD_ESTIMATE,                                                                                       \
         .unit = KIND_DISPLACEMENT_PER_S,                                                                              \
         .headline = true,                                                                                             \
         .note = "Stribeck velocity: at it the dip has fallen to its 1/e",                                             \
         .offset = offsetof(structure, path v_s)},                                                                     \
    {                                                                                                                  \
        .name = "sigma_2", .type = FIELD_ESTIMATE, .unit = KIND_FORCE_S_PER_DISPLACEMENT, .label = "σ_2",              \
        .headline = true, .note = "viscous coefficient, at least 0", .offset = offsetof(structure, path sigma_2)       \
    }

#define FIT_REST(structure, path)                                                                                      \
    {.name = "stribeck_exponent",                                                                                      \
     .missing = NO_DIP,                                                                                                \
     .type = FIELD_SIZE,                                                                                               \
     .note = "j of exp(-(|v|/v_s)^j): 1 or 2 where these do, else estimated",                                          \
     .offset = offsetof(structure, path exponent)},                                                                    \
        {.name = "se_stribeck_exponent",                                                                               \
         .missing = "the exponent is 1 or 2 by choice, not by estimate",                                               \
         .type = FIELD_SIZE,                                                                                           \
         .note = "its standard error where it was estimated",                                                          \
         .offset = offsetof(structure, path se_exponent)},                                                             \
        {.name = "stribeck",                                                                                           \
         .type = FIELD_NAME,                                                                                           \
         .words = WORDS_CURVE_DIP,                                                                                     \
         .note = "what became of the dip; but where it was found, the curve is the one without",                       \
         .offset = offsetof(structure, path stribeck)},                                                                \
        {.name = "tie",                                                                                                \
         .type = FIELD_FLAG,                                                                                           \
         .note = "another exponent, or none, explains the points as well: BIC within 2",                               \
         .offset = offsetof(structure, path tie)},                                                                     \
        {.name = "residual",                                                                                           \
         .type = FIELD_SIZE,                                                                                           \
         .unit = KIND_FORCE,                                                                                           \
         .note = "rms of the points about the curve, weighted as they are",                                            \
         .offset = offsetof(structure, path residual)},                                                                \
        {.name = "residual_without_dip",                                                                               \
         .type = FIELD_SIZE,                                                                                           \
         .unit = KIND_FORCE,                                                                                           \
         .note = "about the best curve without a dip",                                                                 \
         .offset = offsetof(structure, path residual_without_dip)},                                                    \
    {                                                                                                                  \
        .name = "points", .type = FIELD_COUNT, .note = "that move", .offset = offsetof(structure, path points)         \
    }

#define NO_ERROR "viscous friction would be below 0 and is left out"

static const struct field one_way_fields[] = {
    VERDICT_OF(struct curve_fit),
    REASON,
    FIT_ESTIMATES(struct curve_fit, ),
    FIT_REST(struct curve_fit, ),
};

static const struct section one_way_table = {
    .title = "the points of one way alone, with forces and speeds as sizes: forward, then backward",
    .size = sizeof(struct curve_fit),
    SECTION_FIELDS(one_way_fields),
    .missing = NO_DIP,
    .missing_estimate = NO_DIP,
    .missing_se = NO_ERROR,
};

#define POINT(member) .offset = offsetof(struct listed_point, member)

static const struct field point_fields[] = {
    {.name = "velocity", .type = FIELD_FIGURE, .unit = KIND_DISPLACEMENT_PER_S, POINT(speed)},
    {.name = "force", .type = FIELD_FIGURE, .unit = KIND_FORCE, POINT(force)},
    {.name = "model", .type = FIELD_FIGURE, .unit = KIND_FORCE, .note = "force of the curve there", POINT(model)},
    {.name = "u_model",
     .type = FIELD_SIZE,
     .unit = KIND_FORCE,
     .note = "standard uncertainty of the curve there: its band",
     POINT(u_model)},
    REASON,
};

static const struct section point_table = {
    .title = "a point of the curve",
    .size = sizeof(struct listed_point),
    SECTION_FIELDS(point_fields),
    .missing = "the points do not tell all that the curve has",
};

#define CURVE(member) .offset = offsetof(struct speed_curve, member)

/* What of its points a curve lists. */
#define WAYS_AND_POINTS(which)                                                                                         \
    {.name = "way", .type = FIELD_LIST, .of = &one_way_table, .count = CURVE_WAYS, CURVE(way)},                        \
    {                                                                                                                  \
        .name = "point", .type = FIELD_LIST, .of = &point_table, .most = CURVE_POINTS,                                 \
        .count_offset = offsetof(struct speed_curve, listed), .note = which, CURVE(point)                              \
    }

static const struct field curve_fields[] = {
    VERDICT_OF(struct speed_curve),
    REASON,
    FIT_REST(struct speed_curve, both.),
    {.name = "left_out", .type = FIELD_COUNT, .note = "points at no speed", CURVE(left_out)},
    WAYS_AND_POINTS("of more than 128 every second, fourth and so on"),
};

#define OFFSET_FIELD                                                                                                   \
    {                                                                                                                  \
        .name = "f_0", .type = FIELD_ESTIMATE, .unit = KIND_FORCE, .label = "F_0", .headline = true,                   \
        .note =                                                                                                        \
            "offset, which is half the difference of the levels of both ways, too: F_+ = F_C + F_0, F_- = F_C - F_0",  \
        CURVE(both.f_0)                                                                                                \
    }

static const struct field stribeck_fields[] = {
    VERDICT_OF(struct speed_curve),
    REASON,
    FIT_ESTIMATES(struct speed_curve, both.),
    OFFSET_FIELD,
    FIT_REST(struct speed_curve, both.),
    WAYS_AND_POINTS("means over narrow ranges of speed, one way and then the other, each from the fastest"),
};

const struct section stribeck_table = {
    .title = "friction over speed in the main run, of samples further than eight presliding lengths from both "
             "reversals, or between 0.6 and 0.95 of a half cycle where these are not known: what the points of both "
             "ways come to together",
    .size = sizeof(struct speed_curve),
    SECTION_FIELDS(stribeck_fields),
    .missing = NO_DIP,
    .missing_estimate = NO_DIP,
    .missing_se = NO_ERROR,
};

static const struct section curve_table = {
    .title = "the curve of the record",
    .size = sizeof(struct speed_curve),
    SECTION_FIELDS(curve_fields),
    .missing = NO_DIP,
};

static const struct field fields[] = {
    METHOD("curve"), VERDICT_OF(struct speed_curve),
    REASON,          FIT_ESTIMATES(struct speed_curve, both.),
    OFFSET_FIELD,    {.name = "curve", .type = FIELD_OBJECT, .of = &curve_table},
};

static const struct section section = {
    .title = "friction over steady speed: what the points of both ways come to together",
    .size = sizeof(struct speed_curve),
    SECTION_FIELDS(fields),
    .missing_estimate = "no dip is seen, or not well enough: curve.stribeck says why; an offset wants points of both "
                        "ways",
    .missing_se = NO_ERROR,
};

#define VELOCITY                                                                                                       \
    {                                                                                                                  \
        .name = "velocity_m_s", .unit = "m/s", .quantity = QUANTITY_VELOCITY, .stem = "velocity", .also = "speed"      \
    }
#define FORCE                                                                                                          \
    {                                                                                                                  \
        .name = "force_n", .unit = "N", .quantity = QUANTITY_FORCE, .stem = "force", .also = "friction"                \
    }
#define FORCE_DEVIATION                                                                                                \
    {                                                                                                                  \
        .name = "force_std", .unit = "N", .quantity = "standard deviation of the force", .stem = "force_std",          \
        .also = "force_sd"                                                                                             \
    }
#define ANGULAR_VELOCITY                                                                                               \
    {                                                                                                                  \
        .name = "velocity_rad_s", .unit = "rad/s", .quantity = QUANTITY_VELOCITY, .stem = "velocity", .also = "speed"  \
    }
#define TORQUE                                                                                                         \
    {                                                                                                                  \
        .name = "torque_nm", .unit = "N*m", .quantity = QUANTITY_TORQUE, .stem = "torque"                              \
    }
#define TORQUE_DEVIATION                                                                                               \
    {                                                                                                                  \
        .name = "torque_std", .unit = "N*m", .quantity = "standard deviation of the torque", .stem = "torque_std",     \
        .also = "torque_sd"                                                                                            \
    }

static const struct kind_form forms[] = {
    {{VELOCITY, FORCE}, 2},
    {{VELOCITY, FORCE, FORCE_DEVIATION}, 3},
    {{ANGULAR_VELOCITY, TORQUE}, 2},
    {{ANGULAR_VELOCITY, TORQUE, TORQUE_DEVIATION}, 3},
};

const struct record_kind record_kind_curve = {
    .name = "curve",
    .about = "friction over speed, from runs at constant speed: Coulomb level, Stribeck dip, viscous friction",
    .forms = forms,
    .form_count = sizeof forms / sizeof forms[0],
    .sampled = true,
    .labelled = true,
    .of_displacement = true,
    .passed_over = ",n,velocity_std,velocity_sd,speed_std,speed_sd,",
    .result = "curve",
    .section = &section,
};
