/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/kinds/contact_check.h"

#include "identify/loop/friction_stop.h"

#include <errno.h>
#include <math.h>

int contact_refuse(const struct contact_reading *reading, const char *key, const char *sentence)
{
    complaint_set(reading->complaint, "%s: %s", key, sentence);
    return -EINVAL;
}

/* By so much a number changes at most that is rounded to two digits. */
static const double rounded = 0.05;

static bool is_about(double value, double other)
{
    return fabs(value - other) <= rounded * other;
}

/* What elements tell by themselves. */
static bool follows_from_elements(const struct contact_reading *reading, enum friction_parameter p)
{
    return reading->contact->element_count > 0 && (p == FRICTION_F_C || p == FRICTION_X_D);
}

/* A model with a name has all of its terms, but for an offset; one by its shape those that are there. */
static int check_given(const struct contact_reading *reading)
{
    const struct friction_row *row = &reading->row;
    for (enum friction_parameter p = 0; p < FRICTION_PARAMETERS; p++) {
        const char *key = friction_parameters[p].name;
        const bool has = friction_row_has(row, p) || (reading->contact->element_count > 0 && !row->name);
        if (reading->given[p] && !has)
            return contact_refuse(reading, key, "the model lacks this term");
        if (!has || reading->given[p] || friction_parameter_follows(p) ||
            (p == FRICTION_X_D && reading->given[FRICTION_SIGMA_0]))
            continue;
        if (reading->unknown[p])
            return contact_refuse(reading, key, "is not known, and nothing can be foretold without it");
        if (row->name && p != FRICTION_F_0 && !follows_from_elements(reading, p))
            return contact_refuse(reading, key, "is missing: the model has this term");
    }
    return 0;
}

static int check_positive(const struct contact_reading *reading, enum friction_parameter p)
{
    const char *key = friction_parameters[p].name;
    if (!reading->given[p])
        return contact_refuse(reading, key, "is missing");
    return reading->contact->value[p] > 0 ? 0 : contact_refuse(reading, key, "must be above 0");
}

/* Elastic below z_ba, it has to slide at last in the direction of the lower level, too. */
static int check_elastic(const struct contact_reading *reading)
{
    const double *value = reading->contact->value;
    const double ratio = reading->given[FRICTION_LEVEL_RATIO] ? value[FRICTION_LEVEL_RATIO] : 1;
    if (check_positive(reading, FRICTION_Z_BA) != 0)
        return -EINVAL;
    if (!(value[FRICTION_Z_BA] < value[FRICTION_X_D]))
        return contact_refuse(reading, "z_ba", "must be below x_d");
    /* A fit was foretold with what it has. */
    if (json_object_get(reading->json, "fitted"))
        return 0;
    return value[FRICTION_Z_BA] < value[FRICTION_X_D] * 2 * fmin(ratio, 1) / (1 + ratio)
               ? 0
               : contact_refuse(reading, "z_ba", "must be below x_d times the lower of both levels over f_c");
}

static int check_bent(const struct contact_reading *reading)
{
    const double sharpness = reading->contact->value[FRICTION_N_BW];
    if (check_positive(reading, FRICTION_N_BW) != 0 || check_positive(reading, FRICTION_BETA_BW) != 0)
        return -EINVAL;
    return sharpness >= FRICTION_LEAST_SHARPNESS && sharpness <= FRICTION_MOST_SHARPNESS
               ? 0
               : contact_refuse(reading, "n_bw", "must be from 0.5 to 30");
}

static int check_gap(const struct contact_reading *reading)
{
    if (reading->given[FRICTION_GAP] && !reading->given[FRICTION_SIDES])
        return contact_refuse(reading, "limit_ratio", "is missing: 1 where both sides hold alike");
    if (check_positive(reading, FRICTION_GAP) != 0 || check_positive(reading, FRICTION_SIDES) != 0)
        return -EINVAL;
    const double power = reading->contact->value[FRICTION_STOPS];
    return !reading->given[FRICTION_STOPS] || (power >= 1 && power <= FRICTION_MOST_HARDENING)
               ? 0
               : contact_refuse(reading, "hardening", "must be from 1, which is a spring, to 8");
}

static int check_shape(const struct contact_reading *reading)
{
    switch (reading->row.shape) {
    case FRICTION_ELASTOPLASTIC:
        return check_elastic(reading);
    case FRICTION_BACKLASH:
        return check_gap(reading);
    case FRICTION_MAXWELL:
        return reading->contact->element_count > 0 ? 0 : contact_refuse(reading, "elements", "is missing");
    case FRICTION_BOUC_WEN:
        return check_bent(reading);
    default:
        return 0;
    }
}

