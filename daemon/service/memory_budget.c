/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "service/memory_budget.h"

enum memory_answer memory_charge_add(struct memory_charge *charge, size_t bytes)
{
    struct memory_budget *budget = charge->budget;
    charge->answer = MEMORY_GRANTED;
    if (charge->bytes > budget->limit || bytes > budget->limit - charge->bytes) {
        charge->answer = MEMORY_TOO_MUCH;
        return charge->answer;
    }
    /* Taken first and given back if it was too much: between a look and a step another thread could have been. */
    size_t before = atomic_fetch_add(&budget->used, bytes);
    if (before > budget->limit || bytes > budget->limit - before) {
        atomic_fetch_sub(&budget->used, bytes);
        charge->answer = MEMORY_TAKEN;
    } else {
        charge->bytes += bytes;
    }
    return charge->answer;
}

void memory_charge_remove(struct memory_charge *charge, size_t bytes)
{
    atomic_fetch_sub(&charge->budget->used, bytes);
    charge->bytes -= bytes;
}
