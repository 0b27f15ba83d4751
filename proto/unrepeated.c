/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "proto/unrepeated.h"

#include "proto/clock.h"

#include <errno.h>
#include <sys/random.h>

int draw_unrepeated(uint64_t drawn[2])
{
    const size_t size = 2 * sizeof *drawn;
    ssize_t got;
    drawn[0] = drawn[1] = 0;
    do
        got = getrandom(drawn, size, 0);
    while (got < 0 && errno == EINTR);
    const int error = got < 0 ? -errno : 0;
    drawn[0] ^= (uint64_t)clock_realtime_ns();
    return error;
}
