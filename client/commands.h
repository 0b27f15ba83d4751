/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_COMMANDS_H
#define FRICID_CLIENT_COMMANDS_H

#include "client/client.h"

#include <limits.h>

/* What fricidctl can do: a command is a file with its row. Parsing, help and the shells' completion are made of it. */
struct command {
    const char *name;
    const char *summary;    /* NULL: the command is for scripts, and help does not show it */
    unsigned options;       /* set of enum command_option that it takes */
    unsigned one_of;        /* of these at least one has to stand there, as the command itself checks */
    enum word_kind operand; /* what its arguments are */
    int least, most;        /* of them; INT_MAX: any number */
    enum exit_status (*run)(struct client *client);
};

/* Which results a command is about. */
#define OPTIONS_FILTER (OPTION_RIG | OPTION_CHANNEL | OPTION_VERDICT | OPTION_KIND | OPTION_WHERE)

/* The command of that name, NULL when there is none. */
const struct command *commands_find(const char *name);

/* Those that help shows, one after the other; NULL behind the last. */
const struct command *commands_shown(size_t i);

/* Checks options and arguments against the command. 0, or -EINVAL and a complaint. */
int commands_check(const struct command *command, const struct options *options, struct complaint *complaint);

/* What --help prints on standard output: about one command, or about all (NULL). */
void commands_help(const struct command *command);

#endif
