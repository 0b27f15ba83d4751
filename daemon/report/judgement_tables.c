/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The sections that judge the others, and what follows from them. */

#include "report/result_view.h"
#include "report/table_rows.h"
#include "report/tables.h"

#define COULD_NOT "this figure could not be determined"

#define MERIT(member) .offset = offsetof(struct model_merit, member)

static const struct field models_fields[] = {
    {.name = "model", .type = FIELD_NAME, .words = WORDS_MODEL, MERIT(model)},
    VERDICT_OF(struct model_merit),
    {.name = "aicc", .type = FIELD_FIGURE, .note = "Akaike's criterion; smaller is better", MERIT(aicc)},
    {.name = "rms", .type = FIELD_SIZE, .unit = KIND_DISPLACEMENT, .note = "of the residuals", MERIT(rms)},
    REASON,
};

const struct section models_table = {
    .title = "the damping models compared",
    .size = sizeof(struct model_merit),
    SECTION_FIELDS(models_fields),
    .missing = COULD_NOT,
};

#define FRICTION(member) .offset = offsetof(struct static_friction, member)

static const struct field static_friction_fields[] = {
    VERDICT_OF(struct static_friction),
    REASON,
    {.name = "x_s_min",
     .type = FIELD_FIGURE,
     .unit = KIND_DISPLACEMENT,
     .label = "x_s",
     .note = "the break-away displacement is at least this",
     FRICTION(x_s_min)},
    {.name = "x_s_max",
     .type = FIELD_SIZE,
     .unit = KIND_DISPLACEMENT,
     .label = "x_s",
     .note = "the break-away displacement is at most this",
     FRICTION(x_s_max)},
    {.name = "rest",
     .type = FIELD_SIZE,
     .unit = KIND_DISPLACEMENT,
     .note = "the rest position from the bias",
     FRICTION(rest)},
    {.name = "last_extremum",
     .type = FIELD_SIZE,
     .unit = KIND_DISPLACEMENT,
     .note = "the last extremum that the mass left",
     FRICTION(last_extremum)},
};

const struct section static_friction_table = {
    .title = "between which limits the break-away displacement lies",
    .size = sizeof(struct static_friction),
    SECTION_FIELDS(static_friction_fields),
    .missing = "the stop does not tell this figure",
    .not_computed = "the record does not show the mass at rest after the decay",
};

#define PHYSICAL(member) .offset = offsetof(struct physical_view, member)

static const struct field physical_fields[] = {
    {.name = "verdict", .type = FIELD_VERDICT, PHYSICAL(found.verdict)},
    REASON,
    {.name = "mass_kg", .type = FIELD_SIZE, .unit = KIND_KG, .note = "as configured", PHYSICAL(settings.mass_kg)},
    {.name = "stiffness_n_per_m",
     .type = FIELD_SIZE,
     .unit = KIND_N_PER_M,
     .note = "as configured",
     PHYSICAL(settings.stiffness_n_per_m)},
    {.name = "gravity_m_per_s2",
     .type = FIELD_SIZE,
     .unit = KIND_M_PER_S2,
     .note = "as configured",
     PHYSICAL(settings.gravity_m_per_s2)},
    {.name = "c_n_s_per_m",
     .type = FIELD_ESTIMATE,
     .unit = KIND_N_S_PER_M,
     .label = "c",
     .note = "viscous coefficient",
     PHYSICAL(found.c_n_s_per_m)},
    {.name = "f_k_n",
     .type = FIELD_ESTIMATE,
     .unit = KIND_N,
     .label = "f_k",
     .note = "friction force",
     PHYSICAL(found.f_k_n)},
    {.name = "mu", .type = FIELD_ESTIMATE, .label = "μ", .note = "friction coefficient", PHYSICAL(found.mu)},
};

const struct section physical_table = {
    .title = "forces and coefficients, where mass and stiffness are configured",
    .size = sizeof(struct physical_view),
    SECTION_FIELDS(physical_fields),
    .missing = "this needs a displacement in a unit of length",
    .not_computed_offset = offsetof(struct physical_view, lacks),
};

