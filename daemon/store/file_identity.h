/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_FILE_IDENTITY_H
#define FRICID_STORE_FILE_IDENTITY_H

#include <stdbool.h>
#include <sys/types.h>

/* Which file stands under a name. */
struct file_identity {
    bool known;
    dev_t device;
    ino_t inode;
};

struct file_identity file_identity_of(const char *path);

/* Whether it stands there still; also where it was not known before. */
bool file_is_still(const struct file_identity *before, const char *path);

#endif
