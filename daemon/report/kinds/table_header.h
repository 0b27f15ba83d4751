/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_REPORT_TABLE_HEADER_H
#define FRICID_REPORT_TABLE_HEADER_H

#include "report/kinds/record_kind.h"

#include <stdbool.h>
#include <stddef.h>

enum { TABLE_COLUMNS_MOST = 32 };

/* What a column of a file means: a column of the form from COLUMN_VALUE on. */
enum { COLUMN_LABEL = -3, COLUMN_PASSED_OVER, COLUMN_SERIES, COLUMN_VALUE };

/* The header of a table. */
struct table_header {
    char delimiter;
    size_t count; /* of its columns, without nameless ones at the end */
    int role[TABLE_COLUMNS_MOST];
    double scale[TABLE_COLUMNS_MOST]; /* units of the form that one of a column has: 1e-3 for "interval (ms)" */
    const struct record_kind *kind;   /* whose columns it names; NULL: none of them are all there */
    const struct kind_form *form;     /* that it has each column of once, in one unit; NULL: none, or several */
    bool by_units;                    /* what no name says is told by the units of its columns */
    bool units_below;                 /* its units stand in a line of their own below the names */
    bool evenly;                      /* its first column is a time that stands in no row: they come evenly */
    char unit[32];                    /* of these columns */
    char doubt[192]; /* a sentence on columns of a sampled kind that nobody can be sure of; empty: there is none */
};

/* Splits a line at its delimiters, in place, and takes blanks and quotes around its fields off. Returns how many fields
 * there are; more than TABLE_COLUMNS_MOST are counted only. */
size_t table_split(char *line, char delimiter, char *fields[TABLE_COLUMNS_MOST]);

/* What a line says as a header; the line is split. */
struct table_header table_header_of(char *line, char delimiter);

/* How many units of a form's column one of another is: "m" and "mm" give 1e-3. NAN: it measures something else. */
double table_unit_scale(const char *of, const char *unit);

/* How many units of a form's column one of a recording's channel is, of which name and unit are known. NAN: it is
 * another channel, or has a unit that is not known. */
double table_channel_scale(const struct kind_column *column, const char *name, const char *unit);

/* Whether a line is the header of a recording, which begins with its time. */
bool table_header_is_of_recording(const char *line, char delimiter);

#endif
