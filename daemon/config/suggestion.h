/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CONFIG_SUGGESTION_H
#define FRICID_CONFIG_SUGGESTION_H

#include <stddef.h>

/* How many letters must be changed, added, left out or swapped with their neighbour to turn one word into the other
 * (optimal string alignment distance). Words longer than 63 letters count as their first 63. */
size_t suggestion_distance(const char *a, const char *b);

/* Up to this distance a known word is likely what the writer of `word` meant. */
size_t suggestion_max_distance(const char *word);

#endif
