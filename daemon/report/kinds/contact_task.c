/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/kinds/contact_task.h"

#include "proto/json_value.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Of what an identification told, its only loop; NULL and a complaint. Anything else is left as it is. */
static const json_t *told_result(const json_t *json, struct complaint *complaint)
{
    const json_t *results = json_object_get(json, "results"), *found = NULL;
    size_t i, loops = 0;
    json_t *result;
    if (!results)
        return json;
    json_array_foreach (results, i, result)
        if (json_object_get(result, "loop")) {
            found = result;
            loops++;
        }
    if (loops != 1)
        complaint_set(complaint, loops == 0 ? "results: none of them is of a loop"
                                            : "results: several are of loops; hand over one of them");
    return loops == 1 ? found : NULL;
}

/* The unit of the displacements of a result; NULL: it is none, or does not say it. */
static const char *unit_of(const json_t *json)
{
    return json_string_value(json_object_get(json_object_get(json, "units"), "displacement"));
}

/* --- of joint runs each has an offset of its own --- */

/* How an offset goes with what else the fit had: it is told at displacement 0, to which a spring may take it from far.
 */
static int relate(struct known_contact *contact, const json_t *fitted, const json_t *covariance,
                  struct complaint *complaint)
{
    const size_t count = json_array_size(fitted);
    bool told = count > 0 && json_array_size(covariance) == count;
    for (size_t k = 0; told && k < count; k++) {
        const enum friction_parameter p = contact_fitted_parameter(json_array_get(fitted, k));
        const json_t *one = json_array_get(covariance, k);
        told = p < FRICTION_PARAMETERS && json_is_number(one);
        if (told && p != FRICTION_F_0)
            contact->covariance[FRICTION_F_0][p] = contact->covariance[p][FRICTION_F_0] = json_number_value(one);
    }
    if (!told)
        complaint_set(complaint, "offsets: their covariances are missing, as an older fricid did not tell them: "
                                 "reidentify the record");
    return told ? 0 : -EINVAL;
}

/* Makes a figure of an offset that of the contact. */
static int take_offset(struct known_contact *contact, size_t part, const json_t *figure, const json_t *fitted,
                       struct complaint *complaint)
{
    const json_t *value = json_object_get(figure, "value");
    const char *reason = json_string_value(json_object_get(figure, "reason"));
    const double se = json_number_value(json_object_get(figure, "se"));
    if (!json_is_number(value)) {
        complaint_set(complaint, "offsets: that of part %zu is not known%s%s", part, reason ? ": " : "",
                      reason ? reason : "");
        return -EINVAL;
    }
    contact->value[FRICTION_F_0] = json_number_value(value);
    contact->covariance[FRICTION_F_0][FRICTION_F_0] = se * se;
    return relate(contact, fitted, json_object_get(figure, "covariance"), complaint);
}

/* The first one's is f_0, which the contact has already. */
static int choose_part(const json_t *result, size_t part, struct contact_task *task, struct complaint *complaint)
{
    const json_t *loop = json_object_get(result, "loop");
    const json_t *ladder = loop ? json_object_get(loop, "ladder") : result;
    const json_t *offsets = json_object_get(ladder, "offsets");
    const json_int_t parts = json_integer_value(json_object_get(ladder, "parts"));
    task->part = part > 0 ? part : 1;
    task->parts = parts > 1 ? (size_t)parts : 1;
    if (task->part == 1)
        return 0;
    if (task->part <= task->parts && offsets)
        return take_offset(&task->contact, part, json_array_get(offsets, part - 1), contact_fitted(result), complaint);
    if (task->part <= task->parts)
        complaint_set(complaint, "offsets: are missing, as an older fricid did not tell them: reidentify the record");
    else if (task->parts > 1)
        complaint_set(complaint, "part: the record has %zu parts, and there is no part %zu", task->parts, part);
    else
        complaint_set(complaint, "part: the model has one offset, f_0, and there is no part %zu", part);
    return -EINVAL;
}

int contact_task_from_json(const json_t *json, size_t part, struct contact_task *task, struct complaint *complaint)
{
    json = told_result(json, complaint);
    if (!json)
        return -EINVAL;
    const char *unit = unit_of(json);
    task->has_unit = unit != NULL;
    task->angular = unit && strcmp(unit, "rad") == 0;
    if (contact_from_json(json, NULL, &task->contact, &task->mass, complaint) != 0)
        return -EINVAL;
    return choose_part(json, part, task, complaint);
}

int contact_task_settle(struct contact_task *task, bool angular, bool has_motion, struct complaint *complaint)
{
    static const char *const quantities[] = {"displacement and force", "angle and torque"};
    const bool fits = !task->has_unit || task->angular == angular;
    const bool frictionless = task->contact.shape == FRICTION_NONE;
    if (!fits)
        complaint_set(complaint, "its columns are of %s, and the model is one of %s", quantities[angular],
                      quantities[task->angular]);
    else if (!has_motion && !isfinite(task->mass))
        complaint_set(complaint, "a force moves a mass: --mass KG tells of how much, or mass in the model; a motion is "
                                 "a column displacement_m");
    else if (!has_motion && frictionless)
        complaint_set(complaint,
                      "a model without dry friction tells the force of a motion, a column displacement_m, and "
                      "not how a force moves a mass");
    if (!fits || (!has_motion && (frictionless || !isfinite(task->mass))))
        return -EINVAL;
    task->angular = angular;
    return 0;
}
