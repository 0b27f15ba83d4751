/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_COMMANDS_H
#define FRICID_CLIENT_COMMANDS_H

#include "client/command.h"

/* All of them, in the order in which help shows them; NULL behind the last. */
const struct command *const *commands_all(void);

/* Checks options and arguments against the command. 0, or -EINVAL and a complaint. */
int commands_check(const struct command *command, const struct options *options, struct complaint *complaint);

/* What --help prints on standard output, in lines of at most `width` columns: about one command, or about all (NULL).
 */
void commands_help(const struct command *command, size_t width);

#endif
