/* SPDX-License-Identifier: GPL-3.0-or-later */

/* pwrite(2) until all is written. */

#include "store/write_at.h"

#include <errno.h>
#include <unistd.h>

int write_at(int descriptor, const unsigned char *bytes, size_t length, off_t offset)
{
    while (length > 0) {
        ssize_t put = pwrite(descriptor, bytes, length, offset);
        if (put < 0 && errno != EINTR)
            return -errno;
        bytes += put > 0 ? put : 0;
        offset += put > 0 ? put : 0;
        length -= put > 0 ? (size_t)put : 0;
    }
    return 0;
}
