/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "proto/recording_holes.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* The longer words first. */
static const char *const words[] = {"infinity", "inf", "nan"};

const char *recording_hole_read(const char *at, struct decimal *decimal)
{
    const char *word = at + (*at == '-' || *at == '+');
    decimal->value = (double)NAN;
    decimal->last_place = 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strncasecmp(word, words[i], strlen(words[i])) == 0)
            return word + strlen(words[i]);
    return *at == '\0' || strchr(",\r\n", *at) ? at : NULL;
}

void recording_hole_note(double value, size_t place, size_t *hole)
{
    if (*hole == 0 && !isfinite(value))
        *hole = place;
}
