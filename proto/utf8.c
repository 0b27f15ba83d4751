/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "proto/utf8.h"

/* The beginnings of a character by its first byte, RFC 3629 section 4: how many bytes it has, and where its second byte
 * may lie. */
static const struct {
    unsigned char from, to, bytes, low, high;
} forms[] = {
    {0x00, 0x7F, 1, 0, 0},       {0xC2, 0xDF, 2, 0x80, 0xBF}, {0xE0, 0xE0, 3, 0xA0, 0xBF},
    {0xE1, 0xEC, 3, 0x80, 0xBF}, {0xED, 0xED, 3, 0x80, 0x9F}, {0xEE, 0xEF, 3, 0x80, 0xBF},
    {0xF0, 0xF0, 4, 0x90, 0xBF}, {0xF1, 0xF3, 4, 0x80, 0xBF}, {0xF4, 0xF4, 4, 0x80, 0x8F},
};

/* Bytes of the character that begins here; 0: none does. */
static size_t character(const unsigned char *byte, size_t left)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (*byte < forms[i].from || *byte > forms[i].to)
            continue;
        if (forms[i].bytes > left || (forms[i].bytes > 1 && (byte[1] < forms[i].low || byte[1] > forms[i].high)))
            return 0;
        for (size_t k = 2; k < forms[i].bytes; k++)
            if ((byte[k] & 0xC0) != 0x80)
                return 0;
        return forms[i].bytes;
    }
    return 0;
}

bool is_utf8(const char *bytes, size_t length)
{
    for (size_t done = 0; done < length;) {
        size_t step = character((const unsigned char *)bytes + done, length - done);
        if (step == 0)
            return false;
        done += step;
    }
    return true;
}
