/* SPDX-License-Identifier: GPL-3.0-or-later */

/* In place of terminal.c and terminal_check.c where ncurses was not there when this was built. */

#include "client/monitor/terminal.h"
#include "client/monitor/terminal_check.h"

#include <errno.h>

int terminal_check(struct complaint *complaint)
{
    complaint_set(complaint, "this fricidctl was built without ncurses and has no monitor; watch prints line by line");
    return -ENOSYS;
}

struct terminal *terminal_open(bool coloured)
{
    (void)coloured;
    return NULL;
}

void terminal_close(struct terminal *terminal)
{
    (void)terminal;
}

void terminal_size(const struct terminal *terminal, int *rows, int *columns)
{
    (void)terminal;
    *rows = *columns = 0;
}

int terminal_show(struct terminal *terminal, const struct canvas *canvas)
{
    (void)terminal;
    (void)canvas;
    return -EIO;
}

int terminal_key(const struct terminal *terminal)
{
    (void)terminal;
    return 0;
}
