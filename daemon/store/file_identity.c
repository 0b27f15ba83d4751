/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "store/file_identity.h"

#include <sys/stat.h>

struct file_identity file_identity_of(const char *path)
{
    struct stat file;
    if (stat(path, &file) != 0)
        return (struct file_identity){.known = false};
    return (struct file_identity){.known = true, .device = file.st_dev, .inode = file.st_ino};
}

bool file_is_still(const struct file_identity *before, const char *path)
{
    const struct file_identity now = file_identity_of(path);
    return !before->known || (now.known && now.device == before->device && now.inode == before->inode);
}
