/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The one line that --offline prints for a group of bounces. */

#include "report/restitution_json.h"

#include "proto/json_value.h"
#include "report/section_json.h"

json_t *restitution_to_json(const struct restitution *result, const char *file, const char *group)
{
    const char *why = result->verdict != VERDICT_OK ? verdict_sentence(result->verdict)
                                                    : "mass_kg and stiffness_n_per_m are not both configured";
    json_t *object =
        json_pack("{s:s, s:s, s:n, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "method", "restitution", "verdict",
                  verdict_name(result->verdict), "reason", "file", text_to_json(file), "group", text_to_json(group),
                  "from", restitution_kind_name(result->kind), "e", estimate_to_json(&result->e, why), "zeta",
                  estimate_to_json(&result->zeta, why), "c_n_s_per_m", estimate_to_json(&result->c_n_s_per_m, why),
                  "sd", number_to_json(result->sd), "impacts", count_to_json(result->impacts), "left_out",
                  count_to_json(result->left_out));
    return complete_section(object, result->verdict, "a single impact has no standard deviation");
}
