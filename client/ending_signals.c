/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "client/ending_signals.h"

#include "proto/cause.h"

#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>

int ending_signals(const struct screen *screen)
{
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    const int signals = signalfd(-1, &ends, SFD_CLOEXEC);
    if (signals < 0)
        screen_message(screen, "cannot wait for signals: %s", cause_of(errno));
    return signals;
}
