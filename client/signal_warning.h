/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_SIGNAL_WARNING_H
#define FRICID_CLIENT_SIGNAL_WARNING_H

#include "client/phrase.h"

#include <jansson.h>

/* What a user should do something about, of the parameters of a notify.signal; empty: nothing. */
struct phrase signal_warning(const json_t *params);

#endif
