/* SPDX-License-Identifier: GPL-3.0-or-later */

/* MATLAB's files of before version 7.3, and Octave's and SciPy's, by libmatio. */

#include "config.h"

#include "proto/dialect/matlab_file.h"

#include "proto/dialect/shared_library.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Where the version and the order of bytes stand, and the first variable. */
enum { PLACE_OF_ORDER = 126, HEADER_BYTES = 128 };

bool matlab_file_knows(const char *bytes, size_t count)
{
    return count >= HEADER_BYTES && memcmp(bytes, "MATLAB ", 7) == 0 &&
           (memcmp(bytes + PLACE_OF_ORDER, "IM", 2) == 0 || memcmp(bytes + PLACE_OF_ORDER, "MI", 2) == 0);
}

#if HAVE_MATIO

#include "proto/dialect/matlab_elements.h"

#include <float.h>
#include <matio.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SYMBOLS(SYMBOL)                                                                                                \
    SYMBOL(Mat_Close) SYMBOL(Mat_Open) SYMBOL(Mat_VarFree) SYMBOL(Mat_VarReadDataAll) SYMBOL(Mat_VarReadNextInfo)
struct matlab_calls {
    SYMBOLS(LIBRARY_POINTER)
};

/* Which part of which variable a column is. */
struct place {
    size_t variable, part;
};

struct matlab_file {
    struct number_file file; /* first: a file of numbers is this */
    struct matlab_calls calls;
    int descriptor;
    mat_t *mat;
    size_t file_bytes;
    size_t others;    /* variables that libmatio does not see, for they are no arrays of numbers */
    char complex[40]; /* the first variable of complex numbers; empty: there is none */
    char lying[40];   /* likewise the first with more columns than a recording may have */
    matvar_t *variables[NUMBER_COLUMNS_MOST]; /* owned; read when they are asked for */
    size_t variable_count;
    struct place places[NUMBER_COLUMNS_MOST]; /* of each column */
};

static int refuse(struct complaint *complaint, const char *sentence)
{
    complaint_set(complaint, "is a file of MATLAB %s", sentence);
    return -EBADMSG;
}

/* --- numbers --- */

/* Of 64 bits; what is beyond those of a signed one is none that a clock counts. */
static int64_t count_at(const matvar_t *variable, size_t index)
{
    return variable->class_type == MAT_C_INT64 ? ((const int64_t *)variable->data)[index]
                                               : (int64_t)((const uint64_t *)variable->data)[index];
}

static double number_at(const matvar_t *variable, size_t index)
{
    const void *data = variable->data;
    switch (variable->class_type) {
    case MAT_C_DOUBLE:
        return ((const double *)data)[index];
    case MAT_C_SINGLE:
        return (double)((const float *)data)[index];
    case MAT_C_INT8:
        return ((const int8_t *)data)[index];
    case MAT_C_UINT8:
        return ((const uint8_t *)data)[index];
    case MAT_C_INT16:
        return ((const int16_t *)data)[index];
    case MAT_C_UINT16:
        return ((const uint16_t *)data)[index];
    case MAT_C_INT32:
        return ((const int32_t *)data)[index];
    case MAT_C_UINT32:
        return ((const uint32_t *)data)[index];
    case MAT_C_INT64:
        return (double)((const int64_t *)data)[index];
    default:
        return (double)((const uint64_t *)data)[index];
    }
}

/* Bytes of one number in memory; 0: it is no number. */
static size_t bytes_of(enum matio_classes class)
{
    switch (class) {
    case MAT_C_DOUBLE:
    case MAT_C_INT64:
    case MAT_C_UINT64:
        return 8;
    case MAT_C_SINGLE:
    case MAT_C_INT32:
    case MAT_C_UINT32:
        return 4;
    case MAT_C_INT16:
    case MAT_C_UINT16:
        return 2;
    case MAT_C_INT8:
    case MAT_C_UINT8:
        return 1;
    default:
        return 0;
    }
}

/* A variable is read whole, when the first of its numbers is asked for. */
static int fetch(const struct matlab_file *matlab, matvar_t *variable, struct complaint *complaint)
{
    const size_t bytes = variable->dims[0] * variable->dims[1] * bytes_of(variable->class_type);
    if (variable->data)
        return 0;
    if (matlab->calls.Mat_VarReadDataAll(matlab->mat, variable) == 0 && variable->data && variable->nbytes == bytes)
        return 0;
    complaint_set(complaint,
                  "is a file of MATLAB whose variable %.60s cannot be read: it is damaged, or memory is short",
                  variable->name);
    return -EBADMSG;
}

