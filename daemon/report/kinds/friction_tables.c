/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The ladder of friction models of a record of loops. */

#include "report/kinds/friction_tables.h"

#include "identify/loop/friction_ladder.h"
#include "report/table_rows.h"

#include <assert.h>

/* A figure in the units that it may have. */
#define FIGURE(member) .offset = offsetof(struct friction_figure, member)
#define FIGURE_FIELDS(kind)                                                                                            \
    {.name = "value", .type = FIELD_FIGURE, .unit = kind, FIGURE(value)},                                              \
        {.name = "se", .type = FIELD_SIZE, .unit = kind, .note = "standard uncertainty, by the residual", FIGURE(se)}, \
        {.name = "lower", .type = FIELD_FIGURE, .unit = kind, .note = "end of its 95 % interval", FIGURE(low)},        \
        {.name = "upper", .type = FIELD_FIGURE, .unit = kind, .note = "likewise", FIGURE(high)},                       \
        {.name = "u",                                                                                                  \
         .type = FIELD_SIZE,                                                                                           \
         .unit = kind,                                                                                                 \
         .note = "combined standard uncertainty: with gains, clock, delay and stiffness of the path",                  \
         .since = 8,                                                                                                   \
         FIGURE(u)},                                                                                                   \
    {                                                                                                                  \
        .name = "reason", .type = FIELD_REASON, .elsewhere = true, .count = 1, FIGURE(reason)                          \
    }
#define FIGURE_TABLE(which, kind)                                                                                      \
    static const struct field which##_fields[] = {FIGURE_FIELDS(kind)};                                                \
    static const struct section which##_table = {                                                                      \
        .title = "a parameter of a contact, null where the record does not determine it",                              \
        .size = sizeof(struct friction_figure),                                                                        \
        SECTION_FIELDS(which##_fields),                                                                                \
    }

FIGURE_TABLE(force, KIND_FORCE);
FIGURE_TABLE(way, KIND_DISPLACEMENT);
FIGURE_TABLE(stiffness, KIND_FORCE_PER_DISPLACEMENT);
FIGURE_TABLE(velocity, KIND_DISPLACEMENT_PER_S);
FIGURE_TABLE(damping, KIND_FORCE_S_PER_DISPLACEMENT);
FIGURE_TABLE(inertia, KIND_FORCE_S2_PER_DISPLACEMENT);
FIGURE_TABLE(bend, KIND_FORCE_PER_DISPLACEMENT_SQUARED);
FIGURE_TABLE(rate, KIND_FORCE_PER_S);
FIGURE_TABLE(number, KIND_ONE);

/* Begins with a figure. */
static const struct field offset_fields[] = {
    FIGURE_FIELDS(KIND_FORCE),
    {.name = "covariance",
     .type = FIELD_NUMBERS,
     .most = FRICTION_FITTED,
     .count_offset = offsetof(struct friction_part_offset, count),
     .note = "with each parameter of the list fitted of the chosen model, in its order; none where the offset is null",
     .since = 14,
     .offset = offsetof(struct friction_part_offset, covariance)},
};
static_assert(offsetof(struct friction_part_offset, figure) == 0, "the fields of a figure are those of an offset, too");
static const struct section offset_table = {
    .title = "the constant offset of a part of a record, null where the record does not determine it",
    .size = sizeof(struct friction_part_offset),
    SECTION_FIELDS(offset_fields),
};

