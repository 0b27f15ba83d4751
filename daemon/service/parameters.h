/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_PARAMETERS_H
#define FRICID_SERVICE_PARAMETERS_H

#include "proto/complaint.h"
#include "proto/jsonrpc.h"
#include "report/field.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* The largest integer that every JSON reader holds exactly, 2^53 - 1. */
#define PARAMETER_LARGEST 9007199254740991.0

enum parameter_type {
    PARAMETER_TEXT,    /* a string of at most `maximum` bytes, not empty, without control characters */
    PARAMETER_INTEGER, /* from minimum to maximum */
    PARAMETER_NUMBER,  /* from minimum to maximum */
    PARAMETER_FIGURES, /* a number for each figure that results are searched for, named by it and what `name` adds */
    PARAMETER_FLAG,    /* true or false */
    PARAMETER_NUMBERS, /* a list of 1 to `maximum` numbers */
    PARAMETER_INDEXES, /* the same of integers from 0 on; the method itself says what is wrong with them */
    PARAMETER_TEXTS,   /* a list of strings */
    PARAMETER_COLUMNS, /* an object of lists like PARAMETER_NUMBERS; the method itself says what is wrong with names */
    PARAMETER_OBJECT,  /* an object; the method itself says what is wrong with its members */
};

/* A parameter of a method. What is checked, the schema and the manual page come from this row. */
struct parameter {
    const char *name;
    enum parameter_type type;
    bool required;
    double minimum, maximum;           /* also -DBL_MAX, DBL_MAX and PARAMETER_LARGEST: no limit that matters */
    const char *(*word)(size_t index); /* the words of a text or texts, NULL behind the last; NULL: any; the method
                                          itself says what is wrong with one */
    const char *unit;                  /* NULL: none */
    bool of_samples;                   /* says something of samples, and nothing of a record without */
    unsigned since;                    /* minor version of the protocol */
    const char *note;                  /* what it is, a phrase; NULL: the name says it */
};

/* The row of the number that a thing of the daemon has: a decay's id, an upload's. */
#define PARAMETER_ID(which, what)                                                                                      \
    {                                                                                                                  \
        .name = which, .type = PARAMETER_INTEGER, .required = true, .minimum = 1, .maximum = PARAMETER_LARGEST,        \
        .note = what                                                                                                   \
    }

/* All those of a method. */
struct parameter_list {
    const struct parameter *rows;
    size_t count;
    const char *rules; /* which of them go together, as members of their schema; the method holds to it; NULL: any */
};

/* A list of the rows of an array, which needs no name. */
#define PARAMETERS(rows)                                                                                               \
    &(const struct parameter_list)                                                                                     \
    {                                                                                                                  \
        rows, sizeof rows / sizeof rows[0], NULL                                                                       \
    }

/* The parameters one after the other, those of the figures each for itself. `known` may be NULL for none. A cursor
 * begins as {0}; what it tells lives as long as it does. False at the end. */
struct parameter_cursor {
    size_t row, element; /* places behind `parameter` */
    struct parameter parameter;
    char name[32];
    struct unit_text unit;
};
bool parameter_next(const struct parameter_list *known, struct parameter_cursor *cursor);

/* Checks the parameters of a request before anything happens: known names, right types, allowed values. `known` may
 * be NULL, and `params` NULL or an empty list, for "none". 0, or the code of an error and a complaint. */
enum jsonrpc_error parameters_check(const struct parameter_list *known, const json_t *params,
                                    struct complaint *complaint);

/* Values of parameters that were checked; the default when not given. */
const char *parameter_text(const json_t *params, const char *name, const char *otherwise);
json_int_t parameter_integer(const json_t *params, const char *name, json_int_t otherwise);
double parameter_number(const json_t *params, const char *name, double otherwise);
bool parameter_flag(const json_t *params, const char *name, bool otherwise);

#endif