static int read_matlab(struct number_file *file, size_t first, size_t count, const size_t *columns, size_t wanted,
                       double *const *values, struct complaint *complaint)
{
    struct matlab_file *matlab = (struct matlab_file *)file;
    for (size_t k = 0; k < wanted; k++) {
        const struct place *place = &matlab->places[columns[k]];
        matvar_t *variable = matlab->variables[place->variable];
        const size_t begin = place->part * file->columns[columns[k]].rows + first;
        const int error = fetch(matlab, variable, complaint);
        if (error)
            return error;
        const int64_t taken_off = file->columns[columns[k]].taken_off;
        for (size_t row = 0; row < count; row++)
            values[k][row] = taken_off != 0
                                 ? (double)(int64_t)((uint64_t)count_at(variable, begin + row) - (uint64_t)taken_off)
                                 : number_at(variable, begin + row);
    }
    return 0;
}

static int read_first(struct number_file *file, size_t column, int64_t *first, struct complaint *complaint)
{
    struct matlab_file *matlab = (struct matlab_file *)file;
    const struct place *place = &matlab->places[column];
    matvar_t *variable = matlab->variables[place->variable];
    const int error = fetch(matlab, variable, complaint);
    if (!error)
        *first = count_at(variable, place->part * file->columns[column].rows);
    return error;
}

static void close_matlab(struct number_file *file)
{
    struct matlab_file *matlab = (struct matlab_file *)file;
    for (size_t i = 0; i < matlab->variable_count; i++)
        matlab->calls.Mat_VarFree(matlab->variables[i]);
    if (matlab->mat)
        matlab->calls.Mat_Close(matlab->mat);
    close(matlab->descriptor);
    free(matlab);
}

/* --- variables --- */

/* Why a variable with numbers is no column, for whoever finds none. */
static void note_passed_over(struct matlab_file *matlab, const matvar_t *variable)
{
    if (bytes_of(variable->class_type) == 0 || variable->rank != 2 || !variable->name)
        return;
    if (variable->isComplex && !*matlab->complex)
        snprintf(matlab->complex, sizeof matlab->complex, "%.39s", variable->name);
    else if (!*matlab->lying && variable->dims[0] > 1 && variable->dims[1] > RECORDING_MAX_CHANNELS + 1)
        snprintf(matlab->lying, sizeof matlab->lying, "%.39s", variable->name);
}

/* The relative rounding of its numbers as doubles. */
static double precision_of(enum matio_classes class)
{
    return class == MAT_C_SINGLE ? FLT_EPSILON : class == MAT_C_INT64 || class == MAT_C_UINT64 ? DBL_EPSILON : 0;
}

/* A vector is a column; of a matrix each column is one. False: it is nothing that could be a column. */
static bool add_columns(struct matlab_file *matlab, const matvar_t *variable)
{
    const size_t size = bytes_of(variable->class_type);
    if (size == 0 || variable->rank != 2 || variable->isComplex || variable->isLogical || !variable->name)
        return false;
    const size_t *dims = variable->dims;
    const size_t most = matlab->file_bytes * NUMBER_MOST_OF_A_BYTE / size;
    if (dims[0] == 0 || dims[1] == 0 || dims[0] > most / dims[1])
        return false;
    const bool lies = dims[0] == 1;
    const size_t rows = lies ? dims[1] : dims[0], parts = lies ? 1 : dims[1];
    if (parts > RECORDING_MAX_CHANNELS + 1 || matlab->file.count + parts > NUMBER_COLUMNS_MOST)
        return false;
    for (size_t part = 0; part < parts; part++) {
        char name[112];
        if (parts == 1)
            snprintf(name, sizeof name, "%.80s", variable->name);
        else
            snprintf(name, sizeof name, "%.80s %zu", variable->name, part + 1);
        matlab->places[matlab->file.count] = (struct place){matlab->variable_count, part};
        struct number_column *column = number_file_add(&matlab->file, name, rows);
        column->precision = precision_of(variable->class_type);
        column->counts = column->precision == DBL_EPSILON;
    }
    return true;
}

