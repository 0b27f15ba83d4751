/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Two results held against each other, key by key. What a later version added is no change of what was there. */

#include "report/compare_results.h"

#include "identify/common/estimate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct comparison {
    uint64_t id;
    struct result_changes *changes;
    bool without_ladder; /* what follows from a ladder is not compared, for one of them has none */
    bool after_others;   /* one of them asked earlier releases, which its combined uncertainties follow from */
    bool changed;
};

static void note(struct comparison *comparison, const char *path, json_t *before, json_t *after)
{
    struct result_changes *changes = comparison->changes;
    comparison->changed = true;
    if (!changes->list)
        changes->list = json_array();
    if (json_array_size(changes->list) >= RESULT_CHANGES_MOST)
        changes->left_out++;
    else
        json_array_append_new(changes->list,
                              json_pack("{s:I, s:s, s:O?, s:O?}", "id", (json_int_t)comparison->id, "key", path,
                                        "before", before ? before : json_null(), "after", after ? after : json_null()));
}

static bool is_one_of(const char *key, const char *const keys[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

static bool is_left_out(const struct comparison *comparison, const char *key)
{
    static const char *const always[] = {"seq", "revision", "reason"};
    static const char *const following[] = {
        "ladder", "recommended", "model_choice", "static_friction", "physical", "flags", "budget", "u", "ci95"};
    static const char *const combined[] = {"budget", "u", "ci95", "earlier_releases"};
    return is_one_of(key, always, sizeof always / sizeof always[0]) ||
           (comparison->after_others && is_one_of(key, combined, sizeof combined / sizeof combined[0])) ||
           (comparison->without_ladder && is_one_of(key, following, sizeof following / sizeof following[0]));
}

/* The largest figure of a list of any depth. */
static double largest(const json_t *value)
{
    double size = json_is_number(value) ? fabs(json_number_value(value)) : 0;
    for (size_t i = 0; i < json_array_size(value); i++)
        size = fmax(size, largest(json_array_get(value, i)));
    return size;
}

/* What a key of an earlier result is called now: there was one interval of an estimate, that of the noise. */
static const char *name_now(const json_t *before, const char *key)
{
    const bool of_noise = strcmp(key, "ci95") == 0 && !json_object_get(before, "ci95_statistical");
    return of_noise ? "ci95_statistical" : key;
}

static void compare(struct comparison *comparison, const char *path, json_t *before, json_t *after, double rounding);

static void compare_objects(struct comparison *comparison, const char *path, json_t *before, json_t *after)
{
    const char *key;
    json_t *value;
    double uncertainty = json_number_value(json_object_get(before, "se"));
    json_object_foreach (before, key, value) {
        char longer[256];
        snprintf(longer, sizeof longer, "%s%s%s", path, path[0] ? "." : "", key);
        if (!is_left_out(comparison, key))
            compare(comparison, longer, value, json_object_get(after, name_now(before, key)), 1e-6 * uncertainty);
    }
}

static void compare_lists(struct comparison *comparison, const char *path, json_t *before, json_t *after,
                          double rounding)
{
    double size = 1e-9 * largest(before);
    if (json_array_size(before) != json_array_size(after)) {
        note(comparison, path, before, after);
        return;
    }
    for (size_t i = 0; i < json_array_size(before); i++) {
        char longer[256];
        snprintf(longer, sizeof longer, "%s[%zu]", path, i);
        compare(comparison, longer, json_array_get(before, i), json_array_get(after, i), fmax(size, rounding));
    }
}

static bool alike(double before, double after, double rounding)
{
    double size = fmax(fabs(before), fabs(after));
    return fabs(before - after) <= fmax(1e-9 * size, rounding);
}

static void compare(struct comparison *comparison, const char *path, json_t *before, json_t *after, double rounding)
{
    if (json_is_object(before) && json_is_object(after))
        compare_objects(comparison, path, before, after);
    else if (json_is_array(before) && json_is_array(after))
        compare_lists(comparison, path, before, after, rounding);
    else if (json_is_number(before) && json_is_number(after)) {
        if (!alike(json_number_value(before), json_number_value(after), rounding))
            note(comparison, path, before, after);
    } else if (!after || !json_equal(before, after))
        note(comparison, path, before, after);
}

/* One that was not made, or not to its end, for want of time, says nothing of the figures. */
static bool has_ladder(const json_t *result)
{
    /* That of a record of loops stands beside its loops. */
    const json_t *loop = json_object_get(result, "loop");
    const char *verdict =
        json_string_value(json_object_get(json_object_get(loop ? loop : result, "ladder"), "verdict"));
    static const enum verdict without[] = {VERDICT_NOT_COMPUTED, VERDICT_PENDING, VERDICT_CANCELLED};
    bool has = verdict != NULL;
    for (size_t i = 0; has && i < sizeof without / sizeof without[0]; i++)
        has = strcmp(verdict, verdict_name(without[i])) != 0;
    return has;
}

static bool asked_others(const json_t *result)
{
    return json_integer_value(json_object_get(json_object_get(result, "ladder"), "earlier_releases")) > 0;
}

bool compare_results(uint64_t id, const char *stored, const char *fresh, struct result_changes *changes)
{
    struct comparison comparison = {.id = id, .changes = changes};
    json_t *before = stored ? json_loads(stored, 0, NULL) : NULL, *after = fresh ? json_loads(fresh, 0, NULL) : NULL;
    comparison.without_ladder = has_ladder(before) != has_ladder(after);
    comparison.after_others = asked_others(before) || asked_others(after);
    if (!has_ladder(before)) {
        json_object_del(before, "ladder");
        json_object_del(json_object_get(before, "loop"), "ladder");
    }
    /* That is of all channels of a run, and a decay is identified by itself. */
    json_object_del(before, "joint");
    json_object_del(after, "joint");
    if (before && after)
        compare(&comparison, "", before, after, 0);
    else
        note(&comparison, "", before, after);
    json_decref(before);
    json_decref(after);
    return comparison.changed;
}

/* A record that comes with no ladder, such as a ring-down, says only of its first answer that it is provisional. */
bool result_is_final(const char *stored)
{
    json_t *result = stored ? json_loads(stored, 0, NULL) : NULL;
    const bool with_ladder =
        json_object_get(result, "ladder") || json_object_get(json_object_get(result, "loop"), "ladder");
    const bool final =
        with_ladder ? has_ladder(result) : result && !json_is_true(json_object_get(result, "provisional"));
    json_decref(result);
    return final;
}

json_t *result_changes_to_json(const struct result_changes *changes)
{
    return changes->list ? json_incref(changes->list) : json_array();
}

void result_changes_clear(struct result_changes *changes)
{
    json_decref(changes->list);
    *changes = (struct result_changes){0};
}
