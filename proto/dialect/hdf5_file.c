/* SPDX-License-Identifier: GPL-3.0-or-later */

/* HDF5's data sets by its own library. MATLAB writes its matrices column by column, which HDF5 reads as rows. */

#include "config.h"

#include "proto/dialect/hdf5_file.h"

#include "proto/utf8.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* MATLAB puts a header of its own before the file. */
enum { MATLAB_HEADER_BYTES = 512 };

bool hdf5_file_knows(const char *bytes, size_t count)
{
    static const char signature[] = "\x89HDF\r\n\x1A\n";
    const size_t length = sizeof signature - 1;
    return (count >= length && memcmp(bytes, signature, length) == 0) ||
           (count >= MATLAB_HEADER_BYTES + length && memcmp(bytes + MATLAB_HEADER_BYTES, signature, length) == 0);
}

#if HAVE_HDF5

#include "proto/dialect/hdf5_calls.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Packed data come in chunks, which are unpacked once only where they fit into the library's memory. */
enum { CACHE_BYTES = 64 << 20, CACHE_SLOTS = 521 };

/* Which part of which data set a column is. */
struct place {
    hid_t set;
    hsize_t part;
    int rank;
    bool turned;           /* its rows are the last dimension */
    bool owns;             /* it is the last column of its set, which it closes */
    double missing[2];     /* stand where there is no value; NAN: none does */
    double factor, offset; /* a value is factor * number + offset; not finite: the file says them, but not as numbers */
};

struct hdf5_file {
    struct number_file file; /* first: a file of numbers is this */
    struct hdf5_calls calls;
    int descriptor;
    hid_t hdf5;
    hsize_t file_bytes;
    bool scaled;                              /* some column has a factor or an offset */
    size_t passed_over;                       /* sets that are no columns, or hold nothing */
    struct place places[NUMBER_COLUMNS_MOST]; /* of each column */
};

/* The library would print its errors, and load code to unpack data. Both are settled for each thread. */
static void settle_library(const struct hdf5_calls *h5)
{
    h5->H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    h5->H5PLset_loading_state(0);
}

static int refuse(struct complaint *complaint, const char *sentence)
{
    complaint_set(complaint, "is an HDF5 file %s", sentence);
    return -EBADMSG;
}

/* --- numbers --- */

static bool read_raw(const struct hdf5_calls *h5, const struct place *place, size_t first, size_t count, hid_t type,
                     void *values)
{
    const hsize_t begin[2] = {place->turned ? place->part : first, place->turned ? first : place->part};
    const hsize_t extent[2] = {place->turned ? 1 : count, place->turned ? count : 1}, length = count;
    const hid_t all = h5->H5Dget_space(place->set), here = h5->H5Screate_simple(1, &length, NULL);
    const bool read = all >= 0 && here >= 0 &&
                      h5->H5Sselect_hyperslab(all, H5S_SELECT_SET, begin, NULL, extent, NULL) >= 0 &&
                      h5->H5Dread(place->set, type, here, all, H5P_DEFAULT, values) >= 0;
    if (here >= 0)
        h5->H5Sclose(here);
    if (all >= 0)
        h5->H5Sclose(all);
    return read;
}

static bool is_missing(const struct place *place, double number)
{
    return number == place->missing[0] || number == place->missing[1];
}

/* Whole numbers come into the room of the doubles that they become. */
static bool read_counts(const struct hdf5_calls *h5, const struct place *place, size_t first, size_t count,
                        int64_t taken_off, double *values)
{
    const bool read = read_raw(h5, place, first, count, *h5->H5T_NATIVE_INT64_g, values);
    for (size_t i = 0; read && i < count; i++) {
        int64_t number;
        memcpy(&number, &values[i], sizeof number);
        const int64_t rest = (int64_t)((uint64_t)number - (uint64_t)taken_off);
        values[i] = is_missing(place, (double)number) ? NAN : (double)rest;
    }
    return read;
}

static bool read_part(const struct hdf5_calls *h5, const struct place *place, const struct number_column *column,
                      size_t first, size_t count, double *values)
{
    if (column->taken_off != 0)
        return read_counts(h5, place, first, count, column->taken_off, values);
    const bool read = read_raw(h5, place, first, count, *h5->H5T_NATIVE_DOUBLE_g, values);
    for (size_t i = 0; read && i < count; i++)
        values[i] = is_missing(place, values[i]) ? NAN : place->factor * values[i] + place->offset;
    return read;
}

static bool is_scale_known(const struct place *place)
{
    return isfinite(place->factor) && place->factor != 0 && isfinite(place->offset);
}