#define RAISED_AT(place, flag, about)                                                                                  \
    {                                                                                                                  \
        .name = flag, .type = FIELD_FLAG, .offset = place, .note = about                                               \
    }
#define RAISED(member, about) RAISED_AT(offsetof(struct flags_view, doubts.member), #member, about)
#define RAISED_BESIDE(member, about) RAISED_AT(offsetof(struct flags_view, member), #member, about)

static const struct field flags_fields[] = {
    RAISED(few_effective_samples, "the noise leaves so few independent samples that the stated 95 % may be 85 or 98 %"),
    RAISED(few_half_cycles,
           "the noise is, or may be, correlated, and known from so few half cycles that the stated 95 % may "
           "be 85 or 98 %"),
    RAISED(frequency_drift, "the frequency changes with the amplitude otherwise than the recommended model says"),
    RAISED(damping_drift, "the damping changes with the amplitude otherwise than the recommended model says"),
    RAISED(presliding,
           "the frequency rises as the amplitude falls, as where friction gives way before it slides, which "
           "the recommended model does not know"),
    RAISED(baseline_drift, "the sensor's zero moves along the record; the uncertainties of the fit allow for it"),
    RAISED(mains_hum, "50 or 60 Hz is in the record; the uncertainties of the fit allow for it"),
    RAISED_BESIDE(stiffness_contradicts_frequency,
                  "k/(m omega_n^2) is not 1 within its uncertainty, nor within what is allowed for "
                  "uncertainties that are not configured"),
    RAISED_BESIDE(clock_step, "the recorder lost or repeated time within the record; the ladder has it put right"),
    RAISED_BESIDE(zero_steps, "the sensor's zero jumps at turning points, as where an encoder's counts slip; the "
                              "uncertainties do not allow for it"),
};

const struct section flags_table = {
    .title = "the names of all flags that are raised, of these:",
    .size = sizeof(struct flags_view),
    SECTION_FIELDS(flags_fields),
};

#define CHOICE(member) .offset = offsetof(struct choice_view, member)

static const struct field model_choice_fields[] = {
    {.name = "verdict", .type = FIELD_VERDICT, CHOICE(choice.verdict)},
    REASON,
    {.name = "model",
     .type = FIELD_MODEL,
     .note = "its terms; null, with the verdict undecided, when each term alone explains the record",
     CHOICE(choice.terms)},
    {.name = "based_on",
     .type = FIELD_NAME,
     .words = WORDS_RECOMMENDED,
     .nullable = true,
     .note =
         "the section that decides: the ladder as soon as it is there, which then has the last word, also where fit is "
         "recommended for a rung that is in closed form",
     CHOICE(based_on)},
    {.name = "viscous_ratio",
     .type = FIELD_SIZE,
     .parameter = FIT_ZETA,
     .note = "likelihood ratio of the viscous term: one-sided and robust, against the model without it; in a ladder "
             "what the criterion of the best rung without it is above that of the best with it, and 6.63",
     CHOICE(choice.likelihood_ratio[FIT_ZETA])},
    {.name = "coulomb_ratio",
     .type = FIELD_SIZE,
     .parameter = FIT_X_K,
     .note = "the same of the Coulomb term",
     CHOICE(choice.likelihood_ratio[FIT_X_K])},
    {.name = "threshold",
     .type = FIELD_SIZE,
     .digits = 3,
     .note = "a term enters above it: 3.84, of the many rungs of a ladder 6.63",
     CHOICE(choice.threshold)},
};

const struct section model_choice_table = {
    .title = "which model the record shows",
    .size = sizeof(struct choice_view),
    SECTION_FIELDS(model_choice_fields),
    .missing =
        "every model without the term whose ratio is null leaves too much for a comparison, or could not be fitted",
};

#define DRIFT(member) .offset = offsetof(struct drift, member)