/* Levels of both directions follow from f_c and their ratio. */
static int check_beside(const struct contact_reading *reading)
{
    const bool ratio = reading->given[FRICTION_LEVEL_RATIO];
    if (!ratio && reading->given[FRICTION_F_C_FORWARD])
        return contact_refuse(reading, "f_c_forward",
                              "follows from f_c, the mean of both levels, and level_ratio: give these");
    if (!ratio && reading->given[FRICTION_F_C_BACKWARD])
        return contact_refuse(reading, "f_c_backward",
                              "follows from f_c, the mean of both levels, and level_ratio: give these");
    if (ratio && check_positive(reading, FRICTION_LEVEL_RATIO) != 0)
        return -EINVAL;
    if (reading->contact->value[FRICTION_MOVED_MASS] < 0)
        return contact_refuse(reading, "moved_mass", "must not be below 0");
    return 0;
}

/* Elements that nothing beside them describes are a contact as they are. */
static void settle_elements(struct contact_reading *reading)
{
    if (reading->row.shape == FRICTION_MAXWELL && reading->contact->element_count > 0 &&
        !reading->given[FRICTION_X_D] && !reading->given[FRICTION_SIGMA_0])
        reading->row.shape = FRICTION_RIGID;
}

/* What stands beside elements is of them. A fit was exported with what it has. */
static int check_sums(struct contact_reading *reading)
{
    struct known_contact *contact = reading->contact;
    double force = 0, stiffness = 0;
    for (size_t i = 0; i < contact->element_count; i++) {
        force += contact->element[i].slip_force;
        stiffness += contact->element[i].slip_force / contact->element[i].slip_length;
    }
    if (contact->element_count == 0 || json_object_get(reading->json, "fitted"))
        return 0;
    if (!reading->given[FRICTION_F_C])
        contact->value[FRICTION_F_C] = force;
    reading->given[FRICTION_F_C] = true;
    if (!is_about(contact->value[FRICTION_F_C], force))
        return contact_refuse(reading, "f_c", "contradicts elements: it is the sum of their slip_force");
    if (reading->given[FRICTION_SIGMA_0] && !is_about(contact->value[FRICTION_SIGMA_0], stiffness))
        return contact_refuse(reading, "sigma_0", "contradicts elements: it is the sum of slip_force/slip_length");
    if (reading->given[FRICTION_X_D] && !is_about(contact->value[FRICTION_X_D], force / stiffness))
        return contact_refuse(reading, "x_d",
                              "contradicts elements: it is the sum of their slip_force over that of their stiffnesses");
    return 0;
}

/* Both may be told, and then of one contact. */
static int check_stiffness(const struct contact_reading *reading)
{
    const double *value = reading->contact->value;
    const double stiffness = value[FRICTION_F_C] / value[FRICTION_X_D];
    if (!reading->given[FRICTION_SIGMA_0] || reading->contact->element_count > 0 ||
        is_about(value[FRICTION_SIGMA_0], stiffness))
        return 0;
    return contact_refuse(reading, "sigma_0",
                          "contradicts f_c and x_d: it is f_c/x_d; either of x_d and sigma_0 is enough");
}

/* x_d, or sigma_0 in its place. */
static int settle_presliding(struct contact_reading *reading)
{
    double *value = reading->contact->value;
    if (friction_shape_is_rigid(reading->row.shape))
        return 0;
    if (reading->given[FRICTION_X_D] || !reading->given[FRICTION_SIGMA_0]) {
        if (check_positive(reading, FRICTION_X_D) != 0 || check_stiffness(reading) != 0)
            return -EINVAL;
    } else {
        if (check_positive(reading, FRICTION_SIGMA_0) != 0)
            return -EINVAL;
        value[FRICTION_X_D] = value[FRICTION_F_C] / value[FRICTION_SIGMA_0];
        const double share =
            sqrt(reading->contact->covariance[FRICTION_SIGMA_0][FRICTION_SIGMA_0]) / value[FRICTION_SIGMA_0];
        reading->contact->covariance[FRICTION_X_D][FRICTION_X_D] = pow(share * value[FRICTION_X_D], 2);
    }
    reading->contact->covariance[FRICTION_SIGMA_0][FRICTION_SIGMA_0] = 0;
    return 0;
}

int contact_check(struct contact_reading *reading)
{
    const double *value = reading->contact->value;
    const bool dips = reading->given[FRICTION_F_S] || reading->given[FRICTION_V_S];
    settle_elements(reading);
    /* Elements that x_d describes as well are fitted ones, which f_c does, too. */
    const bool levels = reading->row.shape != FRICTION_NONE &&
                        (reading->contact->element_count == 0 || dips || reading->row.shape != FRICTION_RIGID);
    if (check_given(reading) != 0 || check_sums(reading) != 0 || check_beside(reading) != 0)
        return -EINVAL;
    if ((levels && check_positive(reading, FRICTION_F_C) != 0) || settle_presliding(reading) != 0)
        return -EINVAL;
    if (dips && (check_positive(reading, FRICTION_F_S) != 0 || check_positive(reading, FRICTION_V_S) != 0))
        return -EINVAL;
    if (dips && value[FRICTION_F_S] < value[FRICTION_F_C])
        return contact_refuse(reading, "f_s", "must not be below f_c");
    return check_shape(reading);
}
