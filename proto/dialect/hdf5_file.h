/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_HDF5_FILE_H
#define FRICID_PROTO_HDF5_FILE_H

#include "proto/dialect/number_file.h"

/* The data sets of an HDF5 file, which those are that MATLAB writes since version 7.3, as columns of numbers. */

/* Whether a file that begins so is one. */
bool hdf5_file_knows(const char *bytes, size_t count);

/* As number_file_open() of number_opening.h, of such a file; it takes the descriptor over. */
struct number_file *hdf5_file_open(int descriptor, int *error, struct complaint *complaint);

#endif
