/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "proto/utf8.h"

#include <string.h>

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

size_t utf8_mark(const char *bytes, size_t length)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const size_t taken = sizeof mark - 1;
    return length >= taken && memcmp(bytes, mark, taken) == 0 ? taken : 0;
}

size_t utf8_take(const char *text, uint32_t *value)
{
    const unsigned char *byte = (const unsigned char *)text;
    size_t bytes = *text ? character(byte, strnlen(text, 4)) : 0;
    if (bytes <= 1) {
        *value = *byte;
        return bytes;
    }
    *value = *byte & (0x7Fu >> bytes);
    for (size_t i = 1; i < bytes; i++)
        *value = *value << 6 | (byte[i] & 0x3Fu);
    return bytes;
}

/* The first byte of a character says how many belong to it; the others begin with the bits 10. */
void utf8_trim(char *text)
{
    size_t length = strlen(text), start = length;
    while (start > 0 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        start--;
    if (start == 0)
        return;
    unsigned char lead = (unsigned char)text[start - 1];
    size_t wanted = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    if (length - (start - 1) < wanted)
        text[start - 1] = '\0';
}

void utf8_copy(char *to, size_t size, const char *from)
{
    size_t length = strnlen(from, size - 1);
    memcpy(to, from, length);
    to[length] = '\0';
    utf8_trim(to);
}

void utf8_from_latin1(char *to, size_t size, const char *from)
{
    size_t used = 0;
    for (; *from; from++) {
        const unsigned char byte = (unsigned char)*from;
        const size_t length = byte < 0x80 ? 1 : 2;
        if (used + length >= size)
            break;
        if (length == 2)
            to[used++] = (char)(0xC0 | byte >> 6);
        to[used++] = (char)(length == 2 ? 0x80 | (byte & 0x3F) : byte);
    }
    to[used] = '\0';
}
