/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which results a command is about. The daemon knows what can be asked for, and refuses the rest in words. */

#include "client/filter.h"

#include "store/results_query.h"

#include <math.h>
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

/* KEY=VALUE */
static bool add(struct client *client, json_t *params, const char *condition)
{
    const char *sign = strchr(condition, '=');
    if (!sign || sign == condition || !sign[1]) {
        screen_message(&client->screen, "--where wants KEY=VALUE, such as zeta_min=0.01, not '%s'", condition);
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
