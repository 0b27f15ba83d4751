/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the daemon says to its operator. Lines go to standard error; where that ends is for whoever started it. */

#include "log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether standard error is the journal: JOURNAL_STREAM names its device and inode, and programs that a user's own
 * services start, such as terminals, pass it on where it is not true any more (systemd.exec(5)). */
static bool is_journal(void)
{
    const char *stream = getenv("JOURNAL_STREAM");
    char here[64];
    struct stat status;
    if (!stream || fstat(STDERR_FILENO, &status) != 0)
        return false;
    snprintf(here, sizeof here, "%ju:%ju", (uintmax_t)status.st_dev, (uintmax_t)status.st_ino);
    return strcmp(stream, here) == 0;
}

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
    fprintf(stderr, "%s%s\n", is_journal() ? journal_prefix[level] : "fricidd: ", line);
}
