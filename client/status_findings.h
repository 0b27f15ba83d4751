/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_STATUS_FINDINGS_H
#define FRICID_CLIENT_STATUS_FINDINGS_H

#include "client/finding.h"

#include <jansson.h>

/* What a status reply shows to be wrong, worst first, each with what to do about it. Problems need somebody now; notes
 * tell of losses that are over, or that may be meant. `configuration`: the file that describes the rigs; NULL: not
 * known. */
void status_findings_find(const json_t *status, const char *configuration, struct findings *findings);

#endif
