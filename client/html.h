/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_HTML_H
#define FRICID_CLIENT_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Text of a page, as it is to be read: what HTML would take for a tag is escaped. */
void html_text(const char *text, FILE *page);

/* A picture in the page itself, a PNG of so many bytes, with what stands for it where none can be seen. False: memory
 * is short. */
bool html_png(const char *png, size_t length, const char *instead, FILE *page);

#endif
