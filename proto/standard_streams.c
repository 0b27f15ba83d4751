/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "proto/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

/* The lowest free descriptor is the one that was found closed. */
void standard_streams_occupy(void)
{
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
            break;
}
