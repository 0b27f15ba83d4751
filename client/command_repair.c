/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl repair: fricid-repair under the name where somebody looks for it. No daemon is asked, for it has to be
 * stopped. */

#include <config.h>

#include "client/command.h"
#include "client/installed_program.h"
#include "proto/cause.h"

#include <errno.h>
#include <stdlib.h>

static enum exit_status run_repair(struct client *client)
{
    const struct options *options = &client->options;
    if (!(options->given & OPTION_OUTPUT)) {
        screen_message(&client->screen, "repair makes a new file: --output says which; see fricid-repair(8)");
        return STATUS_USAGE;
    }
    const size_t count = (size_t)options->argument_count;
    const char **arguments = calloc(count + 5, sizeof *arguments);
    if (!arguments) {
        screen_message(&client->screen, "memory is short");
        return STATUS_FAILED;
    }
    const char *const first[] = {"fricid-repair", "--output", options->output, "--"};
    memcpy(arguments, first, sizeof first);
    for (size_t i = 0; i < count; i++)
        arguments[4 + i] = options->arguments[i];
    installed_program_become(arguments);
    screen_message(&client->screen, "fricid-repair cannot be run: %s. It should be installed beside fricidd",
                   cause_of(errno));
    free(arguments);
    return STATUS_FAILED;
}

const struct command command_repair = {.name = "repair",
                                       .summary = "a store of all that can be read of damaged ones",
                                       .options = OPTION_OUTPUT,
                                       .one_of = OPTION_OUTPUT,
                                       .operand = WORD_FILE,
                                       .least = 1,
                                       .most = INT_MAX,
                                       .run = run_repair};
