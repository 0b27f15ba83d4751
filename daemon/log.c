/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Priorities of syslog(3), as sd-daemon(3) wants them before a line. */
static const char *const journal_prefix[] = {
    [LOG_LEVEL_ERROR] = "<3>", [LOG_LEVEL_WARNING] = "<4>", [LOG_LEVEL_INFO] = "<6>"};

void log_line(enum log_level level, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    fprintf(stderr, "%s%s\n", getenv("JOURNAL_STREAM") ? journal_prefix[level] : "fricidd: ", line);
}
