/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reading of replies without a single crash: whatever key is missing, the caller gets NAN, NULL or its own default. */

#include "client/reply.h"

#include <math.h>
#include <string.h>

double reply_number(const json_t *object, const char *key)
{
    const json_t *member = json_object_get(object, key);
    return json_is_number(member) ? json_number_value(member) : NAN;
}

int64_t reply_integer(const json_t *object, const char *key, int64_t otherwise)
{
    const json_t *member = json_object_get(object, key);
    return json_is_integer(member) ? (int64_t)json_integer_value(member) : otherwise;
}

const char *reply_text(const json_t *object, const char *key, const char *otherwise)
{
    const json_t *member = json_object_get(object, key);
    return json_is_string(member) ? json_string_value(member) : otherwise;
}

bool reply_true(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

static double number_at(const json_t *array, size_t i)
{
    const json_t *element = json_array_get(array, i);
    return json_is_number(element) ? json_number_value(element) : NAN;
}

struct figure reply_figure(const json_t *section, const char *key)
{
    const json_t *estimate = json_object_get(section, key);
    const json_t *both = json_object_get(estimate, "ci95"), *own = json_object_get(estimate, "ci95_statistical");
    /* Before 1.3 there was one interval, and it was statistical. */
    const json_t *statistical = own ? own : both;
    const bool combined = own && !isnan(number_at(both, 0));
    const json_t *interval = combined ? both : statistical;
    return (struct figure){.value = reply_number(estimate, "value"),
                           .se = reply_number(estimate, combined ? "u" : "se"),
                           .low = number_at(interval, 0),
                           .high = number_at(interval, 1),
                           .combined = combined,
                           .statistical_low = number_at(statistical, 0),
                           .statistical_high = number_at(statistical, 1),
                           .at_bound = reply_true(estimate, "at_bound"),
                           .reason = reply_text(estimate, "reason", NULL)};
}

/* "1" is the protocol's word for no unit, and nothing to print. */
const char *reply_displacement_unit(const json_t *result)
{
    const char *unit = reply_text(json_object_get(result, "units"), "displacement", "");
    return strcmp(unit, "1") == 0 ? "" : unit;
}

const json_t *reply_mode_curve(const json_t *mode)
{
    const json_t *law = json_object_get(mode, "law"), *backbone = json_object_get(mode, "backbone");
    const bool by_law = strcmp(reply_text(mode, "recommended", "?"), "law") == 0 || json_array_size(backbone) == 0;
    return by_law && json_array_size(law) > 0 ? law : backbone;
}

double reply_main_amplitude(const json_t *result)
{
    const json_t *modes = json_object_get(json_object_get(result, "ring_down"), "modes");
    const double omega = 2 * M_PI * reply_number(json_object_get(result, "f_n_hz"), "value");
    double amplitude = NAN, nearest = 1e-9 * omega; /* what rounding leaves of the same number */
    for (size_t m = 0; m < json_array_size(modes); m++) {
        const json_t *curve = reply_mode_curve(json_array_get(modes, m));
        for (size_t i = 0; i < json_array_size(curve); i++) {
            const json_t *point = json_array_get(curve, i);
            const double off = fabs(reply_number(point, "omega") - omega);
            if (off < nearest) {
                nearest = off;
                amplitude = reply_number(point, "amplitude");
            }
        }
    }
    return amplitude;
}

const json_t *reply_recommended(const json_t *result)
{
    const char *name = reply_text(result, "recommended", NULL);
    return name ? json_object_get(result, name) : NULL;
}

const char *reply_model(const json_t *result)
{
    const json_t *choice = json_object_get(result, "model_choice");
    /* The first daemons compared models, but did not choose. */
    const json_t *fitted = json_object_get(result, "fit");
    return reply_text(choice ? choice : fitted ? fitted : result, "model", NULL);
}

bool reply_is_ok(const json_t *object)
{
    return strcmp(reply_text(object, "verdict", ""), "ok") == 0;
}
