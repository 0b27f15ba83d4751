/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_WRITE_AT_H
#define FRICID_STORE_WRITE_AT_H

#include <stddef.h>
#include <sys/types.h>

/* All of the bytes, from that offset of a file on; an errno code. */
int write_at(int descriptor, const unsigned char *bytes, size_t length, off_t offset);

#endif
