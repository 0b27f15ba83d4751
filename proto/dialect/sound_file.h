/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_SOUND_FILE_H
#define FRICID_PROTO_SOUND_FILE_H

#include "proto/dialect/number_file.h"

/* Sound as columns of numbers: WAV files without compression, whose numbers are parts of the full scale. */

/* Whether a file that begins so is one. */
bool sound_file_knows(const char *bytes, size_t count);

/* As number_file_open() of number_opening.h, of such a file; it takes the descriptor over. */
struct number_file *sound_file_open(int descriptor, int *error, struct complaint *complaint);

#endif
