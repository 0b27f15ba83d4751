/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_REPORT_TABLE_FILE_H
#define FRICID_REPORT_TABLE_FILE_H

#include "proto/complaint.h"
#include "proto/recording_parts.h"
#include "report/kinds/record_kind.h"

#include <stdbool.h>
#include <stddef.h>

/* What a file is told of whose header is that of a table of samples. */
#define TABLE_AS_RECORDING "--kind " KIND_FREE_DECAY " takes it for a recording of free decays"

/* Why nothing more is said of a table. */
#define TABLE_TELLS "the header of a table says what its columns are, and in which units"

/* The rows of a file that have the same labels: a record. */
struct table_record {
    char *name;      /* the labels, "golf_tile, 30"; owned */
    double *numbers; /* row after row; owned */
    size_t rows, capacity;
};

/* A file of records that are handed in: a table with a header that names the columns of one form of one kind, each with
 * its unit where that may be any. Columns that the kind passes over say nothing, the others are labels. It may be
 * written in any of the dialects of recordings; manner: what is said of that beside the file, of which delimiter,
 * decimal mark and, where there is no time, the rate count. */
struct table_file {
    const struct record_kind *kind;
    const struct kind_form *form;
    char unit[32];
    bool evenly;                  /* its rows have no time, and come at the rate that is said */
    char read_as[256];            /* "UTF-16LE, semicolon, decimal comma"; empty: as the manual writes them */
    struct table_record *records; /* count of them, owned: table_file_clear() */
    size_t count;
};

/* The kind whose columns the header of a file names, even if not once each and in one unit, of which table_file_load()
 * complains; NULL: none, or the file cannot be read. */
const struct record_kind *table_file_kind(const char *path, const struct recording_manner *manner);

/* Whether a file is a table, where it is said to be of that kind, or nothing is said (""). 1, 0 (a recording), or
 * -EINVAL and a complaint: it is no table of that kind. */
int table_file_wanted(const char *path, const struct recording_manner *manner, const char *said,
                      struct complaint *complaint);

/* Reads a whole file. 0, or a negative errno with a complaint that names file and line; table_file_clear() in any
 * case. */
int table_file_load(const char *path, const struct recording_manner *manner, struct table_file *table,
                    struct complaint *complaint);
void table_file_clear(struct table_file *table);

#endif
