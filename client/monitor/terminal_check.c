/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the terminal can do, before anything is drawn on it. A file of its own: term.h makes macros of words such as
 * columns. */

#include "client/monitor/terminal_check.h"

#include <curses.h>
#include <errno.h>
#include <stdlib.h>
#include <term.h>
#include <unistd.h>

int terminal_check(struct complaint *complaint)
{
    const char *name = getenv("TERM");
    int found;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        complaint_set(complaint, "monitor needs a terminal to show and to read keys from; elsewhere there is watch");
        return -ENOTTY;
    }
    if (!name || !*name) {
        complaint_set(complaint, "monitor must know what the terminal is called: TERM is not set");
        return -ENOTTY;
    }
    if (setupterm(NULL, STDOUT_FILENO, &found) != OK) {
        complaint_set(complaint, "monitor does not know the terminal '%s' that TERM names; for one more: watch", name);
        return -ENOTTY;
    }
    const bool addresses = tigetstr("cup") && tigetstr("cup") != (char *)-1;
    del_curterm(cur_term);
    if (addresses)
        return 0;
    complaint_set(complaint, "monitor cannot draw on the terminal '%s' that TERM names; watch prints line by line",
                  name);
    return -ENOTTY;
}
