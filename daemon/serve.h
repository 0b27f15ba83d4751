/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVE_H
#define FRICID_SERVE_H

#include "config/configuration.h"
#include "options.h"

/* The daemon: starts rigs and service, runs until SIGTERM or SIGINT, and ends in order: sources stop, what is on its
 * way is finished or reported, clients are served out. */
enum exit_status serve(const struct configuration *configuration);

#endif
