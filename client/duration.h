/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_DURATION_H
#define FRICID_CLIENT_DURATION_H

/* A duration as people write it: "60s", "1.5min", "2h", "200ms", or "60" for seconds. 0, or -EINVAL when it is none, or
 * not above 0. */
int duration_read(const char *text, double *seconds);

#endif
