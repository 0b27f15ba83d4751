/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "client/contact_curve.h"

#include "client/reply.h"
#include "report/kinds/contact_task.h"

#include <math.h>
#include <string.h>

/* Speeds each way, and samples of a motion. */
enum { SPEEDS = 24, SAMPLES = 200 };

/* The slowest beside the fastest. */
static const double slowest_share = 0.02;

/* Of the force on a motion that is steady these are none of the friction's. */
static const enum friction_parameter not_friction[] = {FRICTION_F_0, FRICTION_K_X, FRICTION_PATH_SLOPE,
                                                       FRICTION_PATH_CURVATURE, FRICTION_MOVED_MASS};

static void leave_friction(struct known_contact *contact)
{
    for (size_t k = 0; k < sizeof not_friction / sizeof *not_friction; k++) {
        contact->value[not_friction[k]] = 0;
        for (size_t p = 0; p < FRICTION_PARAMETERS; p++)
            contact->covariance[not_friction[k]][p] = contact->covariance[p][not_friction[k]] = 0;
    }
}

/* At the end of a stroke at one velocity. NULL: it is not known. */
static json_t *point_at(struct known_contact *contact, double stroke, double velocity)
{
    struct contact_sample motion[SAMPLES];
    double force[SAMPLES], se[SAMPLES];
    size_t known_from;
    for (size_t i = 0; i < SAMPLES; i++) {
        const double way = stroke * (double)i / (SAMPLES - 1);
        motion[i] = (struct contact_sample){way / fabs(velocity), copysign(way, velocity), velocity};
    }
    contact->start_known = true;
    contact->start = copysign(1, velocity);
    if (contact_force(contact, motion, SAMPLES, NULL, force, se, &known_from) != VERDICT_OK ||
        !isfinite(force[SAMPLES - 1]))
        return NULL;
    return json_pack("{s:f, s:f, s:f}", "velocity", velocity, "model", force[SAMPLES - 1], "u_model", se[SAMPLES - 1]);
}

json_t *contact_curve_of(const json_t *result)
{
    const json_t *loop = json_object_get(result, "loop"), *ladder = json_object_get(loop, "ladder");
    const double stroke = reply_figure(result, "stroke").value, period = reply_figure(result, "period_s").value;
    const char *model = reply_text(ladder, "model", "");
    struct contact_task task;
    struct complaint complaint;
    if (!(stroke > 0 && period > 0) || !(strstr(model, "viscous") || strstr(model, "stribeck")) ||
        contact_task_from_json(result, 0, &task, &complaint) != 0)
        return NULL;
    leave_friction(&task.contact);
    const double fastest = M_PI * stroke / period;
    json_t *points = json_array();
    for (int k = 0; k < 2 * SPEEDS; k++) {
        const double share = slowest_share + (1 - slowest_share) * (k % SPEEDS) / (SPEEDS - 1);
        json_t *point = point_at(&task.contact, stroke, (k < SPEEDS ? share : -share) * fastest);
        if (point)
            json_array_append_new(points, point);
    }
    return points;
}
