/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_RESULTS_PAGES_H
#define FRICID_CLIENT_RESULTS_PAGES_H

#include "client/client.h"

/* Asks for the summaries that the command line selects, page after page, up to so many: *reply is the last page with
 * those of all of them under "results", a new reference. Anything but STATUS_OK has been explained on standard error.
 */
enum exit_status results_pages_ask(struct client *client, int64_t most, json_t **reply);

#endif
