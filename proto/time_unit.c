/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The units of time that headers, options and configurations may name. */

#include "proto/time_unit.h"

#include <string.h>

static const struct time_unit units[] = {
    {"s", 1, .spelled = false},
    {"ms", 1e-3, .spelled = false},
    {"us", 1e-6, .spelled = false},
    {"ns", 1e-9, .spelled = false},
    {"min", 60, .unsure = true},
    {"h", 3600, .unsure = true},
    {"\xc2\xb5s", 1e-6, .spelled = false}, /* micro sign */
    {"\xce\xbcs", 1e-6, .spelled = false}, /* Greek mu: what many keyboards write instead */
    {"sec", 1, .spelled = true},
    {"secs", 1, .spelled = true},
    {"second", 1, .spelled = true},
    {"seconds", 1, .spelled = true},
    {"sekunden", 1, .spelled = true},
    {"msec", 1e-3, .spelled = true},
    {"millis", 1e-3, .spelled = true},
    {"milliseconds", 1e-3, .spelled = true},
    {"millisekunden", 1e-3, .spelled = true},
    {"usec", 1e-6, .spelled = true},
    {"micros", 1e-6, .spelled = true},
    {"microseconds", 1e-6, .spelled = true},
    {"mikrosekunden", 1e-6, .spelled = true},
    {"nsec", 1e-9, .spelled = true},
    {"nanoseconds", 1e-9, .spelled = true},
    {"minutes", 60, .spelled = true},
    {"minuten", 60, .spelled = true},
    {"hours", 3600, .spelled = true},
    {"stunden", 3600, .spelled = true},
};

/* How many of them are usual. */
enum { USUAL = 7, UNITS = sizeof units / sizeof units[0] };

/* Not tolower(), which asks the locale. */
static bool same(const char *text, const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const char letter = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] + ('a' - 'A')) : text[i];
        if (letter != name[i])
            return false;
    }
    return true;
}

const struct time_unit *time_unit_find(const char *text, size_t length)
{
    for (size_t i = 0; i < UNITS; i++)
        if (strlen(units[i].name) == length && same(text, units[i].name, length))
            return &units[i];
    return NULL;
}

const char *time_unit_name_of(double seconds)
{
    for (size_t i = 0; i < USUAL; i++)
        if (units[i].seconds == seconds)
            return units[i].name;
    return "?";
}

const char *time_unit_name_at(size_t index)
{
    return index < USUAL ? units[index].name : NULL;
}
