/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_HDF5_CALLS_H
#define FRICID_PROTO_HDF5_CALLS_H

#include "proto/dialect/shared_library.h"

#include <hdf5.h>

/* What reading needs of HDF5's library, for hdf5_file.c. */

/* The constants of the library's headers would call these two before each use. */
#undef H5CHECK
#define H5CHECK
#undef H5OPEN
#define H5OPEN

/* clang-format off */
#define HDF5_SYMBOLS(SYMBOL) \
    SYMBOL(H5Aclose) SYMBOL(H5Aexists) SYMBOL(H5Aget_space) SYMBOL(H5Aget_type) SYMBOL(H5Aopen) SYMBOL(H5Aread) \
    SYMBOL(H5check_version) SYMBOL(H5Dclose) SYMBOL(H5Dget_create_plist) SYMBOL(H5Dget_space) \
    SYMBOL(H5Dget_storage_size) SYMBOL(H5Dget_type) SYMBOL(H5Dopen2) SYMBOL(H5Dread) SYMBOL(H5Eset_auto2) \
    SYMBOL(H5Fclose) SYMBOL(H5Fopen) SYMBOL(H5free_memory) SYMBOL(H5open) SYMBOL(H5Ovisit2) \
    SYMBOL(H5PLset_loading_state) SYMBOL(H5P_CLS_FILE_ACCESS_ID_g) SYMBOL(H5Pclose) SYMBOL(H5Pcreate) \
    SYMBOL(H5Pget_external_count) SYMBOL(H5Pget_layout) SYMBOL(H5Pset_cache) SYMBOL(H5Pset_file_locking) \
    SYMBOL(H5Sclose) SYMBOL(H5Screate_simple) SYMBOL(H5Sget_simple_extent_dims) SYMBOL(H5Sget_simple_extent_ndims) \
    SYMBOL(H5Sget_simple_extent_npoints) SYMBOL(H5Sselect_hyperslab) SYMBOL(H5T_NATIVE_DOUBLE_g) SYMBOL(H5T_NATIVE_INT64_g) \
    SYMBOL(H5Tclose) SYMBOL(H5Tget_class) SYMBOL(H5Tget_size) SYMBOL(H5Tis_variable_str)
/* clang-format on */
struct hdf5_calls {
    HDF5_SYMBOLS(LIBRARY_POINTER)
};

#endif
