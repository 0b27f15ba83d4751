/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_COMMAND_H
#define FRICID_CLIENT_COMMAND_H

#include "client/client.h"

#include <limits.h>
#include <string.h>

/* What fricidctl can do: a command is a file with its row. Parsing, help and the shells' completion are made of it. */
struct command {
    const char *name;
    const char *summary;    /* NULL: the command is for scripts, and help does not show it */
    option_set options;     /* that it takes */
    option_set one_of;      /* of these at least one has to stand there, as the command itself checks */
    enum word_kind operand; /* what its arguments are */
    int least, most;        /* of them; INT_MAX: any number */
    enum exit_status (*run)(struct client *client);
};

/* Which results a command is about. */
#define OPTIONS_FILTER (OPTION_RIG | OPTION_CHANNEL | OPTION_VERDICT | OPTION_KIND | OPTION_WHERE)

/* How recordings are read. */
#define OPTIONS_MANNER                                                                                                 \
    (OPTION_TIME_UNIT | OPTION_RATE | OPTION_DELIMITER | OPTION_DECIMAL | OPTION_COLUMNS | OPTION_CALIBRATION)

/* The one of that name, of a list with NULL behind the last; NULL: there is none. */
static inline const struct command *command_named(const struct command *const *commands, const char *name)
{
    while (*commands && strcmp((*commands)->name, name) != 0)
        commands++;
    return *commands;
}

#endif
