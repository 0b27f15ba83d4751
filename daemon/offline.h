/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_OFFLINE_H
#define FRICID_OFFLINE_H

#include "config/configuration.h"
#include "options.h"

/* Identifies recordings without socket or store and prints one JSON result a line on standard output. A file is checked
 * whole before anything of it is printed; complaints go to standard error. EXIT_STATUS_OK when every file gave at
 * least one `ok` result, EXIT_STATUS_FAILED when one gave none or output failed, EXIT_STATUS_USAGE on bad input. The
 * caller flushes. */
enum exit_status offline_run(const struct configuration *configuration, const struct options *options);

#endif
