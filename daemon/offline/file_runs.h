/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_OFFLINE_FILE_RUNS_H
#define FRICID_OFFLINE_FILE_RUNS_H

#include "pipeline/analysis.h"

/* Numbers the runs of a file, from 1 on in the order in which they ended: the decays of its channels, one analysis
 * each, get them. They are numbers within the file, as nothing is stored. 0 or -ENOMEM. */
int file_runs_number(const struct analysis *channels, size_t count);

/* Fits together what the channels of a file saw of each of these runs, where they have their ladders; the first channel
 * is the reference. 0 or -ENOMEM. */
int file_runs_join(const struct analysis *channels, size_t count);

#endif
