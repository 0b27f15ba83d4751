/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_REPORT_TABLE_TEXT_H
#define FRICID_REPORT_TABLE_TEXT_H

#include "proto/complaint.h"
#include "proto/dialect/dialect.h"
#include "proto/recording_parts.h"
#include "report/kinds/table_header.h"

#include <stddef.h>
#include <stdio.h>

/* The lines of a file of tables, in whatever way a program wrote it: unpacked, in UTF-8, and with the delimiter and the
 * decimal mark that it has. */
struct table_text {
    FILE *stream; /* NULL: not open */
    struct dialect dialect;
    struct complaint cause; /* of an error while it is read, without the name of the file */
    size_t line;            /* of what was read last, from 1 */
    char *buffer;           /* of the line */
};

/* 0, or a negative errno and a complaint. table_text_close() in any case. */
int table_text_open(struct table_text *text, const char *path, struct complaint *complaint);

/* Reads up to the header of a kind; prose may stand before it. header->kind NULL: there is none. 0, or a negative
 * errno, of which table_text_complain() tells. */
int table_text_find_header(struct table_text *text, const struct recording_manner *manner, struct table_header *header);

/* The next row behind the header, which the caller may split. 1, 0 at the end, or a negative errno, of which
 * table_text_complain() tells. */
int table_text_next_row(struct table_text *text, const struct table_header *header, char **line);

/* Splits a row; empty cells behind the header's columns are none. How many there are. */
size_t table_row(const struct table_header *header, char *line, char *fields[TABLE_COLUMNS_MOST]);

/* Sets the complaint of an error while the text was read; returns it. */
int table_text_complain(const struct table_text *text, const char *path, int error, struct complaint *complaint);

/* Which mark its numbers have: what is said, or else what those of its first rows have. 0, or a negative errno and a
 * complaint: -EINVAL where nobody can know. Reads on. */
int table_text_find_decimal(struct table_text *text, const char *path, const struct recording_manner *manner,
                            const struct table_header *header, char *decimal, struct complaint *complaint);

/* How it is read, for people; empty where it is CSV with points. */
void table_text_describe(const struct table_text *text, const struct table_header *header, char decimal, char *said,
                         size_t bytes);

void table_text_close(struct table_text *text);

#endif
