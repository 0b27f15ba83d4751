/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_MONITOR_TERMINAL_H
#define FRICID_CLIENT_MONITOR_TERMINAL_H

#include "client/monitor/canvas.h"
#include <stdbool.h>

/* The terminal on standard input and output: all of it is ncurses, and nothing else knows of that. */

struct terminal;

/* Takes the screen of a terminal that terminal_check() has found good. NULL when memory is short. */
struct terminal *terminal_open(bool coloured);

/* Gives it back as it was. NULL is fine. */
void terminal_close(struct terminal *terminal);

/* How large it is now; to be called again after SIGWINCH. */
void terminal_size(const struct terminal *terminal, int *rows, int *columns);

/* Shows the cells; what has not changed is not sent. 0, or -EIO: nobody sees it any more, -EINTR: a signal ended it,
 * also where the terminal takes nothing; or -ENOMEM. */
int terminal_show(struct terminal *terminal, const struct canvas *canvas);

/* The next key that was pressed, without waiting: enum key or a character; 0: none. */
int terminal_key(const struct terminal *terminal);

#endif