/* All parameters, by their units: ROW(name, table, label, note, index, minor version). */
#define FRICTION_PARAMETER_ROWS(ROW)                                                                                   \
    ROW(f_c, force, "F_C", "Coulomb level", FRICTION_F_C, 0)                                                           \
    ROW(x_d, way, "x_d", "presliding length", FRICTION_X_D, 0)                                                         \
    ROW(sigma_0, stiffness, "σ_0", "stiffness of the bristles, f_c/x_d", FRICTION_SIGMA_0, 0)                          \
    ROW(f_s, force, "F_S", "static level", FRICTION_F_S, 0)                                                            \
    ROW(v_s, velocity, "v_s", "Stribeck velocity", FRICTION_V_S, 0)                                                    \
    ROW(exponent, number, "j", "exponent of the dip where it is estimated", FRICTION_EXPONENT, 9)                      \
    ROW(sigma_1, damping, "σ_1", "damping of the bristles", FRICTION_SIGMA_1, 0)                                       \
    ROW(sigma_2, damping, "σ_2", "viscous coefficient", FRICTION_SIGMA_2, 0)                                           \
    ROW(k_x, stiffness, "k_x", "spring in parallel", FRICTION_K_X, 0)                                                  \
    ROW(f_0, force, "F_0", "force at displacement 0 without friction", FRICTION_F_0, 0)                                \
    ROW(attraction, rate, "C", "GMS: elements that slip come to S at the rate C/(f_c S)", FRICTION_ATTRACTION_C, 9)    \
    ROW(z_ba, way, "z_ba", "elastoplastic: elastic below this deflection", FRICTION_Z_BA, 0)                           \
    ROW(n_bw, number, "n", "Bouc-Wen: sharpness of the transition", FRICTION_N_BW, 0)                                  \
    ROW(beta_bw, number, "β", "Bouc-Wen: share of the hysteresis", FRICTION_BETA_BW, 0)                                \
    ROW(gap, way, "b", "backlash: way between the stops", FRICTION_GAP, 0)                                             \
    ROW(limit_ratio, number, "D₊/D₋", "backlash: limit of the positive side over the other's", FRICTION_SIDES, 0)      \
    ROW(hardening, number, "p", "backlash: power with which the force of its stops grows", FRICTION_STOPS, 15)         \
    ROW(level_ratio, number, "F₊/F₋", "f_c_forward over f_c_backward", FRICTION_LEVEL_RATIO, 8)                        \
    ROW(f_c_forward, force, "F₊", "Coulomb level forwards; f_c is the mean of both", FRICTION_F_C_FORWARD, 8)          \
    ROW(f_c_backward, force, "F₋", "Coulomb level backwards", FRICTION_F_C_BACKWARD, 8)                                \
    ROW(path_slope, stiffness, "F_C′", "change of f_c along the path", FRICTION_PATH_SLOPE, 8)                         \
    ROW(path_curvature, bend, "F_C″/2", "change of f_c with the square of the way from path_middle",                   \
        FRICTION_PATH_CURVATURE, 8)                                                                                    \
    ROW(path_middle, way, "x_m", "where along the path f_c and path_slope hold", FRICTION_PATH_MIDDLE, 8)              \
    ROW(moved_mass, inertia, "m", "mass between the load cell and the contact", FRICTION_MOVED_MASS, 8)

#define ELEMENT(member) .offset = offsetof(struct friction_spectrum_line, member)
static const struct field element_fields[] = {
    {.name = "slip_length", .type = FIELD_OBJECT, .of = &way_table, .label = "D", ELEMENT(slip_length)},
    {.name = "slip_force", .type = FIELD_OBJECT, .of = &force_table, .label = "w", ELEMENT(slip_force)},
    {.name = "fitted_length",
     .type = FIELD_SIZE,
     .unit = KIND_DISPLACEMENT,
     .note = "where the fit stands, whether the record determines it or not, which is what simulate begins with",
     .since = 14,
     ELEMENT(fitted_length)},
    {.name = "fitted_force",
     .type = FIELD_SIZE,
     .unit = KIND_FORCE,
     .note = "likewise",
     .since = 14,
     ELEMENT(fitted_force)},
};

static const struct section element_table = {
    .title = "an element of Maxwell-slip: a spring that slips at a force, which it has at the slip length",
    .size = sizeof(struct friction_spectrum_line),
    SECTION_FIELDS(element_fields),
};

/* Of a contact: the elements in parallel. */
#define ELEMENTS_OF(whole, member)                                                                                     \
    {                                                                                                                  \
        .name = "elements", .type = FIELD_LIST, .of = &element_table, .most = FRICTION_ELEMENTS,                       \
        .note = "of Maxwell-slip, by their slip lengths; other models have none",                                      \
        .offset = offsetof(struct whole, member.element), .count_offset = offsetof(struct whole, member.count)         \
    }

#define FITTED(member) .offset = offsetof(struct friction_fitted, member)

static const struct field fitted_fields[] = {
    {.name = "parameter", .type = FIELD_NAME, .words = WORDS_FRICTION_PARAMETER, FITTED(parameter)},
    {.name = "value", .type = FIELD_FIGURE, .note = "in the unit of that parameter", FITTED(value)},
    {.name = "covariance",
     .type = FIELD_NUMBERS,
     .most = FRICTION_FITTED,
     .count_offset = offsetof(struct friction_fitted, count),
     .note = "with each parameter of this list, in its order",
     FITTED(covariance)},
    REASON,
};

static const struct section fitted_table = {
    .title = "where a fit stands in one of its parameters, whether the record determines it or not, which is what "
             "simulate begins with; where the record tells nothing, a parameter is taken to be as far off as changes "
             "the force by f_c",
    .size = sizeof(struct friction_fitted),
    SECTION_FIELDS(fitted_fields),
    .missing = "the fit left no finite residual",
};

