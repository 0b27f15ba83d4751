/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The sections of the methods that find parameters. */

#include "identify/decay/identify.h"
#include "report/table_rows.h"
#include "report/tables.h"

static const struct field estimate_fields[] = {
    {.name = "value",
     .type = FIELD_FIGURE,
     .unit = KIND_OF_QUANTITY,
     .offset = offsetof(struct estimate, value),
     .note = "in the parameter's own unit"},
    {.name = "u",
     .type = FIELD_SIZE,
     .unit = KIND_OF_QUANTITY,
     .since = 3,
     .offset = offsetof(struct estimate, combined.u),
     .note = "combined standard uncertainty, as in the budget; null where there is no budget"},
    {.name = "ci95",
     .type = FIELD_INTERVAL,
     .unit = KIND_OF_QUANTITY,
     .offset = offsetof(struct estimate, combined.low),
     .note = "the two ends of the combined 95 % interval, as in the budget; null where there is no budget; at a bound "
             "the upper one is a one-sided limit"},
    {.name = "se",
     .type = FIELD_SIZE,
     .unit = KIND_OF_QUANTITY,
     .offset = offsetof(struct estimate, se),
     .note = "statistical standard uncertainty, from the noise of the record alone; null at a bound"},
    {.name = "ci95_statistical",
     .type = FIELD_INTERVAL,
     .unit = KIND_OF_QUANTITY,
     .since = 3,
     .offset = offsetof(struct estimate, low),
     .note = "the 95 % interval from the noise of the record alone"},
    {.name = "at_bound",
     .type = FIELD_FLAG,
     .offset = offsetof(struct estimate, at_bound),
     .note = "true for a damping ratio or a friction of 0"},
    REASON,
};

const struct section estimate_table = {
    .title = "a parameter with its uncertainty, in the parameter's own unit",
    .size = sizeof(struct estimate),
    SECTION_FIELDS(estimate_fields),
};

/* What every fit of the motion finds. */
#define PARAMETERS_OF(structure)                                                                                       \
    F_N_HZ(offsetof(structure, f_n_hz)),                                                                               \
    {                                                                                                                  \
        .type = FIELD_PARAMETERS, .offset = offsetof(structure, estimate)                                              \
    }

#define FIT(member) .offset = offsetof(struct full_record_fit, member)

static const struct field fit_fields[] = {
    METHOD("full-record"),
    VERDICT_OF(struct full_record_fit),
    REASON,
    {.name = "model",
     .type = FIELD_MODEL,
     .note = "the terms of the model that was fitted which are in that of model_choice, too, or all of them where that "
             "is undecided; null without any",
     FIT(shown)},
    {.name = "fitted",
     .type = FIELD_NAME,
     .words = WORDS_MODEL,
     .since = 11,
     .note = "the model that was fitted: what it has beyond model is not taken for exactly 0, and the other estimates "
             "allow for it",
     FIT(model)},
    PARAMETERS_OF(struct full_record_fit),
    {.name = "beta", .type = FIELD_FIGURE, .note = "zeta/sqrt(1 - zeta^2)", FIT(beta)},
    {.name = "omega_d", .type = FIELD_FIGURE, .unit = KIND_RAD_PER_S, FIT(omega_d)},
    {.name = "parameters", .type = FIELD_PARAMETER_NAMES, .note = "the order of rows and columns that follow"},
    {.name = "covariance",
     .type = FIELD_MATRIX,
     .unit = KIND_OF_QUANTITY,
     .note = "null where a parameter is at its bound",
     FIT(covariance)},
    {.name = "correlation", .type = FIELD_MATRIX, .note = "null where a parameter is at its bound", FIT(correlation)},
    {.name = "covariance_kind",
     .type = FIELD_TEXT,
     .nullable = true,
     .note = "the noise that the standard uncertainties assume: white, ar (autoregressive) or quantisation (the steps "
             "of an encoder without noise)",
     FIT(covariance_kind)},
    {.name = "rms", .type = FIELD_SIZE, .unit = KIND_DISPLACEMENT, .note = "of the residuals", FIT(rms)},
    {.name = "sum_of_squares", .type = FIELD_SIZE, .unit = KIND_DISPLACEMENT_SQUARED, FIT(sum_of_squares)},
    {.name = "r_squared", .type = FIELD_FIGURE, FIT(r_squared)},
    {.name = "residual_lag1",
     .type = FIELD_FIGURE,
     .note = "autocorrelation of neighbouring residuals",
     FIT(residual_lag1)},
    {.name = "samples", .type = FIELD_COUNT, .note = "that entered the fit", FIT(samples)},
    {.name = "half_cycles", .type = FIELD_COUNT, .note = "that these span", FIT(half_cycles)},
    {.name = "iterations", .type = FIELD_INTEGER, FIT(iterations)},
    {.name = "freedom",
     .type = FIELD_SIZE,
     .note = "degrees of freedom behind the standard uncertainties of all but the bias, whose line in the budget has "
             "its own",
     FIT(freedom)},
    {.name = "effective_samples",
     .type = FIELD_SIZE,
     .note = "independent samples that the noise leaves",
     FIT(effective_samples)},
    {.name = "few_effective_samples",
     .type = FIELD_FLAG,
     .note =
         "so few of them that the stated 95 % may be 85 or 98 %; before 1.3 also what the flag few_half_cycles says",
     FIT(few_effective_samples)},
};

