/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_PIECES_H
#define FRICID_IDENTIFY_LOOP_PIECES_H

#include "identify/loop/loop_signal.h"

/* A motion with corners, where its velocity jumps, as that of a triangular drive or one that stops at once, is smooth
 * in pieces from one to the next. */

/* Marks the first sample behind each corner, and behind each gap, by 1, all others by 0: signal->count of them, for
 * signal->begins. 0 or -ENOMEM. */
int loop_pieces_of(const struct loop_signal *signal, unsigned char *begins);

#endif
