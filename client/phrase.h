/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_PHRASE_H
#define FRICID_CLIENT_PHRASE_H

/* A short text passed by value: a figure, a time of day, a cell of a table. Nothing is allocated. */
struct phrase {
    char text[256];
};

/* Text that does not fit is cut at the end of a UTF-8 character. */
struct phrase phrase_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
