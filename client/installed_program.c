/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <config.h>

#include "client/installed_program.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 256 };

void installed_program_become(const char *const *arguments)
{
    char path[PATH_BYTES];
    const char *name = arguments[0];
    char *const *handed_on = (char *const *)arguments; /* exec leaves them as they are */
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - strlen(name) - 1);
    char *slash = length > 0 ? memrchr(path, '/', (size_t)length) : NULL;
    if (slash) {
        strcpy(slash + 1, name);
        execv(path, handed_on);
    }
    snprintf(path, sizeof path, "%s/%s", FRICID_SBINDIR, name);
    execv(path, handed_on);
    execvp(name, handed_on);
}
