/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The way of a command line: parse, find the command, check, run, and return what the shell should know. */

#include <config.h>

#include "client/client.h"
#include "client/commands.h"

#include <gsl/gsl_errno.h>
#include <signal.h>
#include <stdio.h>

/* Every refusal names the way out. */
static enum exit_status refuse_usage(const struct client *client, const char *sentence)
{
    screen_message(&client->screen, "%s; try: fricidctl --help", sentence);
    return STATUS_USAGE;
}

static enum exit_status refuse_command(const struct client *client, const char *name)
{
    struct complaint complaint;
    complaint_set(&complaint, "there is no command '%s'", name);
    return refuse_usage(client, complaint.text);
}

/* Help is for those who do not know how a command wants to be called: nothing but its name is checked. */
static enum exit_status help(const struct client *client)
{
    const char *name = client->options.command;
    const struct command *command = name ? command_named(client->commands, name) : NULL;
    if (name && !command)
        return refuse_command(client, name);
    commands_help(command, screen_width());
    return STATUS_OK;
}

/* Finds the command, and runs it when everything on the command line fits. */
static enum exit_status run_command(struct client *client)
{
    struct complaint complaint;
    const char *name = client->options.command;
    if (!name)
        return refuse_usage(client, "what shall it do? A command is missing");
    const struct command *command = command_named(client->commands, name);
    if (!command)
        return refuse_command(client, name);
    if (commands_check(command, &client->options, &complaint) < 0)
        return refuse_usage(client, complaint.text);
    return command->run(client);
}

int main(int argc, char **argv)
{
    struct client client = {.commands = commands_all()};
    struct complaint complaint;
    enum exit_status status = STATUS_OK;
    /* A curve that GSL cannot draw is one curve less, and no reason to end. */
    gsl_set_error_handler_off();
    signal(SIGPIPE, SIG_IGN); /* a reader that went away is an error of writing, not the end of the world */
    signal(SIGXFSZ, SIG_IGN); /* likewise, a file that may not become larger */
    screen_open(&client.screen);
    if (options_parse(argc, argv, &client.options, &complaint) < 0)
        status = refuse_usage(&client, complaint.text);
    else if (client.options.help)
        status = help(&client);
    else if (client.options.version)
        printf("fricidctl %s\n", PACKAGE_VERSION);
    else
        status = run_command(&client);
    connection_close(client.connection);
    own_daemon_end(&client.own);
    /* Only here is it known whether everything was written: /dev/full and a closed pipe show at the last flush. */
    return (int)screen_close(&client.screen, status);
}
