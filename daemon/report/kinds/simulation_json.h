/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_KINDS_SIMULATION_JSON_H
#define FRICID_KINDS_SIMULATION_JSON_H

#include "report/kinds/contact_task.h"

#include <jansson.h>

/* What was simulated of a task; new reference, NULL when memory is short. */
json_t *simulation_to_json(const struct contact_task *task, enum verdict verdict, const struct simulation *simulation);

/* The same, of its arrays `count` samples from `first` on. */
json_t *simulation_part_to_json(const struct contact_task *task, enum verdict verdict,
                                const struct simulation *simulation, size_t first, size_t count);

/* Why nothing was simulated, for a verdict of simulate(). */
const char *simulation_sentence(enum verdict verdict);

#endif
