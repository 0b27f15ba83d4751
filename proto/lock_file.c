/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The lock of a file that still has its name: whoever gives one back may have removed it. */

#include "proto/lock_file.h"

#include "proto/cause.h"
#include "proto/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

bool lock_file_has_name(const char *path, int descriptor)
{
    struct stat open_one, named;
    return fstat(descriptor, &open_one) == 0 && stat(path, &named) == 0 && open_one.st_dev == named.st_dev &&
           open_one.st_ino == named.st_ino;
}

static int take(int descriptor, const char *path, struct complaint *complaint)
{
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        return lock_file_has_name(path, descriptor) ? 0 : -EAGAIN;
    int error = errno == EWOULDBLOCK ? -EALREADY : errno == EINTR ? -EAGAIN : -errno;
    if (error == -ENOLCK || error == -ENOSYS || error == -EOPNOTSUPP)
        error = -ENOTSUP;
    complaint_set(complaint, "%s cannot be locked: %s", path, cause_of(error));
    return error;
}

/* On a read-only disk a file that is there can be locked all the same. */
int lock_file_take(const char *path, struct complaint *complaint)
{
    for (;;) {
        int descriptor = regular_file_open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0600, complaint);
        if (descriptor == -EROFS)
            descriptor = regular_file_open(path, O_RDONLY | O_NOFOLLOW, 0, complaint);
        if (descriptor < 0)
            return descriptor;
        int error = take(descriptor, path, complaint);
        if (!error)
            return descriptor;
        close(descriptor);
        if (error != -EAGAIN)
            return error;
    }
}

void lock_file_remove(const char *path, int descriptor)
{
    unlink(path);
    close(descriptor);
}
