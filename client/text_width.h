/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_TEXT_WIDTH_H
#define FRICID_CLIENT_TEXT_WIDTH_H

#include <stddef.h>

/* Columns that UTF-8 text takes on a terminal; colours take none. */
size_t text_width(const char *text);

/* Bytes of the longest beginning of `text` that takes at most `columns` columns. */
size_t text_fit(const char *text, size_t columns);

#endif
