/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_CHECKSUM_H
#define FRICID_STORE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* 64-bit FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/: it tells a changed digit, not a forger. */

#define CHECKSUM_EMPTY UINT64_C(0xcbf29ce484222325)

/* The checksum of what it was of, and of these bytes behind that. */
static inline uint64_t checksum_add(uint64_t state, const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < length; i++)
        state = (state ^ byte[i]) * UINT64_C(0x100000001b3);
    return state;
}

#endif
