/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What damaged files are kept as. */

#include "store/set_aside.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

static bool is_free(const char *name)
{
    char *log = sqlite3_mprintf("%s-wal", name);
    bool is = log && access(name, F_OK) != 0 && access(log, F_OK) != 0;
    sqlite3_free(log);
    return is;
}

char *set_aside_name(const char *path, const char *kind)
{
    enum { MOST_A_SECOND = 100 };
    char date[32];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y%m%dT%H%M%SZ", &utc);
    for (int i = 0; i < MOST_A_SECOND; i++) {
        char *name = sqlite3_mprintf("%s.%s-%s-%02d", path, kind, date, i);
        if (!name || is_free(name))
            return name;
        sqlite3_free(name);
    }
    return NULL;
}
