/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FREE_DECAY_H
#define FRICID_IDENTIFY_FREE_DECAY_H

#include "identify/record_analysis.h"

/* Identifies the first trace: channels that saw one release are records of their own. Found is a struct identification.
 */
record_analysis analyse_free_decay;

#endif
