/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_PLOT_FILE_H
#define FRICID_CLIENT_PLOT_FILE_H

#include "client/client.h"

/* Draws what is found in a recording or in a table, a picture each. What is wrong has been told. */
enum exit_status plot_file(struct client *client, const char *file);

#endif
