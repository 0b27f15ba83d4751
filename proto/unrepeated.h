/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_UNREPEATED_H
#define FRICID_PROTO_UNREPEATED_H

#include <stdint.h>

/* Sixteen bytes that were never drawn before, by any program: random ones, with the time of day in them. A computer
 * that is emulated may go on from a copy of its memory twice, and then draws the same random numbers twice. Returns 0,
 * or -errno where the system has no random numbers: the time is all that they are of then. */
int draw_unrepeated(uint64_t drawn[2]);

#endif
