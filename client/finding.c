/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What was found, in the order in which it was found. */

#include "client/finding.h"

#include <stdarg.h>
#include <stdio.h>

__attribute__((format(printf, 2, 0))) static void set(struct complaint *complaint, const char *format,
                                                      va_list arguments)
{
    char text[sizeof complaint->text];
    vsnprintf(text, sizeof text, format, arguments);
    complaint_set(complaint, "%s", text);
}

void finding_say(struct findings *findings, enum finding_level level, const char *topic, const char *format, ...)
{
    if (findings->count < FINDINGS_MOST)
        findings->count++;
    struct finding *finding = &findings->all[findings->count - 1];
    *finding = (struct finding){.level = level, .topic = topic};
    va_list arguments;
    va_start(arguments, format);
    set(&finding->sentence, format, arguments);
    va_end(arguments);
}

void finding_mend(struct findings *findings, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set(&findings->all[findings->count - 1].remedy, format, arguments);
    va_end(arguments);
}

size_t findings_count(const struct findings *findings, enum finding_level level)
{
    size_t count = 0;
    for (size_t i = 0; i < findings->count; i++)
        count += findings->all[i].level == level;
    return count;
}
