/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Looked at before it is opened, and once more when it is open: something else may have come in between. */

#include "proto/regular_file.h"

#include "proto/cause.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *kind_of(mode_t mode)
{
    return S_ISDIR(mode)    ? "a folder"
           : S_ISFIFO(mode) ? "a pipe"
           : S_ISSOCK(mode) ? "a socket"
           : S_ISLNK(mode)  ? "a symbolic link"
                            : "a device";
}

static int refuse(const char *path, mode_t mode, struct complaint *complaint)
{
    complaint_set(complaint, "%s is %s, and a file is expected there: move it away, or name another place", path,
                  kind_of(mode));
    return -EINVAL;
}

/* What cannot be looked at, for want of rights say, cannot be opened either. */
int regular_file_check(const char *path, struct complaint *complaint)
{
    struct stat found;
    return lstat(path, &found) != 0 || S_ISREG(found.st_mode) ? 0 : refuse(path, found.st_mode, complaint);
}

int regular_file_open(const char *path, int flags, mode_t mode, struct complaint *complaint)
{
    struct stat found;
    int error = 0;
    if (stat(path, &found) == 0 && !S_ISREG(found.st_mode))
        return refuse(path, found.st_mode, complaint);
    int descriptor = open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, mode);
    if (descriptor < 0 || fstat(descriptor, &found) != 0) {
        error = -errno;
        complaint_set(complaint, "%s: %s", path, cause_of(error));
        if (error == -ELOOP && lstat(path, &found) == 0 && S_ISLNK(found.st_mode))
            error = refuse(path, found.st_mode, complaint);
    } else if (!S_ISREG(found.st_mode)) {
        error = refuse(path, found.st_mode, complaint);
    }
    if (error && descriptor >= 0)
        close(descriptor);
    return error ? error : descriptor;
}
