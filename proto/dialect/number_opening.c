/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which files of numbers there are. */

#include "proto/dialect/number_opening.h"

#include "proto/dialect/hdf5_file.h"
#include "proto/dialect/matlab_file.h"
#include "proto/dialect/sound_file.h"

#include <unistd.h>

/* How much of a file its kind is known by: MATLAB puts 512 bytes before an HDF5 file. */
enum { FIRST_BYTES = 520 };

static const struct {
    bool (*knows)(const char *bytes, size_t count);
    struct number_file *(*open)(int descriptor, int *error, struct complaint *complaint);
} kinds[] = {
    {sound_file_knows, sound_file_open},
    {hdf5_file_knows, hdf5_file_open},
    {matlab_file_knows, matlab_file_open},
};

struct number_file *number_file_open(int descriptor, int *error, struct complaint *complaint)
{
    char bytes[FIRST_BYTES];
    const ssize_t got = pread(descriptor, bytes, sizeof bytes, 0);
    *error = 0;
    for (size_t i = 0; got > 0 && i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].knows(bytes, (size_t)got))
            return kinds[i].open(descriptor, error, complaint);
    return NULL;
}
