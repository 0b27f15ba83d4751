/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/kinds/contact_json.h"

#include "proto/json_value.h"
#include "report/kinds/contact_check.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What else may stand in such an object. */
static const char *const other_keys[] = {"model",      "shape",   "elements",     "mass",
                                         "deflection", "verdict", "reason",       "stribeck_exponent",
                                         "reduced",    "fitted",  "residual_rms", "evidence"};

/* --- which object it is --- */

static const json_t *model_of_ladder(const json_t *ladder, const char *model, struct complaint *complaint)
{
    const char *wanted = model ? model : json_string_value(json_object_get(ladder, "model"));
    size_t i;
    json_t *rung;
    if (!wanted) {
        const char *reason = json_string_value(json_object_get(ladder, "reason"));
        complaint_set(complaint, "model: the ladder chose none%s%s", reason ? ": " : "", reason ? reason : "");
        return NULL;
    }
    json_array_foreach (json_object_get(ladder, "models"), i, rung) {
        const char *name = json_string_value(json_object_get(rung, "model"));
        if (name && strcmp(name, wanted) == 0)
            return rung;
    }
    complaint_set(complaint, "models: the ladder has none called %.60s", wanted);
    return NULL;
}

/* The object with the parameters; NULL and a complaint. */
static const json_t *find_model(const json_t *json, const char *model, struct complaint *complaint)
{
    static const char loop_name[] = "loop";
    const json_t *loop = json_object_get(json, loop_name);
    const json_t *ladder = loop ? json_object_get(loop, "ladder") : json;
    const char *kind = json_string_value(json_object_get(json, "kind"));
    if (kind && strcmp(kind, loop_name) != 0) {
        complaint_set(complaint, "the result is of a %s, and only one of a loop has a contact that can be simulated",
                      kind);
        return NULL;
    }
    if (!json_is_object(json) || (loop && !json_is_object(ladder))) {
        complaint_set(complaint, loop ? "loop.ladder: the record has no ladder of friction models"
                                      : "a model is an object: {\"shape\": \"dahl\", \"f_c\": 2.3, \"x_d\": 5e-5}");
        return NULL;
    }
    if (json_object_get(ladder, "models"))
        return model_of_ladder(ladder, model, complaint);
    if (model) {
        complaint_set(complaint, "models: there is one model, and none to choose");
        return NULL;
    }
    return ladder;
}

const json_t *contact_fitted(const json_t *json)
{
    struct complaint complaint;
    return json_object_get(find_model(json, NULL, &complaint), "fitted");
}

/* --- shape --- */

static int find_row(struct contact_reading *reading, const char *name)
{
    for (size_t r = 0; r < FRICTION_ROWS; r++)
        if (strcmp(friction_rows[r].name, name) == 0) {
            reading->row = friction_rows[r];
            return 0;
        }
    return contact_refuse(reading, "model", "no such model is on the ladder; shape takes any terms");
}

static int find_shape(struct contact_reading *reading, const char *name)
{
    for (enum friction_shape s = 0; s < FRICTION_SHAPES; s++)
        if (strcmp(friction_shape_name(s), name) == 0) {
            reading->row = (struct friction_row){NULL, s, ~0u};
            return 0;
        }
    return contact_refuse(
        reading, "shape",
        "rigid, dahl, elastoplastic, bouc_wen, backlash, maxwell_slip or frictionless; LuGre is dahl with f_s and v_s");
}

static int read_shape(struct contact_reading *reading)
{
    const json_t *model = json_object_get(reading->json, "model"), *shape = json_object_get(reading->json, "shape");
    const bool elements = json_object_get(reading->json, "elements");
    if (!model && !shape && !elements)
        return contact_refuse(reading, "shape", "is missing: rigid, dahl, elastoplastic, bouc_wen or backlash");
    if (model && shape)
        return contact_refuse(reading, "shape", "the model has one: either of them is enough");
    if (!model && !shape) {
        reading->row = (struct friction_row){NULL, FRICTION_RIGID, ~0u};
        return 0;
    }
    if (!json_is_string(model ? model : shape))
        return contact_refuse(reading, model ? "model" : "shape", "must be a name");
    return model ? find_row(reading, json_string_value(model)) : find_shape(reading, json_string_value(shape));
}