/* What cannot be read, and how. */
static int refuse_column(const struct number_file *file, size_t column, struct complaint *complaint)
{
    complaint_set(
        complaint,
        "is an HDF5 file whose %.60s cannot be read: it is damaged, or packed in a way that this library does "
        "not know",
        file->columns[column].path);
    return -EBADMSG;
}

static int read_first(struct number_file *file, size_t column, int64_t *first, struct complaint *complaint)
{
    const struct hdf5_file *hdf5 = (struct hdf5_file *)file;
    settle_library(&hdf5->calls);
    const bool read = read_raw(&hdf5->calls, &hdf5->places[column], 0, 1, *hdf5->calls.H5T_NATIVE_INT64_g, first);
    return read ? 0 : refuse_column(file, column, complaint);
}

static int read_hdf5(struct number_file *file, size_t first, size_t count, const size_t *columns, size_t wanted,
                     double *const *values, struct complaint *complaint)
{
    const struct hdf5_file *hdf5 = (struct hdf5_file *)file;
    settle_library(&hdf5->calls);
    for (size_t k = 0; k < wanted; k++) {
        if (!is_scale_known(&hdf5->places[columns[k]])) {
            complaint_set(complaint,
                          "is an HDF5 file in which the scale_factor or the add_offset of %.60s is no number that "
                          "values could be scaled by",
                          file->columns[columns[k]].path);
            return -EBADMSG;
        }
        if (!read_part(&hdf5->calls, &hdf5->places[columns[k]], &file->columns[columns[k]], first, count, values[k]))
            return refuse_column(file, columns[k], complaint);
    }
    return 0;
}

static void close_hdf5(struct number_file *file)
{
    struct hdf5_file *hdf5 = (struct hdf5_file *)file;
    for (size_t c = 0; c < file->count; c++)
        if (hdf5->places[c].owns)
            hdf5->calls.H5Dclose(hdf5->places[c].set);
    if (hdf5->hdf5 >= 0)
        hdf5->calls.H5Fclose(hdf5->hdf5);
    close(hdf5->descriptor);
    free(hdf5);
}

/* --- what a data set is --- */

/* A text attribute; empty: there is none of that name, or it is longer than a unit. */
static void read_text(const struct hdf5_calls *h5, hid_t object, const char *name, char *text, size_t room)
{
    const hid_t attribute = h5->H5Aexists(object, name) > 0 ? h5->H5Aopen(object, name, H5P_DEFAULT) : -1;
    const hid_t type = attribute >= 0 ? h5->H5Aget_type(attribute) : -1,
                space = attribute >= 0 ? h5->H5Aget_space(attribute) : -1;
    *text = '\0';
    if (type >= 0 && space >= 0 && h5->H5Tget_class(type) == H5T_STRING &&
        h5->H5Sget_simple_extent_npoints(space) == 1) {
        if (h5->H5Tis_variable_str(type) > 0) {
            char *found = NULL;
            if (h5->H5Aread(attribute, type, &found) >= 0 && found)
                snprintf(text, room, "%s", strlen(found) < room ? found : "");
            h5->H5free_memory(found);
        } else if (h5->H5Tget_size(type) < room) {
            memset(text, 0, room);
            if (h5->H5Aread(attribute, type, text) < 0)
                *text = '\0';
        }
    }
    if (space >= 0)
        h5->H5Sclose(space);
    if (type >= 0)
        h5->H5Tclose(type);
    if (attribute >= 0)
        h5->H5Aclose(attribute);
}

/* A numeric attribute; `otherwise`: there is none of that name. NAN: it is not one number. */
static double read_number(const struct hdf5_calls *h5, hid_t object, const char *name, double otherwise)
{
    if (h5->H5Aexists(object, name) <= 0)
        return otherwise;
    double number = NAN;
    const hid_t attribute = h5->H5Aopen(object, name, H5P_DEFAULT),
                space = attribute >= 0 ? h5->H5Aget_space(attribute) : -1;
    if (space < 0 || h5->H5Sget_simple_extent_npoints(space) != 1 ||
        h5->H5Aread(attribute, *h5->H5T_NATIVE_DOUBLE_g, &number) < 0)
        number = NAN;
    if (space >= 0)
        h5->H5Sclose(space);
    if (attribute >= 0)
        h5->H5Aclose(attribute);
    return number;
}

/* The relative rounding of its numbers; negative: they are none, or lie in another file. Integers of 64 bits have more
 * digits than the doubles that they become. */
