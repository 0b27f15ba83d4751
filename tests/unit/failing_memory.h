/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_FAILING_MEMORY_H
#define FRICID_TESTS_FAILING_MEMORY_H

#include <stdbool.h>

/* Allocations that fail when a test wants them to. The linker sends every malloc(), calloc(), realloc(), strdup(),
 * asprintf() and newlocale() of the program's own objects and libraries here (--wrap), and jansson is
 * told to ask here as well. */

/* How a test goes on when one has failed. */
enum memory_manner { MEMORY_FAILS_ONCE, MEMORY_STAYS_SHORT };

/* To be called first of all: jansson's functions are then these. */
void failing_memory_set_up(void);

/* From now on `succeeding` allocations succeed and the next one fails. No assertion of a test may stand between this
 * and the end: they allocate, too. */
void failing_memory_begin(long succeeding, enum memory_manner manner);

/* All succeed again. Whether one has failed: when not, there were no more than `succeeding`. */
bool failing_memory_end(void);

#endif
