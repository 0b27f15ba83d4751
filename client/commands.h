/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_COMMANDS_H
#define FRICID_CLIENT_COMMANDS_H

#include "client/client.h"

/* What fricidctl can do: one command a file. */
struct command {
    const char *name;
    const char *arguments; /* as the help shows them */
    const char *summary;
    unsigned options; /* set of enum command_option that it takes */
    int least, most;  /* arguments */
    enum exit_status (*run)(struct client *client);
};

/* The command of that name, NULL when there is none. */
const struct command *commands_find(const char *name);

/* Checks options and arguments against the command. 0, or -EINVAL and a complaint. */
int commands_check(const struct command *command, const struct options *options, struct complaint *complaint);

/* What --help prints, on standard output. */
void commands_help(void);

enum exit_status command_status(struct client *client);
enum exit_status command_results(struct client *client);
enum exit_status command_show(struct client *client);
enum exit_status command_plot(struct client *client);
enum exit_status command_watch(struct client *client);
enum exit_status command_identify(struct client *client);
enum exit_status command_devices(struct client *client);
enum exit_status command_scope(struct client *client);
enum exit_status command_calibrate(struct client *client);
enum exit_status command_zero(struct client *client);
enum exit_status command_reidentify(struct client *client);
enum exit_status command_protect(struct client *client);
enum exit_status command_unprotect(struct client *client);
enum exit_status command_backup(struct client *client);
enum exit_status command_record(struct client *client);
enum exit_status command_metrics(struct client *client);
enum exit_status command_doctor(struct client *client);
enum exit_status command_version(struct client *client);

#endif
