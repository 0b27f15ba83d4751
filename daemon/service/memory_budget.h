/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_MEMORY_BUDGET_H
#define FRICID_MEMORY_BUDGET_H

#include <stdatomic.h>
#include <stddef.h>

/* Bytes that many may occupy together, counted before they are allocated or as soon as it is known how many they are.
 * The event loop and the identifier's thread count at the same time. */
struct memory_budget {
    atomic_size_t used;
    size_t limit;
};

/* What became of the latest wish. */
enum memory_answer {
    MEMORY_GRANTED,
    MEMORY_TAKEN,    /* others have it at the moment */
    MEMORY_TOO_MUCH, /* this one alone would be beyond the limit */
};

/* The part of one of them. It has one user at a time: whoever has the memory. */
struct memory_charge {
    struct memory_budget *budget; /* outlives it */
    size_t bytes;
    enum memory_answer answer;
};

/* Counts so many bytes more; when it does not answer MEMORY_GRANTED, nothing has changed but charge->answer. */
enum memory_answer memory_charge_add(struct memory_charge *charge, size_t bytes);

/* Gives so many of them back. */
void memory_charge_remove(struct memory_charge *charge, size_t bytes);

#endif