static double precision_of(const struct hdf5_calls *h5, hid_t set)
{
    const hid_t type = h5->H5Dget_type(set), made = h5->H5Dget_create_plist(set);
    const H5T_class_t class = type >= 0 ? h5->H5Tget_class(type) : H5T_NO_CLASS;
    double precision = -1;
    if (class == H5T_INTEGER)
        precision = h5->H5Tget_size(type) < sizeof(int64_t) ? 0 : DBL_EPSILON;
    if (class == H5T_FLOAT)
        precision = h5->H5Tget_size(type) < sizeof(double) ? FLT_EPSILON : 0;
    if (made < 0 || h5->H5Pget_external_count(made) != 0 || h5->H5Pget_layout(made) == H5D_VIRTUAL)
        precision = -1;
    if (made >= 0)
        h5->H5Pclose(made);
    if (type >= 0)
        h5->H5Tclose(type);
    return precision;
}

/* Its dimensions, of which there are one or two. False: others. */
static bool read_dimensions(const struct hdf5_calls *h5, hid_t set, hsize_t dims[2], int *rank)
{
    const hid_t space = h5->H5Dget_space(set);
    const int found = space >= 0 ? h5->H5Sget_simple_extent_ndims(space) : -1;
    dims[1] = 1;
    *rank = found;
    const bool read = (found == 1 || found == 2) && h5->H5Sget_simple_extent_dims(space, dims, NULL) == found;
    if (space >= 0)
        h5->H5Sclose(space);
    return read && dims[0] > 0 && dims[1] > 0;
}

static void name_unit(const struct hdf5_calls *h5, hid_t set, struct number_column *column)
{
    static const char *const names[] = {"units", "unit", "Units", "Unit"};
    char unit[NUMBER_LONGEST_UNIT + 1] = "";
    for (size_t i = 0; !*unit && i < sizeof names / sizeof names[0]; i++)
        read_text(h5, set, names[i], unit, sizeof unit);
    number_column_name_unit(column, unit);
}

/* A header may claim any size. No number is there without bytes in the file, of which each makes at most so many. */
static bool holds(const struct hdf5_file *hdf5, hid_t set, const hsize_t dims[2])
{
    const struct hdf5_calls *h5 = &hdf5->calls;
    const hid_t type = h5->H5Dget_type(set);
    const size_t size = type >= 0 ? h5->H5Tget_size(type) : 0;
    const hsize_t claimed = h5->H5Dget_storage_size(set),
                  stored = claimed < hdf5->file_bytes ? claimed : hdf5->file_bytes;
    if (type >= 0)
        h5->H5Tclose(type);
    return size > 0 && dims[0] <= stored * NUMBER_MOST_OF_A_BYTE / size / dims[1];
}

/* Adds the columns of a data set; false: it has none, and is the caller's to close. */
static bool add_columns(struct hdf5_file *hdf5, hid_t set, const char *path)
{
    const struct hdf5_calls *h5 = &hdf5->calls;
    const double precision = precision_of(h5, set);
    char class[16];
    hsize_t dims[2];
    int rank;
    read_text(h5, set, "MATLAB_class", class, sizeof class);
    if (precision < 0 || strcmp(class, "char") == 0 || strcmp(class, "logical") == 0 ||
        h5->H5Aexists(set, "MATLAB_empty") > 0 || !read_dimensions(h5, set, dims, &rank) || !holds(hdf5, set, dims))
        return false;
    const bool turned = rank == 2 && (*class || dims[0] == 1) && dims[1] > 1;
    const hsize_t rows = turned ? dims[1] : dims[0], parts = turned ? dims[0] : dims[1];
    if (parts > RECORDING_MAX_CHANNELS + 1 || hdf5->file.count + parts > NUMBER_COLUMNS_MOST)
        return false;
    /* netCDF packs numbers so. */
    const double factor = read_number(h5, set, "scale_factor", 1), offset = read_number(h5, set, "add_offset", 0);
    hdf5->scaled = hdf5->scaled || factor != 1 || offset != 0;
    for (hsize_t part = 0; part < parts; part++) {
        char whole[101], name[128];
        utf8_copy(whole, sizeof whole, path);
        if (parts == 1)
            snprintf(name, sizeof name, "%s", whole);
        else
            snprintf(name, sizeof name, "%s %llu", whole, (unsigned long long)part + 1);
        hdf5->places[hdf5->file.count] =
            (struct place){set,
                           part,
                           rank,
                           turned,
                           part + 1 == parts,
                           {read_number(h5, set, "_FillValue", NAN), read_number(h5, set, "missing_value", NAN)},
                           factor,
                           offset};
        struct number_column *column = number_file_add(&hdf5->file, name, (size_t)rows);
        column->precision = precision;
        column->counts = precision == DBL_EPSILON && factor == 1 && offset == 0;
        name_unit(h5, set, column);
    }
    return true;
}

