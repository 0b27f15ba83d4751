/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_NUMBER_FILE_H
#define FRICID_PROTO_NUMBER_FILE_H

#include "proto/complaint.h"
#include "proto/recording_parts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Files that hold numbers rather than text: sound (WAV), variables of MATLAB, data sets of HDF5. Each is a number of
 * columns, of which a recording has some. What a file is, its first bytes say and not its name. */

enum { NUMBER_COLUMNS_MOST = 256, NUMBER_LONGEST_UNIT = 31 };

/* What is packed is so by deflate, which makes at most so much of a byte: what a header claims beyond it is not there.
 */
enum { NUMBER_MOST_OF_A_BYTE = 1032 };

struct number_column {
    char path[128];    /* what it is called in the file: "lvdt", "monday/lvdt" */
    char label[96];    /* its name, with the unit that the file tells beside it: "lvdt (mm)" */
    size_t rows;       /* how many numbers it has */
    double resolution; /* its smallest step, in its unit; 0: not known */
    double precision;  /* the relative rounding of its numbers, where they are no doubles; 0: they are */
    bool counts;       /* they are whole numbers of 64 bits, of which a double would lose digits */
    int64_t taken_off; /* each of these before it becomes a double; whoever reads them sets it */
};

struct number_file {
    const struct number_methods *methods;
    struct number_column columns[NUMBER_COLUMNS_MOST];
    size_t count;
    double rate_hz; /* what the file says of its rate; 0: nothing */
    char said[160]; /* for people: "WAV, 16 bit" */
};

struct number_methods {
    /* Reads numbers [first, first + count) of `wanted` columns, column columns[k] to values[k], all of which are as
     * long. 0, or a negative errno and a complaint that names no file. */
    int (*read)(struct number_file *file, size_t first, size_t count, const size_t *columns, size_t wanted,
                double *const *values, struct complaint *complaint);
    /* The first number of a column that counts, with all of its digits; NULL where none does. 0, or a negative errno
     * and a complaint. */
    int (*first)(struct number_file *file, size_t column, int64_t *first, struct complaint *complaint);
    void (*close)(struct number_file *file);
};

static inline int number_file_read(struct number_file *file, size_t first, size_t count, const size_t *columns,
                                   size_t wanted, double *const *values, struct complaint *complaint)
{
    return file->methods->read(file, first, count, columns, wanted, values, complaint);
}

void number_file_close(struct number_file *file); /* NULL is fine */

/* Of those who open them: a column more, NULL when there is no room for it. */
struct number_column *number_file_add(struct number_file *file, const char *path, size_t rows);

/* The unit that a file tells beside a column, of at most NUMBER_LONGEST_UNIT bytes, goes into its label. */
void number_column_name_unit(struct number_column *column, const char *unit);

#endif