/* --- parameters --- */

static bool is_known_key(const char *key)
{
    for (size_t i = 0; i < sizeof other_keys / sizeof *other_keys; i++)
        if (strcmp(key, other_keys[i]) == 0)
            return true;
    for (enum friction_parameter p = 0; p < FRICTION_PARAMETERS; p++)
        if (strcmp(key, friction_parameters[p].name) == 0)
            return true;
    return false;
}

/* With those that there are. */
static void refuse_key(const struct contact_reading *reading, const char *key)
{
    char names[384] = "";
    for (enum friction_parameter p = 0; p < FRICTION_PARAMETERS; p++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", p > 0 ? ", " : "", friction_parameters[p].name);
    }
    complaint_set(reading->complaint, "%.60s: a model has no such key; its parameters are %s", key, names);
}

static int check_keys(const struct contact_reading *reading)
{
    const char *key;
    json_t *value;
    json_object_foreach ((json_t *)reading->json, key, value)
        if (!is_known_key(key)) {
            refuse_key(reading, key);
            return -EINVAL;
        }
    return 0;
}

static int take_number(struct contact_reading *reading, const char *key, const json_t *json, double *number)
{
    *number = json_number_value(json);
    return json_is_number(json) && isfinite(*number) ? 0 : contact_refuse(reading, key, "must be a number");
}

/* A number, or an object of its value and its standard uncertainty. What is null there is not known. */
static int read_figure(struct contact_reading *reading, enum friction_parameter p, const json_t *json)
{
    const char *key = friction_parameters[p].name;
    const json_t *value = json_is_object(json) ? json_object_get(json, "value") : json;
    const json_t *se = json_is_object(json) ? json_object_get(json, "se") : NULL;
    double uncertainty = 0;
    reading->unknown[p] = json_is_object(json) && json_is_null(value);
    if (reading->unknown[p])
        return 0;
    if (take_number(reading, key, value, &reading->contact->value[p]) != 0 ||
        (se && !json_is_null(se) && take_number(reading, key, se, &uncertainty) != 0))
        return -EINVAL;
    if (uncertainty < 0)
        return contact_refuse(reading, key, "its standard uncertainty, se, must not be below 0");
    reading->given[p] = true;
    reading->contact->covariance[p][p] = uncertainty * uncertainty;
    reading->contact->has_covariance = reading->contact->has_covariance || uncertainty > 0;
    return 0;
}

static int read_figures(struct contact_reading *reading)
{
    int error = 0;
    for (enum friction_parameter p = 0; p < FRICTION_PARAMETERS && !error; p++) {
        const json_t *json = json_object_get(reading->json, friction_parameters[p].name);
        if (json)
            error = read_figure(reading, p, json);
    }
    return error;
}

enum friction_parameter contact_fitted_parameter(const json_t *fitted)
{
    const char *name = json_string_value(json_object_get(fitted, "parameter"));
    enum friction_parameter p = 0;
    while (p < FRICTION_PARAMETERS && (!name || strcmp(friction_parameters[p].name, name) != 0))
        p++;
    return p;
}

/* Of what was exported: the values that the fit had, whether they are known or not. */
static int read_fitted(struct contact_reading *reading, const json_t *list)
{
    const size_t count = json_array_size(list);
    struct known_contact *contact = reading->contact;
    memset(contact->covariance, 0, sizeof contact->covariance);
    for (size_t i = 0; i < count; i++) {
        const json_t *one = json_array_get(list, i), *covariance = json_object_get(one, "covariance");
        const enum friction_parameter p = contact_fitted_parameter(one);
        if (p == FRICTION_PARAMETERS || json_array_size(covariance) != count)
            return contact_refuse(reading, "fitted",
                                  "a list of objects with parameter, value, and as many covariances as "
                                  "there are parameters");
        if (take_number(reading, "fitted", json_object_get(one, "value"), &contact->value[p]) != 0)
            return -EINVAL;
        reading->given[p] = true;
        for (size_t k = 0; k < count; k++) {
            const enum friction_parameter other = contact_fitted_parameter(json_array_get(list, k));
            if (other == FRICTION_PARAMETERS ||
                take_number(reading, "fitted", json_array_get(covariance, k), &contact->covariance[p][other]) != 0)
                return contact_refuse(reading, "fitted", "covariances must be numbers");
        }
    }
    contact->has_covariance = true;
    return 0;
}

