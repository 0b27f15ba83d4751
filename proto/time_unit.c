/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The units of time that headers, options and configurations may name. */

#include "proto/time_unit.h"

#include <string.h>

static const struct time_unit units[] = {
    {"s", 1, .alone = false},
    {"ms", 1e-3, .alone = true},
    {"us", 1e-6, .alone = true},
    {"ns", 1e-9, .alone = true},
    {"min", 60, .unsure = true},
    {"h", 3600, .unsure = true},
    {"\xc2\xb5s", 1e-6, .alone = true}, /* micro sign */
    {"\xce\xbcs", 1e-6, .alone = true}, /* Greek mu: what many keyboards write instead */
    {"sec", 1, .alone = true},
    {"secs", 1, .alone = true},
    {"second", 1, .alone = true},
    {"seconds", 1, .alone = true},
    {"sek", 1, .alone = true},
    {"sekunde", 1, .alone = true},
    {"sekunden", 1, .alone = true},
    {"seconde", 1, .alone = true},
    {"secondes", 1, .alone = true},
    {"seg", 1, .unsure = true},
    {"segundo", 1, .alone = true},
    {"segundos", 1, .alone = true},
    {"secondi", 1, .alone = true},
    {"\xd1\x81", 1, .unsure = true}, /* Russian s, ms */
    {"\xd0\xbc\xd1\x81", 1e-3, .unsure = true},
    {"mseg", 1e-3, .alone = true},
    {"msec", 1e-3, .alone = true},
    {"msecs", 1e-3, .alone = true},
    {"millis", 1e-3, .alone = true},
    {"millisec", 1e-3, .alone = true},
    {"millisecond", 1e-3, .alone = true},
    {"milliseconds", 1e-3, .alone = true},
    {"millisekunde", 1e-3, .alone = true},
    {"millisekunden", 1e-3, .alone = true},
    {"millisecondes", 1e-3, .alone = true},
    {"milisegundos", 1e-3, .alone = true},
    {"usec", 1e-6, .alone = true},
    {"usecs", 1e-6, .alone = true},
    {"\xc2\xb5sec", 1e-6, .alone = true},
    {"\xce\xbcsec", 1e-6, .alone = true},
    {"micros", 1e-6, .alone = true},
    {"microsec", 1e-6, .alone = true},
    {"microsecond", 1e-6, .alone = true},
    {"microseconds", 1e-6, .alone = true},
    {"mikrosekunden", 1e-6, .alone = true},
    {"100ns", 1e-7, .alone = true}, /* ticks of .NET and Windows */
    {"nsec", 1e-9, .alone = true},
    {"nsecs", 1e-9, .alone = true},
    {"nanos", 1e-9, .alone = true},
    {"nanosecond", 1e-9, .alone = true},
    {"nanoseconds", 1e-9, .alone = true},
    {"nanosekunden", 1e-9, .alone = true},
    {"mins", 60, .unsure = true},
    {"minute", 60, .alone = true},
    {"minutes", 60, .alone = true},
    {"minuten", 60, .alone = true},
    {"minutos", 60, .alone = true},
    {"minuti", 60, .alone = true},
    {"hr", 3600, .unsure = true},
    {"hrs", 3600, .unsure = true},
    {"hour", 3600, .alone = true},
    {"hours", 3600, .alone = true},
    {"std", 3600, .unsure = true},
    {"stunde", 3600, .alone = true},
    {"stunden", 3600, .alone = true},
    {"heure", 3600, .alone = true},
    {"heures", 3600, .alone = true},
    {"hora", 3600, .alone = true},
    {"horas", 3600, .alone = true},
    {"ore", 3600, .unsure = true},
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
    if (length > 1 && text[length - 1] == '.')
        length--;
    for (size_t i = 0; i < UNITS; i++)
        if (strlen(units[i].name) == length && same(text, units[i].name, length))
            return &units[i];
    return NULL;
}

const char *time_unit_name_of(double seconds)
{
    for (size_t i = 0; i < UNITS; i++)
        if (units[i].seconds == seconds)
            return units[i].name;
    return "?";
}

const char *time_unit_name_at(size_t index)
{
    return index < USUAL ? units[index].name : NULL;
}