#define RUNG(member) .offset = offsetof(struct friction_rung, member)
#define FRICTION_PARAMETER(called, with, sign, about, minor, where)                                                    \
    {.name = #called, .type = FIELD_OBJECT, .of = &with##_table, .label = sign, .note = about, .since = minor, where},
#define OF_RUNG(called, with, sign, about, index, minor)                                                               \
    FRICTION_PARAMETER(called, with, sign, about, minor, RUNG(figure[index]))

static const struct field rung_fields[] = {
    {.name = "model", .type = FIELD_NAME, .words = WORDS_FRICTION_MODEL, RUNG(row)},
    VERDICT_OF(struct friction_rung),
    REASON,
    {.name = "reduced",
     .type = FIELD_FLAG,
     .note = "one of its terms vanishes at a bound: it is a simpler model, and can not be chosen",
     RUNG(reduced)},
    {.name = "residual_rms", .type = FIELD_SIZE, .unit = KIND_FORCE, RUNG(rms)},
    {.name = "evidence",
     .type = FIELD_FIGURE,
     .note = "BIC on residuals that are whitened by the noise of the model that leaves least; that with the least is "
             "chosen",
     RUNG(evidence)},
    FRICTION_PARAMETER_ROWS(OF_RUNG) ELEMENTS_OF(friction_rung, spectrum),
    {.name = "stribeck_exponent", .type = FIELD_SIZE, .note = "as of the ladder", .since = 7, RUNG(stribeck_exponent)},
    {.name = "fitted",
     .type = FIELD_LIST,
     .of = &fitted_table,
     .most = FRICTION_FITTED,
     .count_offset = offsetof(struct friction_rung, fitted_count),
     .since = 7,
     RUNG(fitted)},
};

static const struct section friction_rung_table = {
    .title = "a model of friction; LuGre is dahl+viscous+stribeck+bristle",
    .size = sizeof(struct friction_rung),
    SECTION_FIELDS(rung_fields),
    .missing = "the fit left no finite residual",
};

#define EXPONENT(member) .offset = offsetof(struct friction_exponent, member)

static const struct field exponent_fields[] = {
    {.name = "stribeck_exponent", .type = FIELD_SIZE, .note = "1 or 2", EXPONENT(exponent)},
    {.name = "share", .type = FIELD_SIZE, .note = "of the likelihood of both", EXPONENT(share)},
    {.name = "f_s", .type = FIELD_OBJECT, .of = &force_table, .label = "F_S", .note = "static level", EXPONENT(f_s)},
    {.name = "v_s",
     .type = FIELD_OBJECT,
     .of = &velocity_table,
     .label = "v_s",
     .note = "Stribeck velocity",
     EXPONENT(v_s)},
};

static const struct section exponent_table = {
    .title = "an exponent that the dip may have, and what f_s and v_s are if it has that",
    .size = sizeof(struct friction_exponent),
    SECTION_FIELDS(exponent_fields),
};

#define LADDER(member) .offset = offsetof(struct friction_ladder, member)
#define OF_CHOSEN(called, with, sign, about, index, minor)                                                             \
    FRICTION_PARAMETER(called, with, sign, about, minor, LADDER(figure[index]))

static const struct field ladder_fields[] = {
    VERDICT_OF(struct friction_ladder),
    REASON,
    {.name = "model",
     .type = FIELD_NAME,
     .words = WORDS_FRICTION_MODEL,
     .nullable = true,
     .note = "the chosen one, of which the parameters are",
     LADDER(model)},
    FRICTION_PARAMETER_ROWS(OF_CHOSEN) ELEMENTS_OF(friction_ladder, spectrum),
    {.name = "stribeck_exponent",
     .type = FIELD_SIZE,
     .note = "that of the chosen model: 1 or 2, or estimated; null where its stops harden",
     LADDER(stribeck_exponent)},
    {.name = "exponents",
     .type = FIELD_LIST,
     .of = &exponent_table,
     .most = 2,
     .count_offset = offsetof(struct friction_ladder, exponents.count),
     .note = "of the dip of the chosen model, where the record does not tell whether it is 1 or 2; f_s and v_s of the "
             "ladder have both in their uncertainties",
     .since = 15,
     LADDER(exponents.exponent)},
    {.name = "residual_rms", .type = FIELD_SIZE, .unit = KIND_FORCE, LADDER(rms)},
    {.name = "parts",
     .type = FIELD_COUNT,
     .note = "of the record between gaps, fitted together, each with an offset and a state of its own; f_0 is that of "
             "the first of which a sample counts",
     .since = 9,
     LADDER(parts)},
    {.name = "parts_left_out",
     .type = FIELD_COUNT,
     .nullable = true,
     .note = "others, of which nothing is in the ladder: shorter than 20 samples, or behind the first 16",
     .since = 14,
     LADDER(parts_left_out)},
    {.name = "offsets",
     .type = FIELD_LIST,
     .of = &offset_table,
     .most = LOOP_PARTS,
     .count_offset = offsetof(struct friction_ladder, offsets.count),
     .note = "f_0 of each part; of one in which no sample counts it is null",
     .since = 14,
     LADDER(offsets.part)},
    {.name = "every",
     .type = FIELD_COUNT,
     .nullable = true,
     .note =
         "nth sample of the record is in the ladder, where a loop of a record that is too long for it has more than "
         "it wants",
     .since = 15,
     LADDER(every)},
    {.name = "samples_left_out",
     .type = FIELD_COUNT,
     .nullable = true,
     .note = "of the record, behind those: it is longer than a ladder takes",
     .since = 15,
     LADDER(samples_left_out)},
    {.name = "samples",
     .type = FIELD_COUNT,
     .note = "that count: not those at rest, nor those without the usual load",
     LADDER(samples)},
    {.name = "correlation_samples",
     .type = FIELD_SIZE,
     .note = "how many samples of the residual are worth one that is independent; where fit lacks, all loops one",
     LADDER(correlation_samples)},
    {.name = "tie",
     .type = FIELD_FLAG,
     .note = "by samples that are worth independent ones another model has the least BIC: the record does not choose",
     LADDER(tie)},
    {.name = "rival",
     .type = FIELD_NAME,
     .words = WORDS_FRICTION_MODEL,
     .nullable = true,
     .note = "that model",
     LADDER(rival_model)},
    {.name = "lack_of_fit",
     .type = FIELD_SIZE,
     .note = "mean square of what of the residual is the same in every loop, over what it would be by the scatter of "
             "the loops alone, or by a residual of 1e-5 of half the range of the force, which is arithmetic",
     .missing = "it was not tested whether what the model leaves over repeats from loop to loop: that wants two "
                "whole loops, each from one passage of the middle upwards to the next, in which the noise differs",
     LADDER(lack_of_fit)},
    {.name = "lack_of_fit_expected",
     .type = FIELD_SIZE,
     .note = "it stays below that in 999 of 1000 records of which the model is right",
     LADDER(lack_of_fit_expected)},
    {.name = "lacks_fit",
     .type = FIELD_FLAG,
     .nullable = true,
     .judged_offset = offsetof(struct friction_ladder, lack_of_fit),
     .note = "it is above; null where that was not tested",
     LADDER(lacks_fit)},
    {.name = "displacement_steps",
     .type = FIELD_SIZE,
     .note = "by which the displacement was measured, over f_c/sigma_0 of the chosen model, or over half the range of "
             "the force by sigma_0, if the level is not reached; 0: none are seen, or the model has no sigma_0",
     .missing = "the steps of the displacement were not compared with presliding: the chosen model has no level",
     .since = 15,
     LADDER(displacement_steps)},
    {.name = "coarse_steps",
     .type = FIELD_FLAG,
     .nullable = true,
     .judged_offset = offsetof(struct friction_ladder, displacement_steps),
     .note = "these are more than a tenth: another shape may be the contact's, and sigma_0 be far off",
     .since = 15,
     LADDER(coarse_steps)},
    {.name = "models",
     .type = FIELD_LIST,
     .of = &friction_rung_table,
     .most = FRICTION_RUNGS,
     .count_offset = offsetof(struct friction_ladder, count),
     LADDER(rung)},
};

const struct section friction_ladder_table = {
    .title = "the ladder of friction models: all are fitted to the force, and one is chosen; where the best asks for a "
             "spring, levels of its own in each direction or along the path, a mass, or of a dip an exponent that is "
             "neither 1 nor "
             "2, all with these too",
    .size = sizeof(struct friction_ladder),
    SECTION_FIELDS(ladder_fields),
    .missing = "there is no rival unless there is a tie",
    .lacks_offset = offsetof(struct friction_ladder, lacks),
    .not_computed =
        "the ladder of this answer was not made: ladder_deadline_s was 0; fricidctl reidentify makes it with one "
        "that is not 0",
};