/* --- elements and start --- */

/* Of what was exported what the fit had, whether it is known or not; else a number, or the value of a figure. */
static const json_t *length_or_force(const json_t *element, const char *fitted, const char *key)
{
    const json_t *exported = json_object_get(element, fitted), *json = json_object_get(element, key);
    if (exported && !json_is_null(exported))
        return exported;
    return json_is_object(json) ? json_object_get(json, "value") : json;
}

static int read_elements(struct contact_reading *reading)
{
    const json_t *list = json_object_get(reading->json, "elements");
    struct known_contact *contact = reading->contact;
    if (!list || (json_array_size(list) == 0 && reading->row.shape != FRICTION_MAXWELL && reading->row.name))
        return 0;
    if (json_array_size(list) == 0 || json_array_size(list) > FRICTION_ELEMENTS_MOST)
        return contact_refuse(reading, "elements", "a list of 1 to 64 objects with slip_length and slip_force");
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct friction_element *element = &contact->element[contact->element_count++];
        const json_t *one = json_array_get(list, i);
        if (take_number(reading, "slip_length", length_or_force(one, "fitted_length", "slip_length"),
                        &element->slip_length) != 0 ||
            take_number(reading, "slip_force", length_or_force(one, "fitted_force", "slip_force"),
                        &element->slip_force) != 0)
            return -EINVAL;
        if (!(element->slip_length > 0 && element->slip_force > 0))
            return contact_refuse(reading, "elements", "slip_length and slip_force must be above 0");
    }
    return 0;
}

static int read_start(struct contact_reading *reading, double *mass)
{
    const json_t *start = json_object_get(reading->json, "deflection"),
                 *weight = json_object_get(reading->json, "mass");
    const json_t *exponent = json_object_get(reading->json, "stribeck_exponent");
    struct known_contact *contact = reading->contact;
    *mass = NAN;
    if (start && take_number(reading, "deflection", start, &contact->start) != 0)
        return -EINVAL;
    if (!(fabs(contact->start) <= 1))
        return contact_refuse(reading, "deflection",
                              "from -1 to 1: the share of what the contact holds, before the motion");
    contact->start_known = start != NULL;
    if (weight && (take_number(reading, "mass", weight, mass) != 0 || !(*mass > 0)))
        return contact_refuse(reading, "mass", "must be a number above 0, kg");
    contact->stribeck_exponent = 2;
    if (exponent && !json_is_null(exponent) &&
        (take_number(reading, "stribeck_exponent", exponent, &contact->stribeck_exponent) != 0 ||
         !(contact->stribeck_exponent > 0)))
        return contact_refuse(reading, "stribeck_exponent", "must be a number above 0, as 1 or 2");
    return 0;
}

int contact_from_json(const json_t *json, const char *model, struct known_contact *contact, double *mass,
                      struct complaint *complaint)
{
    struct contact_reading reading = {.contact = contact, .complaint = complaint};
    *contact = (struct known_contact){.has_covariance = false};
    reading.json = find_model(json, model, complaint);
    if (!reading.json)
        return -EINVAL;
    const json_t *fitted = json_object_get(reading.json, "fitted");
    int error = check_keys(&reading);
    if (!error)
        error = read_shape(&reading);
    if (!error)
        error = fitted ? read_fitted(&reading, fitted) : read_figures(&reading);
    if (!error)
        error = read_elements(&reading);
    if (!error)
        error = read_start(&reading, mass);
    if (!error)
        error = contact_check(&reading);
    if (!error)
        contact->shape = reading.row.shape;
    return error;
}
