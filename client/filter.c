/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which results a command is about. The daemon knows what can be asked for, and refuses the rest in words. */

#include "client/filter.h"

#include "client/options.h"
#include "store/results_query.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number where it can be read as one, for a protocol that tells numbers from text. */
static json_t *value_of(const char *text)
{
    char *end;
    long long whole = strtoll(text, &end, 10);
    if (end != text && !*end)
        return json_integer(whole);
    double number = strtod(text, &end);
    return end != text && !*end && isfinite(number) ? json_real(number) : json_string(text);
}

/* "zeta_min" or "zeta_max". */
static bool is_range_of_figure(const char *key, size_t length)
{
    for (int i = 0; i < SEARCHED_FIGURES; i++) {
        const char *figure = searched_figures[i].name;
        const size_t own = strlen(figure);
        if (length == own + 4 && strncmp(key, figure, own) == 0 &&
            (strncmp(key + own, "_min", 4) == 0 || strncmp(key + own, "_max", 4) == 0))
            return true;
    }
    return false;
}

/* Each key ends with its sign, so it is compared as far as that. */
static bool is_among(const char *keys, const char *condition, size_t length)
{
    for (const char *key = keys; key; key = strchr(key, ' ')) {
        key += *key == ' ';
        if (strncmp(key, condition, length + 1) == 0)
            return true;
    }
    return false;
}

/* What has an option of its own may stand here, too. */
static bool is_key(const char *condition, size_t length, const char *keys)
{
    return is_among(keys, condition, length) ||
           is_among(KEY_RIG "= " KEY_CHANNEL "= " KEY_VERDICT "=", condition, length) ||
           is_range_of_figure(condition, length);
}

static void refuse_key(struct client *client, int length, const char *condition, const char *keys)
{
    char figures[256] = "";
    for (int i = 0; i < SEARCHED_FIGURES; i++) {
        const size_t used = strlen(figures);
        snprintf(figures + used, sizeof figures - used, "%s%s", i > 0 ? ", " : "", searched_figures[i].name);
    }
    screen_message(&client->screen, "--where has no key '%.*s': there are %s, and _min= and _max= behind one of %s",
                   length, condition, keys, figures);
}

/* KEY=VALUE */
static bool add(struct client *client, json_t *params, const char *condition)
{
    const char *sign = strchr(condition, '=');
    const char *keys = options_find("--where")->keys;
    if (!sign || sign == condition || !sign[1]) {
        screen_message(&client->screen, "--where wants KEY=VALUE, such as zeta_min=0.01, not '%s'", condition);
        return false;
    }
    if (!is_key(condition, (size_t)(sign - condition), keys)) {
        refuse_key(client, (int)(sign - condition), condition, keys);
        return false;
    }
    char *key = strndup(condition, (size_t)(sign - condition));
    bool added = key && json_object_set_new(params, key, value_of(sign + 1)) == 0;
    free(key);
    if (!added)
        screen_message(&client->screen, "what to look for must be UTF-8 text");
    return added;
}

/* json_pack() gives up on text that is not UTF-8; a filter silently left out would answer another question. */
json_t *filter_params(struct client *client)
{
    const struct options *options = &client->options;
    json_t *params = json_pack("{s:s*, s:s*, s:s*, s:s*}", KEY_RIG, options->rig, KEY_CHANNEL, options->channel,
                               KEY_VERDICT, options->verdict, KEY_KIND, options->kind);
    if (!params)
        screen_message(&client->screen, "what to look for must be UTF-8 text");
    for (size_t i = 0; params && i < options->where_count; i++) {
        if (!add(client, params, options->where[i])) {
            json_decref(params);
            return NULL;
        }
    }
    return params;
}
