/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Durations with units. */

#include "client/duration.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* strtod() reads the point whatever the locale, because LC_NUMERIC stays "C". */
int duration_read(const char *text, double *seconds)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"min", 60}, {"m", 60}, {"h", 3600}, {"d", 86400}};
    char *end;
    if (!strchr(".0123456789", *text))
        return -EINVAL;
    double number = strtod(text, &end);
    while (*end == ' ')
        end++;
    for (size_t i = 0; end > text && i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(end, units[i].name) != 0)
            continue;
        *seconds = number * units[i].seconds;
        return *seconds > 0 && *seconds <= 1e9 ? 0 : -EINVAL;
    }
    return -EINVAL;
}
