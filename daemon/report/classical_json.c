/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The sections of the methods that users compare with. */

#include "report/classical_json.h"

#include "proto/json_value.h"
#include "report/section_json.h"

/* Why an estimate is missing. */
static const char *why_of(enum verdict verdict)
{
    return verdict == VERDICT_OK ? "not determined by this method" : verdict_sentence(verdict);
}

json_t *logarithmic_decrement_to_json(const struct logarithmic_decrement *result)
{
    json_t *section =
        json_pack("{s:s, s:s, s:n, s:o, s:o, s:o, s:o}", "method", "logarithmic-decrement", "verdict",
                  verdict_name(result->verdict), "reason", "zeta",
                  estimate_to_json(&result->zeta, why_of(result->verdict)), "delta", number_to_json(result->delta),
                  "rms", number_to_json(result->rms), "swings", count_to_json(result->swings));
    return complete_section(section, result->verdict, "too few swings to judge them");
}

json_t *linear_decrement_to_json(const struct linear_decrement *result)
{
    json_t *section = json_pack(
        "{s:s, s:s, s:n, s:o, s:o, s:o, s:o}", "method", "linear-decrement", "verdict", verdict_name(result->verdict),
        "reason", "x_k", estimate_to_json(&result->x_k, why_of(result->verdict)), "per_cycle",
        number_to_json(result->per_cycle), "rms", number_to_json(result->rms), "swings", count_to_json(result->swings));
    return complete_section(section, result->verdict, "too few swings to judge them");
}

json_t *jacobsen_ayre_to_json(const struct jacobsen_ayre *result)
{
    json_t *section = json_pack("{s:s, s:s, s:n, s:o, s:o, s:o, s:o}", "method", "jacobsen-ayre", "verdict",
                                verdict_name(result->verdict), "reason", "zeta",
                                estimate_to_json(&result->zeta, why_of(result->verdict)), "x_k",
                                estimate_to_json(&result->x_k, why_of(result->verdict)), "large_swings",
                                count_to_json(result->large), "small_swings", count_to_json(result->small));
    return complete_section(section, result->verdict, "too few swings to judge them");
}
