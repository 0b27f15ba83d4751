/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For LD_PRELOAD: a program for which the time of day is set while it runs, and no other clock. The file that
 * CLOCK_STEP names holds by how much, in seconds. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long step_s(void)
{
    char text[32] = "";
    const char *path = getenv("CLOCK_STEP");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return 0;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    return count > 0 ? strtol(text, NULL, 10) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int answer = (int)syscall(SYS_clock_gettime, clock, now);
    if (clock == CLOCK_REALTIME)
        now->tv_sec += step_s();
    return answer;
}