#define NOT_DETERMINED "not determined by this method"

const struct section fit_table = {
    .title = "the whole record fitted with viscous and Coulomb damping",
    .size = sizeof(struct full_record_fit),
    SECTION_FIELDS(fit_fields),
    .model_offset = offsetof(struct full_record_fit, model),
    .missing = "a parameter at its bound has no covariance; other missing figures could not be determined",
    .missing_estimate = NOT_DETERMINED,
};

#define EXTREMA(member) .offset = offsetof(struct extrema_fit, member)

static const struct field extrema_fit_fields[] = {
    METHOD("extrema-only"),
    VERDICT_OF(struct extrema_fit),
    REASON,
    PARAMETERS_OF(struct extrema_fit),
    {.name = "rms",
     .type = FIELD_SIZE,
     .unit = KIND_DISPLACEMENT,
     .note = "of the extrema about the model",
     EXTREMA(rms)},
    {.name = "extrema", .type = FIELD_COUNT, .note = "that took part", EXTREMA(extrema)},
};

const struct section extrema_fit_table = {
    .title = "the same parameters from the extrema alone",
    .size = sizeof(struct extrema_fit),
    SECTION_FIELDS(extrema_fit_fields),
    .missing = "too few extrema to judge the residuals",
    .missing_estimate = NOT_DETERMINED,
};

#define SPREAD(member) .offset = offsetof(struct decrement_spread, member)

/* Of zeta and of x_k alike: the unit is that of the field which holds them. */
static const struct field spread_fields[] = {
    {.name = "mean",
     .type = FIELD_FIGURE,
     .unit = KIND_OF_QUANTITY,
     .missing = "no local value could be determined",
     SPREAD(mean)},
    {.name = "sd",
     .type = FIELD_SIZE,
     .unit = KIND_OF_QUANTITY,
     .note = "standard deviation",
     .missing = "one local value has no standard deviation",
     SPREAD(sd)},
    {.name = "count", .type = FIELD_COUNT, .note = "local values", SPREAD(count)},
    REASON,
};

static const struct section spread_table = {
    .title = "mean and standard deviation of the local values",
    .size = sizeof(struct decrement_spread),
    SECTION_FIELDS(spread_fields),
};

#define LOCAL(member) .offset = offsetof(struct decrement_local, member)

static const struct field local_fields[] = {
    {.name = "i", .type = FIELD_COUNT, .note = "the middle extremum", LOCAL(i)},
    {.name = "beta", .type = FIELD_FIGURE, LOCAL(beta)},
    {.type = FIELD_FIGURE, OF(FIT_ZETA), LOCAL(zeta)},
    {.type = FIELD_FIGURE, OF(FIT_X_K), LOCAL(x_k)},
    REASON,
};

static const struct section local_table = {
    .title = "the decrement at one extremum",
    .size = sizeof(struct decrement_local),
    SECTION_FIELDS(local_fields),
    .missing = "these extrema do not decay by themselves",
    .verdict_matters_not = true,
};

#define DECREMENT(member) .offset = offsetof(struct decrement, member)

/* The names are those of LF 1998: i, j, m and delta. Of local values the first are listed: early extrema, with their
 * large differences, tell the most. */
