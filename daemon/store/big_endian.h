/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_BIG_ENDIAN_H
#define FRICID_STORE_BIG_ENDIAN_H

#include <stdint.h>

/* The numbers of SQLite's files: four bytes, the highest first. */

static inline uint32_t big_endian_get(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static inline void big_endian_put(unsigned char *bytes, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(number >> (24 - 8 * i));
}

#endif
