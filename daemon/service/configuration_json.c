/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "service/configuration_json.h"

#include "proto/json_value.h"

json_t *configuration_to_json(const char *id, const char *path, const char *text)
{
    json_t *config = json_pack("{s:o, s:o, s:o, s:n}", "config_id", text_to_json(id), "path", text_to_json(path),
                               "text", text_to_json(text), "reason");
    return with_reason(config, "no configuration file was given: the built-in defaults hold");
}
