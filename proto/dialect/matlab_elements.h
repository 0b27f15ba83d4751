/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_MATLAB_ELEMENTS_H
#define FRICID_PROTO_MATLAB_ELEMENTS_H

#include "proto/complaint.h"

#include <stddef.h>

/* The variables of a file of MATLAB one behind the other, each with its length before it, before anybody looks into
 * them. libmatio reads zeros behind the end of a file that is cut, a damaged struct keeps it busy for ever, and a
 * damaged name takes all memory: it gets whole files of arrays of numbers alone. */

struct matlab_elements {
    size_t bytes;  /* of the file */
    size_t others; /* variables that are no arrays of numbers */
};

/* Looks through a file. 0, or a negative errno and a complaint: -EBADMSG when it is cut or damaged. */
int matlab_elements_check(int descriptor, struct matlab_elements *elements, struct complaint *complaint);

/* A file in memory with the arrays of numbers alone. Its descriptor, or a negative errno and a complaint. */
int matlab_elements_copy(int descriptor, const struct matlab_elements *elements, struct complaint *complaint);

#endif
