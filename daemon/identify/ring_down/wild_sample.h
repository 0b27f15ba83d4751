/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_WILD_SAMPLE_H
#define FRICID_IDENTIFY_WILD_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>

/* Puts, in the places of one or two samples in a row that those on both sides of them contradict, what these foretell:
 * a fault of the recorder or of a link, behind which the motion goes on as it was, which a push does not let it. step:
 * of the converter (stretch_step()). bridged: how many places there were. 0 or -ENOMEM. */
int wild_samples_bridge(double *samples, size_t count, double rate_hz, double step, size_t *bridged);

/* The same of the place at one sample, or none, where nobody has looked for pushes. */
int wild_sample_bridge_at(double *samples, size_t count, double rate_hz, double step, size_t at, bool *bridged);

#endif
