/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files of recordings: names, and that nobody ever sees half of one under its name. */

#include <config.h>

#include "client/record_file.h"

#include "proto/cause.h"
#include "proto/quote.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Few large writes. */
enum { BUFFER_BYTES = 1 << 18 };

char *record_file_default_path(const char *rig)
{
    char moment[32] = "", *name = quote_file_name(rig), *path = NULL;
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(moment, sizeof moment, "%Y%m%dT%H%M%SZ", &utc);
    if (name && asprintf(&path, "%s-%s.csv", name, moment) < 0)
        path = NULL;
    free(name);
    return path;
}

char *record_file_channel_path(const char *path, const char *channel)
{
    char *name = quote_file_name(channel), *made = NULL;
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    if (!dot || dot == path || (slash && dot <= slash + 1))
        dot = path + strlen(path);
    if (name && asprintf(&made, "%.*s-%s%s", (int)(dot - path), path, name, dot) < 0)
        made = NULL;
    free(name);
    return made;
}

/* A part that is there already may be growing: two into one would be a mixture of both. */
static FILE *open_part(const char *part, const struct screen *screen)
{
    FILE *stream = fopen(part, "wxe");
    if (!stream && errno == EEXIST)
        screen_message(screen, "%s exists already: another fricidctl writes it, or was killed; then remove it", part);
    else if (!stream)
        screen_message(screen, "%s cannot be written: %s", part, cause_of(errno));
    return stream;
}

static FILE *open_direct(const char *path, const struct screen *screen)
{
    FILE *stream = fopen(path, "we");
    if (!stream)
        screen_message(screen, "%s cannot be written: %s", path, cause_of(errno));
    return stream;
}

/* A pipe or a device is there already, and is not made whole by giving it a name. */
static bool open_named(struct record_file *file, const char *path, const struct screen *screen)
{
    struct stat there;
    bool exists = stat(path, &there) == 0;
    if (exists && S_ISDIR(there.st_mode)) {
        screen_message(screen, "%s is a directory", path);
        return false;
    }
    if (exists && S_ISREG(there.st_mode) && !file->replaces) {
        screen_message(screen, "%s exists already: --force replaces it", path);
        return false;
    }
    bool direct = exists && !S_ISREG(there.st_mode);
    file->path = strdup(path);
    if (!direct && asprintf(&file->part, "%s.part", path) < 0)
        file->part = NULL;
    if (!file->path || (!direct && !file->part)) {
        screen_no_memory(screen);
        return false;
    }
    file->stream = direct ? open_direct(path, screen) : open_part(file->part, screen);
    return file->stream;
}

bool record_file_open(struct record_file *file, const char *path, bool replaces, const struct screen *screen)
{
    *file = (struct record_file){.replaces = replaces};
    if (strcmp(path, "-") == 0)
        file->stream = stdout;
    else if (!open_named(file, path, screen))
        return false;
    setvbuf(file->stream, NULL, _IOFBF, BUFFER_BYTES);
    return true;
}

bool record_file_good(struct record_file *file)
{
    if (ferror(file->stream) && !file->error)
        file->error = errno ? errno : EIO;
    return !file->error;
}

/* Not over a file that came into being meanwhile. Some file systems cannot promise that: then the look at the beginning
 * must do. */
static int give_name(const struct record_file *file)
{
    if (file->replaces)
        return rename(file->part, file->path);
    int failed = renameat2(AT_FDCWD, file->part, AT_FDCWD, file->path, RENAME_NOREPLACE);
    return failed && (errno == EINVAL || errno == ENOSYS) ? rename(file->part, file->path) : failed;
}

/* On the disk before it has its name. */
static bool finish(struct record_file *file, bool keep, const struct screen *screen)
{
    bool synced = record_file_good(file) && fflush(file->stream) == 0 &&
                  (!file->part || !keep || fsync(fileno(file->stream)) == 0);
    int error = file->error ? file->error : synced ? 0 : errno;
    if (file->stream != stdout && fclose(file->stream) != 0 && !error)
        error = errno;
    if (!error && keep && file->part && give_name(file) != 0)
        error = errno;
    /* Whoever has read enough of standard output is told nothing. */
    if (error && keep && (file->path || error != EPIPE))
        screen_message(screen, "%s could not be written whole%s: %s", file->path ? file->path : "standard output",
                       file->part ? " and is removed" : "", cause_of(error));
    if (file->part && (error || !keep))
        unlink(file->part);
    return !error;
}

bool record_file_close(struct record_file *file, bool keep, const struct screen *screen)
{
    bool there = file->stream ? finish(file, keep, screen) : false;
    free(file->path);
    free(file->part);
    *file = (struct record_file){.stream = NULL};
    return there;
}