/* There is no column in it. */
static int refuse_none(const struct matlab_file *matlab, size_t passed_over, struct complaint *complaint)
{
    const char *lying = matlab->lying, *complex = matlab->complex;
    if (*lying) {
        complaint_set(complaint,
                      "is a file of MATLAB whose %s has more columns than a recording may have: each column is a "
                      "channel, and where each row is one, turn it, as in %s = %s.'; save(\"FILE.mat\", \"%s\")",
                      lying, lying, lying, lying);
        return -EBADMSG;
    }
    if (*complex) {
        complaint_set(complaint,
                      "is a file of MATLAB whose %s is of complex numbers: save its real part, as in %s = real(%s)",
                      complex, complex, complex);
        return -EBADMSG;
    }
    return refuse(complaint, passed_over > 0
                                 ? "without vectors of numbers, only with a struct, a table or the like: save its "
                                   "columns by themselves, as in t = s.t; x = s.x; save(\"FILE.mat\", \"t\", \"x\")"
                                 : "without variables");
}

static int list_variables(struct matlab_file *matlab, struct complaint *complaint)
{
    size_t passed_over = matlab->others;
    matvar_t *variable;
    while (matlab->variable_count < NUMBER_COLUMNS_MOST &&
           (variable = matlab->calls.Mat_VarReadNextInfo(matlab->mat)) != NULL) {
        if (add_columns(matlab, variable)) {
            matlab->variables[matlab->variable_count++] = variable;
        } else {
            note_passed_over(matlab, variable);
            matlab->calls.Mat_VarFree(variable);
            passed_over++;
        }
    }
    if (matlab->file.count == 0)
        return refuse_none(matlab, passed_over, complaint);
    snprintf(matlab->file.said, sizeof matlab->file.said, "MATLAB");
    if (*matlab->complex)
        snprintf(matlab->file.said, sizeof matlab->file.said, "MATLAB, without %s, which is of complex numbers",
                 matlab->complex);
    else if (passed_over > 0)
        snprintf(matlab->file.said, sizeof matlab->file.said, "MATLAB, without %zu variables that are no vectors",
                 passed_over);
    return 0;
}

/* --- opening --- */

static int load_library(struct matlab_calls *calls, struct complaint *complaint)
{
    static const char *const names[] = {SYMBOLS(LIBRARY_NAME)};
    struct complaint reason;
    if (shared_library_load(MATIO_LIBRARY, names, sizeof names / sizeof names[0], calls, &reason) == 0)
        return 0;
    complaint_set(complaint, "is a file of MATLAB, and %s", reason.text);
    return -ENOTSUP;
}

/* libmatio takes a name only; this one is of the file that is open, whatever becomes of its own. */
static int open_numbers(struct matlab_file *matlab, struct complaint *complaint)
{
    struct matlab_elements elements;
    char path[64];
    int error = load_library(&matlab->calls, complaint);
    if (!error)
        error = matlab_elements_check(matlab->descriptor, &elements, complaint);
    if (error)
        return error;
    matlab->file_bytes = elements.bytes;
    matlab->others = elements.others;
    if (elements.others > 0) {
        const int copy = matlab_elements_copy(matlab->descriptor, &elements, complaint);
        if (copy < 0)
            return copy;
        close(matlab->descriptor);
        matlab->descriptor = copy;
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", matlab->descriptor);
    matlab->mat = matlab->calls.Mat_Open(path, MAT_ACC_RDONLY);
    return matlab->mat
               ? 0
               : refuse(complaint, "that cannot be opened: it is damaged, or of a version that libmatio does not "
                                   "know");
}

struct number_file *matlab_file_open(int descriptor, int *error, struct complaint *complaint)
{
    static const struct number_methods methods = {read_matlab, read_first, close_matlab};
    struct matlab_file *matlab = calloc(1, sizeof *matlab);
    if (!matlab) {
        complaint_set(complaint, "memory is short");
        *error = -ENOMEM;
        close(descriptor);
        return NULL;
    }
    matlab->file.methods = &methods;
    matlab->descriptor = descriptor;
    *error = open_numbers(matlab, complaint);
    if (!*error)
        *error = list_variables(matlab, complaint);
    if (!*error)
        return &matlab->file;
    close_matlab(&matlab->file);
    return NULL;
}

#else

struct number_file *matlab_file_open(int descriptor, int *error, struct complaint *complaint)
{
    complaint_set(complaint,
                  "is a file of MATLAB, and fricid was built without libmatio: save time and samples as text, "
                  "as with writematrix([t x], \"FILE.csv\")");
    *error = -ENOTSUP;
    close(descriptor);
    return NULL;
}

#endif