/* Each drift has the size of its own term, with its own unit. */
#define DRIFT_FIELDS(term, kind, about, part)                                                                          \
    {                                                                                                                  \
        {.name = "flag", .type = FIELD_FLAG, DRIFT(flagged)},                                                          \
            {.name = term, .type = FIELD_ESTIMATE, .unit = kind, .note = about, DRIFT(size)},                          \
            {.name = "relative", .type = FIELD_FIGURE, .note = part, DRIFT(relative)},                                 \
            {.name = "likelihood_ratio", .type = FIELD_SIZE, .note = "of the term", DRIFT(likelihood_ratio)}, REASON,  \
    }

static const struct field frequency_drift_fields[] =
    DRIFT_FIELDS("cubic", KIND_PER_DISPLACEMENT_SQUARED, "stiffness that would explain the drift",
                 "the change of the frequency from rest to X_0, as a part of the frequency");
static const struct field damping_drift_fields[] =
    DRIFT_FIELDS("drag", KIND_PER_DISPLACEMENT, "that would explain the drift",
                 "the extra loss of a half cycle at X_0, as a part of X_0");

static const struct section frequency_drift_table = {
    .title = "does the frequency change with the amplitude?",
    .size = sizeof(struct drift),
    SECTION_FIELDS(frequency_drift_fields),
    .missing = COULD_NOT,
};
static const struct section damping_drift_table = {
    .title = "does the damping change with the amplitude?",
    .size = sizeof(struct drift),
    SECTION_FIELDS(damping_drift_fields),
    .missing = COULD_NOT,
};

#define DRIFTS(member) .offset = offsetof(struct drifts, member)

static const struct field drift_fields[] = {
    VERDICT_OF(struct drifts),
    REASON,
    {.name = "frequency_drift", .type = FIELD_OBJECT, .of = &frequency_drift_table, DRIFTS(frequency)},
    {.name = "damping_drift", .type = FIELD_OBJECT, .of = &damping_drift_table, DRIFTS(damping)},
    {.name = "phase_rms",
     .type = FIELD_SIZE,
     .unit = KIND_RAD,
     .note = "how far the drift of the frequency puts model and record apart",
     DRIFTS(phase)},
    {.name = "threshold", .type = FIELD_LIMIT, .limit = DRIFT_FLAGGED, .note = "a flag is raised above it"},
};

const struct section drift_table = {
    .title = "does the model hold along the record?",
    .size = sizeof(struct drifts),
    SECTION_FIELDS(drift_fields),
    .missing = COULD_NOT,
};

#define WINDOW(member) .offset = offsetof(struct amplitude_window, member)

static const struct field window_fields[] = {
    VERDICT_OF(struct amplitude_window),
    REASON,
    {.name = "largest", .type = FIELD_SIZE, .unit = KIND_DISPLACEMENT, .note = "amplitude", WINDOW(largest)},
    {.name = "smallest", .type = FIELD_SIZE, .unit = KIND_DISPLACEMENT, .note = "amplitude", WINDOW(smallest)},
    {.name = "start_s", .type = FIELD_FIGURE, .unit = KIND_S, .note = "source clock", WINDOW(start_s)},
    {.name = "end_s", .type = FIELD_FIGURE, .unit = KIND_S, .note = "source clock", WINDOW(end_s)},
    {.name = "half_cycles", .type = FIELD_COUNT, WINDOW(half_cycles)},
    F_N_HZ(offsetof(struct amplitude_window, f_n_hz)),
    PARAMETER(FIT_ZETA, offsetof(struct amplitude_window, estimate[FIT_ZETA])),
    PARAMETER(FIT_X_K, offsetof(struct amplitude_window, estimate[FIT_X_K])),
};

const struct section window_table = {
    .title = "a window",
    .size = sizeof(struct amplitude_window),
    SECTION_FIELDS(window_fields),
    .missing = "not determined in this window",
};

static const struct field windows_fields[] = {
    VERDICT_OF(struct amplitude_windows),
    REASON,
    {.name = "window",
     .type = FIELD_LIST,
     .of = &window_table,
     .count_offset = offsetof(struct amplitude_windows, count),
     .most = WINDOWS_MOST,
     .note = "from large amplitudes to small ones",
     .offset = offsetof(struct amplitude_windows, window)},
};