/* What MATLAB keeps for itself begins with #. */
static herr_t visit(hid_t root, const char *path, const H5O_info_t *info, void *context)
{
    struct hdf5_file *hdf5 = context;
    if (info->type != H5O_TYPE_DATASET || *path == '#' || hdf5->file.count == NUMBER_COLUMNS_MOST)
        return 0;
    const hid_t set = hdf5->calls.H5Dopen2(root, path, H5P_DEFAULT);
    const bool added = set >= 0 && add_columns(hdf5, set, path);
    if (set >= 0 && !added)
        hdf5->calls.H5Dclose(set);
    hdf5->passed_over += !added;
    return 0;
}

/* --- opening --- */

static int list_sets(struct hdf5_file *hdf5, struct complaint *complaint)
{
    struct stat status;
    if (fstat(hdf5->descriptor, &status) != 0)
        return refuse(complaint, "that cannot be read");
    hdf5->file_bytes = (hsize_t)status.st_size;
    if (hdf5->calls.H5Ovisit2(hdf5->hdf5, H5_INDEX_NAME, H5_ITER_INC, visit, hdf5, H5O_INFO_BASIC) < 0)
        return refuse(complaint, "that is damaged: not all of its data sets are found");
    if (hdf5->file.count == 0)
        return refuse(complaint, "without vectors of numbers: a struct, a table or records are not read; save time and "
                                 "samples as vectors of one length");
    const char *scaled = hdf5->scaled ? ", scaled by scale_factor and add_offset" : "";
    snprintf(hdf5->file.said, sizeof hdf5->file.said, "HDF5%s", scaled);
    if (hdf5->passed_over > 0)
        snprintf(hdf5->file.said, sizeof hdf5->file.said, "HDF5%s, without %zu data sets that are empty or no vectors",
                 scaled, hdf5->passed_over);
    return 0;
}

/* The library takes a name only; this one is of the file that is open. Somebody may be writing it still, or the disk
 * may not allow locks: both are no reason not to read it. */
static hid_t open_descriptor(const struct hdf5_calls *h5, int descriptor)
{
    char path[64];
    const hid_t access = h5->H5Pcreate(*h5->H5P_CLS_FILE_ACCESS_ID_g);
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    const bool set = access >= 0 && h5->H5Pset_file_locking(access, false, true) >= 0 &&
                     h5->H5Pset_cache(access, 0, CACHE_SLOTS, CACHE_BYTES, 1) >= 0;
    const hid_t file = set ? h5->H5Fopen(path, H5F_ACC_RDONLY, access) : -1;
    if (access >= 0)
        h5->H5Pclose(access);
    return file;
}

static int load_library(struct hdf5_calls *h5, struct complaint *complaint)
{
    static const char *const names[] = {HDF5_SYMBOLS(LIBRARY_NAME)};
    struct complaint reason;
    if (shared_library_load(HDF5_LIBRARY, names, sizeof names / sizeof names[0], h5, &reason) != 0) {
        complaint_set(complaint, "is an HDF5 file, or one of MATLAB, and %s", reason.text);
        return -ENOTSUP;
    }
    h5->H5check_version(H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE);
    h5->H5open();
    settle_library(h5);
    return 0;
}

static int open_sets(struct hdf5_file *hdf5, struct complaint *complaint)
{
    const int error = load_library(&hdf5->calls, complaint);
    if (error)
        return error;
    hdf5->hdf5 = open_descriptor(&hdf5->calls, hdf5->descriptor);
    return hdf5->hdf5 >= 0 ? list_sets(hdf5, complaint)
                           : refuse(complaint, "that cannot be opened: it is cut, damaged, or being written");
}

struct number_file *hdf5_file_open(int descriptor, int *error, struct complaint *complaint)
{
    static const struct number_methods methods = {read_hdf5, read_first, close_hdf5};
    struct hdf5_file *hdf5 = calloc(1, sizeof *hdf5);
    if (!hdf5) {
        complaint_set(complaint, "memory is short");
        *error = -ENOMEM;
        close(descriptor);
        return NULL;
    }
    hdf5->file.methods = &methods;
    hdf5->descriptor = descriptor;
    hdf5->hdf5 = -1;
    *error = open_sets(hdf5, complaint);
    if (!*error)
        return &hdf5->file;
    close_hdf5(&hdf5->file);
    return NULL;
}

#else

struct number_file *hdf5_file_open(int descriptor, int *error, struct complaint *complaint)
{
    complaint_set(complaint,
                  "is an HDF5 file, or one of MATLAB, and fricid was built without HDF5: save time and samples "
                  "as text (CSV)");
    *error = -ENOTSUP;
    close(descriptor);
    return NULL;
}

#endif
