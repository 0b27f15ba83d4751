/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config/suggestion.h"

#include <string.h>

/* Keys are shorter; the tables of distances stay small enough for the stack. */
enum { MAX_LETTERS = 63 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* distance[i][j] is that between the first i letters of a and the first j of b. */
size_t suggestion_distance(const char *a, const char *b)
{
    size_t rows = strnlen(a, MAX_LETTERS);
    size_t columns = strnlen(b, MAX_LETTERS);
    size_t distance[MAX_LETTERS + 1][MAX_LETTERS + 1];
    for (size_t i = 0; i <= rows; ++i)
        distance[i][0] = i;
    for (size_t j = 0; j <= columns; ++j)
        distance[0][j] = j;
    for (size_t i = 1; i <= rows; ++i)
        for (size_t j = 1; j <= columns; ++j) {
            size_t changed = distance[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            size_t best = smaller(changed, smaller(distance[i - 1][j], distance[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = smaller(best, distance[i - 2][j - 2] + 1);
            distance[i][j] = best;
        }
    return distance[rows][columns];
}

/* One slip in three letters; a word of two letters has no likely neighbour. */
size_t suggestion_max_distance(const char *word)
{
    return strlen(word) / 3;
}
