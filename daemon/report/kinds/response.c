/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Frequency responses: a resonance that was measured step by step. */

#include "identify/response/half_power.h"
#include "report/kinds/record_kind.h"
#include "report/table_rows.h"

#define HALF_POWER(member) .offset = offsetof(struct half_power, member)

static const struct field response_fields[] = {
    VERDICT_OF(struct half_power),
    REASON,
    {.name = "f_1",
     .type = FIELD_ESTIMATE,
     .unit = KIND_HZ,
     .note = "below the peak, where response over force has fallen to its 1/sqrt(2)",
     HALF_POWER(f_1)},
    {.name = "f_2", .type = FIELD_ESTIMATE, .unit = KIND_HZ, .note = "above it", HALF_POWER(f_2)},
    {.name = "response",
     .type = FIELD_SIZE,
     .unit = KIND_DISPLACEMENT,
     .note = "mean amplitude between f_1 and f_2, in the unit of the response",
     HALF_POWER(response)},
    {.name = "response_spread",
     .type = FIELD_SIZE,
     .note = "range of the response between f_1 and f_2, as a share of its mean",
     HALF_POWER(response_spread)},
    {.name = "force_spread",
     .type = FIELD_SIZE,
     .note = "likewise of the force",
     .missing = "no force was measured: it is taken for constant",
     HALF_POWER(force_spread)},
    {.name = "response_constant",
     .type = FIELD_FLAG,
     .note = "that is at most 0.2: the rule holds whatever the damping does with the amplitude",
     HALF_POWER(response_constant)},
    {.name = "amplitude_dependent",
     .type = FIELD_FLAG,
     .note = "the force was held, no second peak is seen, and the peak is none of a damping that is the same at every "
             "amplitude, as with friction, or with another resonance too close to show: zeta is not that of any "
             "amplitude, and with friction too large (by 1.23 where it takes 0.3 of "
             "the force, by 1.47 at 0.5); measure at constant response",
     HALF_POWER(amplitude_dependent)},
    {.name = "second_peak",
     .type = FIELD_FIGURE,
     .unit = KIND_HZ,
     .note = "frequency of another maximum: what its resonance may add to the peak is in all uncertainties",
     .since = 14,
     .missing = "no other maximum is seen",
     HALF_POWER(second_peak)},
    {.name = "noise",
     .type = FIELD_SIZE,
     .note = "scatter of response over force about smooth pieces, as a share of it",
     HALF_POWER(noise)},
    {.name = "misfit",
     .type = FIELD_SIZE,
     .note = "scatter about one linear resonance, likewise, where it is above 0.3 of its largest",
     HALF_POWER(misfit)},
    {.name = "points", .type = FIELD_COUNT, HALF_POWER(points)},
};

static const struct section response_table = {
    .title = "the peak of the record",
    .size = sizeof(struct half_power),
    SECTION_FIELDS(response_fields),
    .missing = "fewer points are near the peak than a resonance has unknowns",
};

static const struct field fields[] = {
    METHOD("half_power"),
    VERDICT_OF(struct half_power),
    REASON,
    {.name = "f_n_hz",
     .type = FIELD_ESTIMATE,
     .unit = KIND_HZ,
     .label = "f_n",
     .headline = true,
     .note = "the undamped frequency: where response over force is largest, and of displacements and accelerations "
             "corrected by (1 - 2 zeta^2)^(1/2); of a response without a quantity that is in its uncertainty",
     HALF_POWER(f_n)},
    {.name = "zeta",
     .type = FIELD_ESTIMATE,
     .label = "ζ",
     .headline = true,
     .note = "by the bandwidth at half power, (f_2 - f_1)/(f_1 + f_2); see response.amplitude_dependent",
     HALF_POWER(zeta)},
    {.name = "response", .type = FIELD_OBJECT, .of = &response_table},
};

static const struct section section = {
    .title = "what the width of a resonance says of its damping",
    .size = sizeof(struct half_power),
    SECTION_FIELDS(fields),
};

#define FREQUENCY                                                                                                      \
    {                                                                                                                  \
        .name = "frequency_hz", .unit = "Hz", .quantity = "frequency", .stem = "frequency", .also = "freq"             \
    }
#define FORCE                                                                                                          \
    {                                                                                                                  \
        .name = "force_n", .unit = "N", .quantity = QUANTITY_FORCE, .stem = "force"                                    \
    }
#define ACCELERATION                                                                                                   \
    {                                                                                                                  \
        .name = "acceleration_m_s2", .unit = "m/s2", .quantity = QUANTITY_ACCELERATION, .stem = "acceleration"         \
    }
#define VELOCITY                                                                                                       \
    {                                                                                                                  \
        .name = "velocity_m_s", .unit = "m/s", .quantity = QUANTITY_VELOCITY, .stem = "velocity"                       \
    }
#define DISPLACEMENT                                                                                                   \
    {                                                                                                                  \
        .name = "displacement_m", .unit = "m", .quantity = QUANTITY_DISPLACEMENT, .stem = "displacement"               \
    }
#define ANY_RESPONSE                                                                                                   \
    {                                                                                                                  \
        .name = "response", .unit = NULL, .quantity = "response", .stem = "response"                                   \
    }

static const struct kind_form forms[] = {
    {{ACCELERATION, FREQUENCY}, 2},        {{VELOCITY, FREQUENCY}, 2},
    {{DISPLACEMENT, FREQUENCY}, 2},        {{ANY_RESPONSE, FREQUENCY}, 2},
    {{ACCELERATION, FREQUENCY, FORCE}, 3}, {{VELOCITY, FREQUENCY, FORCE}, 3},
    {{DISPLACEMENT, FREQUENCY, FORCE}, 3}, {{ANY_RESPONSE, FREQUENCY, FORCE}, 3},
};

const struct record_kind record_kind_response = {
    .name = "response",
    .about = "a resonance, measured frequency by frequency: damping by its bandwidth at half power",
    .forms = forms,
    .form_count = sizeof forms / sizeof forms[0],
    .sampled = true,
    .labelled = true,
    .result = "half_power",
    .section = &section,
};
