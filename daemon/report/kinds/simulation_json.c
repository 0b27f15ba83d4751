/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/kinds/simulation_json.h"

#include "proto/json_value.h"

const char *simulation_sentence(enum verdict verdict)
{
    return verdict == VERDICT_NOT_CONVERGED
               ? "the motion runs beyond all numbers, or the mass is so light that it rings on the contact more than a "
                 "thousand times between two samples"
               : verdict_sentence(verdict);
}

json_t *simulation_part_to_json(const struct contact_task *task, enum verdict verdict,
                                const struct simulation *simulation, size_t first, size_t count)
{
    const bool ok = verdict == VERDICT_OK, pushed = ok && !simulation->se;
    json_t *se = pushed ? json_null() : numbers_to_json(ok ? simulation->se + first : NULL, count);
    json_t *known_from =
        ok && simulation->known_from < simulation->count ? count_to_json(simulation->known_from) : json_null();
    json_t *object = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "verdict", verdict_name(verdict),
                               "displacement", numbers_to_json(ok ? simulation->displacement + first : NULL, count),
                               "velocity", numbers_to_json(ok ? simulation->velocity + first : NULL, count), "force",
                               numbers_to_json(ok ? simulation->force + first : NULL, count), "se_force", se,
                               "known_from", known_from, "gaps", count_to_json(simulation->gaps), "residual_rms",
                               number_to_json(simulation->residual_rms), "f_0",
                               number_to_json(task->contact.value[FRICTION_F_0]), "part", count_to_json(task->part));
    return with_reason(object, !ok      ? simulation_sentence(verdict)
                               : pushed ? "a motion has no standard uncertainty of its force"
                                        : "no force was measured beside the motion, or the start is never forgotten");
}

json_t *simulation_to_json(const struct contact_task *task, enum verdict verdict, const struct simulation *simulation)
{
    return simulation_part_to_json(task, verdict, simulation, 0, verdict == VERDICT_OK ? simulation->count : 0);
}