static const struct field decrement_fields[] = {
    METHOD("decrement"),
    VERDICT_OF(struct decrement),
    REASON,
    {.type = FIELD_OBJECT, .of = &spread_table, OF(FIT_ZETA), DECREMENT(zeta)},
    {.type = FIELD_OBJECT, .of = &spread_table, OF(FIT_X_K), DECREMENT(x_k)},
    {.name = "delta",
     .type = FIELD_SIZE,
     .unit = KIND_DISPLACEMENT,
     .note = "the error of an extremum that the bounds assume",
     DECREMENT(delta)},
    {.name = "i", .type = FIELD_COUNT, .note = "the extremum used for beta", DECREMENT(i)},
    {.name = "j", .type = FIELD_COUNT, .note = "the extremum used for x_k", DECREMENT(j)},
    {.name = "m", .type = FIELD_COUNT, .note = "half cycles accumulated", DECREMENT(m)},
    {.name = "beta", .type = FIELD_FIGURE, .note = "over m half cycles", DECREMENT(beta)},
    {.name = "zeta_m", .type = FIELD_FIGURE, OF(FIT_ZETA), .note = "over m half cycles", DECREMENT(zeta_m)},
    {.name = "x_k_m", .type = FIELD_FIGURE, OF(FIT_X_K), .note = "over m half cycles", DECREMENT(x_k_m)},
    {.name = "bound_beta", .type = FIELD_SIZE, .note = "bound of the error of beta", DECREMENT(bound_beta)},
    {.name = "bound_x_k",
     .type = FIELD_SIZE,
     .unit = KIND_DISPLACEMENT,
     .note = "bound of the error of x_k_m",
     DECREMENT(bound_x_k)},
    {.name = "bound_gamma",
     .type = FIELD_SIZE,
     .unit = KIND_DISPLACEMENT,
     .note = "the same for one half cycle alone",
     DECREMENT(bound_gamma)},
    {.name = "local_total",
     .type = FIELD_COUNT,
     .note = "how many local values there are; at most 4000 are listed",
     DECREMENT(local_count)},
    {.name = "local",
     .type = FIELD_LIST,
     .of = &local_table,
     .elsewhere = true,
     .count_offset = offsetof(struct decrement, local_count),
     .most = SECTION_MAX_LOCAL_VALUES,
     DECREMENT(local)},
};

const struct section decrement_table = {
    .title = "the decrement method, local and over m half cycles",
    .size = sizeof(struct decrement),
    SECTION_FIELDS(decrement_fields),
    .missing = "a missing figure could not be determined from these extrema",
};

#define TOO_FEW_SWINGS "too few swings to judge them"

#define LOGARITHMIC(member) .offset = offsetof(struct logarithmic_decrement, member)

static const struct field logarithmic_decrement_fields[] = {
    METHOD("logarithmic-decrement"),
    VERDICT_OF(struct logarithmic_decrement),
    REASON,
    PARAMETER(FIT_ZETA, offsetof(struct logarithmic_decrement, zeta)),
    {.name = "delta", .type = FIELD_SIZE, .note = "the decrement of a cycle", LOGARITHMIC(delta)},
    {.name = "rms", .type = FIELD_SIZE, .note = "of the logarithms about their straight line", LOGARITHMIC(rms)},
    {.name = "swings", .type = FIELD_COUNT, LOGARITHMIC(swings)},
};

const struct section logarithmic_decrement_table = {
    .title = "all damping taken for viscous",
    .heading = "logarithmic decrement (viscous alone)",
    .size = sizeof(struct logarithmic_decrement),
    SECTION_FIELDS(logarithmic_decrement_fields),
    .missing = TOO_FEW_SWINGS,
    .missing_estimate = NOT_DETERMINED,
};

#define LINEAR(member) .offset = offsetof(struct linear_decrement, member)

static const struct field linear_decrement_fields[] = {
    METHOD("linear-decrement"),
    VERDICT_OF(struct linear_decrement),
    REASON,
    PARAMETER(FIT_X_K, offsetof(struct linear_decrement, x_k)),
    {.name = "per_cycle", .type = FIELD_SIZE, .unit = KIND_DISPLACEMENT, .note = "4 x_k", LINEAR(per_cycle)},
    {.name = "rms",
     .type = FIELD_SIZE,
     .unit = KIND_DISPLACEMENT,
     .note = "of the swings about their straight line",
     LINEAR(rms)},
    {.name = "swings", .type = FIELD_COUNT, LINEAR(swings)},
};

const struct section linear_decrement_table = {
    .title = "all damping taken for Coulomb friction",
    .heading = "linear decrement (Coulomb alone)",
    .size = sizeof(struct linear_decrement),
    SECTION_FIELDS(linear_decrement_fields),
    .missing = TOO_FEW_SWINGS,
    .missing_estimate = NOT_DETERMINED,
};

#define JACOBSEN_AYRE(member) .offset = offsetof(struct jacobsen_ayre, member)

static const struct field jacobsen_ayre_fields[] = {
    METHOD("jacobsen-ayre"),
    VERDICT_OF(struct jacobsen_ayre),
    REASON,
    PARAMETER(FIT_ZETA, offsetof(struct jacobsen_ayre, zeta)),
    PARAMETER(FIT_X_K, offsetof(struct jacobsen_ayre, x_k)),
    {.name = "large_swings", .type = FIELD_COUNT, .note = "of which zeta came", JACOBSEN_AYRE(large)},
    {.name = "small_swings", .type = FIELD_COUNT, .note = "of which x_k came", JACOBSEN_AYRE(small)},
};

const struct section jacobsen_ayre_table = {
    .title = "zeta from the larger half of the swings, x_k from the smaller half",
    .heading = "Jacobsen and Ayre",
    .size = sizeof(struct jacobsen_ayre),
    SECTION_FIELDS(jacobsen_ayre_fields),
    .missing = TOO_FEW_SWINGS,
    .missing_estimate = NOT_DETERMINED,
};