const struct section windows_table = {
    .title = "fits of parts of the record",
    .size = sizeof(struct amplitude_windows),
    SECTION_FIELDS(windows_fields),
};

#define LINE(member) .offset = offsetof(struct budget_line_view, member), .unit = KIND_OF_QUANTITY
#define PURE(member) .offset = offsetof(struct budget_line_view, member)

/* JSON knows no infinity: type B uncertainties alone have no number of degrees of freedom. */
static const struct field budget_line_fields[] = {
    {.name = "quantity", .type = FIELD_NAME, .words = WORDS_QUANTITY, PURE(quantity)},
    {.name = "value",
     .type = FIELD_FIGURE,
     .missing = "this quantity is not determined: see its own section",
     LINE(line.value)},
    {.name = "u_stat", .type = FIELD_SIZE, .note = "from the noise of the record", LINE(line.u_stat)},
    {.name = "u_cal",
     .type = FIELD_SIZE,
     .note = "from sensor, clock, mass, stiffness and gravity as configured",
     LINE(line.u_cal)},
    {.name = "u_model",
     .type = FIELD_SIZE,
     .note =
         "by how much drifts and windows of amplitude would move the value, times how likely the drifts are; with the "
         "ladder recommended, how far the values of its rungs scatter; not for a drift that the record does not show",
     LINE(line.u_model)},
    {.name = "u",
     .type = FIELD_SIZE,
     .note = "combined",
     .missing = "its uncertainty could not be determined",
     LINE(line.u)},
    {.name = "freedom",
     .type = FIELD_SIZE,
     .note = "effective degrees of freedom; null when they have no limit",
     PURE(line.freedom)},
    {.name = "coverage_factor",
     .type = FIELD_SIZE,
     .label = "k (95 %)",
     .note = "Student's t for 95 %",
     .digits = 3,
     PURE(line.coverage)},
    {.name = "expanded",
     .type = FIELD_SIZE,
     .label = "U",
     .note = "the product of the two: coverage_factor u",
     LINE(line.expanded)},
    REASON,
};

const struct section budget_line_table = {
    .title = "a line, in the quantity's own unit",
    .size = sizeof(struct budget_line_view),
    SECTION_FIELDS(budget_line_fields),
    .missing = "what other models would say is not known here, or the degrees of freedom have no limit",
};

#define STIFFNESS(member) .offset = offsetof(struct stiffness_check, member)

static const struct field stiffness_check_fields[] = {
    {.name = "ratio", .type = FIELD_SIZE, .note = "k/(m omega_n^2)", STIFFNESS(ratio)},
    {.name = "u",
     .type = FIELD_SIZE,
     .note = "its standard uncertainty, to which what is not configured adds 0",
     STIFFNESS(u)},
    {.name = "warning",
     .type = FIELD_FLAG,
     .note = "it differs from 1 by more than twice that, and by 0.1 more while u_mass_kg or u_stiffness_n_per_m is not "
             "configured",
     STIFFNESS(warning)},
    REASON,
};

const struct section stiffness_check_table = {
    .title = "do mass and stiffness as configured agree with the frequency?",
    .size = sizeof(struct stiffness_check),
    SECTION_FIELDS(stiffness_check_fields),
    .missing = "mass_kg and stiffness_n_per_m are not both configured, or the displacement is not in a unit of length",
};

#define BUDGET(member) .offset = offsetof(struct budget_view, member)

static const struct field budget_fields[] = {
    VERDICT_OF(struct budget_view),
    REASON,
    {.name = "quantities",
     .type = FIELD_LIST,
     .of = &budget_line_table,
     .count = BUDGET_QUANTITIES,
     .fewest = 9,
     .note = "results made before omega_d and beta had lines of their own lack these two",
     BUDGET(quantities)},
    {.name = "stiffness_check", .type = FIELD_OBJECT, .of = &stiffness_check_table, BUDGET(stiffness)},
};

const struct section budget_table = {
    .title = "the uncertainty budget of the recommended section, after the Guide to the Expression of Uncertainty in "
             "Measurement",
    .size = sizeof(struct budget_view),
    SECTION_FIELDS(budget_fields),
};
