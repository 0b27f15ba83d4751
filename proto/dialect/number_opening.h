/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_NUMBER_OPENING_H
#define FRICID_PROTO_NUMBER_OPENING_H

#include "proto/dialect/number_file.h"

/* Opens a file that is one of these; its descriptor is taken over then, and else when there is an error. NULL with 0
 * in *error: it is none of these. NULL with a negative errno and a complaint that names no file: it cannot be read. */
struct number_file *number_file_open(int descriptor, int *error, struct complaint *complaint);

#endif
