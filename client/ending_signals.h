/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_ENDING_SIGNALS_H
#define FRICID_CLIENT_ENDING_SIGNALS_H

#include "client/screen.h"

/* From now on Ctrl-C and SIGTERM kill nothing, but make a descriptor readable: the caller ends in order. -1: there is
 * none, which has been told. */
int ending_signals(const struct screen *screen);

#endif
