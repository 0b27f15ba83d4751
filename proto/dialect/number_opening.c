/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which files of numbers there are. Libraries read them at any place, so that one that is packed is unpacked into
 * memory first. */

#include "config.h"

#include "proto/dialect/number_opening.h"

#include "proto/cause.h"
#include "proto/dialect/byte_source.h"
#include "proto/dialect/gunzip.h"
#include "proto/dialect/hdf5_file.h"
#include "proto/dialect/matlab_file.h"
#include "proto/dialect/sound_file.h"
#include "proto/utf8.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    FIRST_BYTES = 520, /* how much of a file its kind is known by: MATLAB puts 512 bytes before an HDF5 file */
    PIECE_BYTES = 1 << 16,
    MOST_UNPACKED_MIB = 1024, /* a small file may hold any number of zeros */
};

static const struct kind {
    bool (*knows)(const char *bytes, size_t count);
    struct number_file *(*open)(int descriptor, int *error, struct complaint *complaint);
} kinds[] = {
    {sound_file_knows, sound_file_open},
    {hdf5_file_knows, hdf5_file_open},
    {matlab_file_knows, matlab_file_open},
};

static const struct kind *kind_of(const char *bytes, size_t count)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].knows(bytes, count))
            return &kinds[i];
    return NULL;
}

/* --- files that are packed --- */

static int cannot_unpack(struct complaint *complaint)
{
    complaint_set(complaint, "cannot be unpacked into memory: %s", cause_of(errno));
    return -errno;
}

static int write_all(int to, const char *bytes, size_t count, struct complaint *complaint)
{
    while (count > 0) {
        const ssize_t written = write(to, bytes, count);
        if (written < 0)
            return cannot_unpack(complaint);
        bytes += written;
        count -= (size_t)written;
    }
    return 0;
}

/* The rest of a source behind `count` bytes that were taken from it. */
static int copy(struct byte_source *source, char *bytes, size_t count, int to, struct complaint *complaint)
{
    size_t left = (size_t)MOST_UNPACKED_MIB << 20;
    long got = (long)count;
    for (; got > 0; got = byte_source_read(source, bytes, PIECE_BYTES, complaint)) {
        if ((size_t)got > left) {
            complaint_set(complaint, "is packed by gzip and holds more than %d MiB: unpack it with gunzip first",
                          MOST_UNPACKED_MIB);
            return -EFBIG;
        }
        const int error = write_all(to, bytes, (size_t)got, complaint);
        if (error)
            return error;
        left -= (size_t)got;
    }
    return (int)got;
}

/* A descriptor of memory that holds the whole of a source; or a negative errno and a complaint. */
static int copy_to_memory(struct byte_source *source, char *bytes, size_t count, struct complaint *complaint)
{
    const int memory = memfd_create("fricid-unpacked", MFD_CLOEXEC);
    if (memory < 0)
        return cannot_unpack(complaint);
    const int error = copy(source, bytes, count, memory, complaint);
    if (!error && lseek(memory, 0, SEEK_SET) == 0)
        return memory;
    close(memory);
    return error ? error : -EIO;
}

/* What is packed in a source, as a file of numbers. NULL with 0 in *error: it is none, or nobody knows, and then
 * whoever reads text finds out. */
static struct number_file *unpack(struct byte_source *source, int *error, struct complaint *complaint)
{
    struct complaint ignored;
    char *bytes = malloc(PIECE_BYTES);
    const long count = bytes ? byte_source_fill(source, bytes, FIRST_BYTES, &ignored) : 0;
    const struct kind *kind = count > 0 ? kind_of(bytes, (size_t)count) : NULL;
    const int memory = kind ? copy_to_memory(source, bytes, (size_t)count, complaint) : 0;
    free(bytes);
    *error = memory < 0 ? memory : 0;
    return kind && memory >= 0 ? kind->open(memory, error, complaint) : NULL;
}

static void say_packed(struct number_file *file)
{
    char said[sizeof file->said + sizeof "gzip, "];
    snprintf(said, sizeof said, "gzip, %s", file->said);
    utf8_copy(file->said, sizeof file->said, said);
}

/* A duplicate is read, and moves the place that it shares with the descriptor. */
static struct number_file *open_packed(int descriptor, int *error, struct complaint *complaint)
{
    struct complaint ignored;
    const int other = dup(descriptor);
    struct byte_source *packed = other < 0 ? NULL : byte_source_of_file(other);
    struct byte_source *source = packed ? gunzip_open(packed, error, &ignored) : NULL;
    *error = 0;
    struct number_file *file = source ? unpack(source, error, complaint) : NULL;
    byte_source_close(source);
    lseek(descriptor, 0, SEEK_SET);
    if (file)
        say_packed(file);
    if (file || *error)
        close(descriptor);
    return file;
}

struct number_file *number_file_open(int descriptor, int *error, struct complaint *complaint)
{
    char bytes[FIRST_BYTES];
    const ssize_t got = pread(descriptor, bytes, sizeof bytes, 0);
    *error = 0;
    if (got <= 0)
        return NULL;
    const struct kind *kind = kind_of(bytes, (size_t)got);
    if (kind)
        return kind->open(descriptor, error, complaint);
    return gunzip_knows(bytes, (size_t)got) ? open_packed(descriptor, error, complaint) : NULL;
}
