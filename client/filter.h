/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_FILTER_H
#define FRICID_CLIENT_FILTER_H

#include "client/client.h"

/* The parameters that say which results are meant: of --rig, --channel, --verdict and every --where. New reference;
 * NULL after a message. */
json_t *filter_params(struct client *client);

#endif
