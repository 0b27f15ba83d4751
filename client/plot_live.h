/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_PLOT_LIVE_H
#define FRICID_CLIENT_PLOT_LIVE_H

#include "client/client.h"

/* Draws what a rig measures, twice a second, until --for has passed, the source ends or the user ends it: force over
 * displacement where the rig has both, else the channels over time. The rig is the command's argument. */
enum exit_status plot_live(struct client *client);

#endif
