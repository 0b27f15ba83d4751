/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_REFUSAL_H
#define FRICID_CLIENT_REFUSAL_H

#include "client/exit_status.h"
#include "proto/complaint.h"

#include <jansson.h>

/* The error object of an answer as a sentence, and the exit status that it means. */
enum exit_status refusal_told(const json_t *error, struct complaint *complaint);

#endif
