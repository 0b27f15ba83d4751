/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_METRICS_H
#define FRICID_CLIENT_METRICS_H

#include <jansson.h>
#include <stdio.h>

/* Where metrics_write() finds the latest result of a channel, in that. */
#define METRICS_RESULT "result"

/* The figures of a status reply in Prometheus' text format 0.0.4: a HELP and a TYPE line for each metric, base units in
 * the names, one sample a line. A figure that is null or missing has no sample. */
void metrics_write(const json_t *status, FILE *out);

#endif
