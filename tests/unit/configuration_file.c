/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "configuration_file.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct configuration_file configuration_file_of(const char *path)
{
    struct configuration_file file = {0};
    ck_assert_uint_lt((size_t)snprintf(file.path, sizeof file.path, "%s", path), sizeof file.path);
    return file;
}

void configuration_file_rewrite(const struct configuration_file *file, const char *text)
{
    FILE *stream = fopen(file->path, "w");
    ck_assert_ptr_nonnull(stream);
    ck_assert_int_ge(fputs(text, stream), 0);
    ck_assert_int_eq(fclose(stream), 0);
}

static void write_into(struct configuration_file *file, const char *name, const char *text)
{
    ck_assert_uint_lt((size_t)snprintf(file->path, sizeof file->path, "%s/%s", file->folder, name), sizeof file->path);
    file->written = true;
    if (text)
        configuration_file_rewrite(file, text);
}

struct configuration_file configuration_file_write(const char *name, const char *text)
{
    struct configuration_file file = {0};
    const char *temporary = getenv("TMPDIR");
    int length =
        snprintf(file.folder, sizeof file.folder, "%s/test_configuration.XXXXXX", temporary ? temporary : "/tmp");
    ck_assert_uint_lt((size_t)length, sizeof file.folder);
    ck_assert_ptr_nonnull(mkdtemp(file.folder));
    write_into(&file, name, text);
    return file;
}

struct configuration_file configuration_file_write_beside(const struct configuration_file *other, const char *name,
                                                          const char *text)
{
    struct configuration_file file = {0};
    strcpy(file.folder, other->folder);
    write_into(&file, name, text);
    return file;
}

struct configuration *configuration_file_load(struct configuration_file *file)
{
    free(file->complaints);
    size_t length;
    FILE *complaints = open_memstream(&file->complaints, &length);
    ck_assert_ptr_nonnull(complaints);
    struct configuration *configuration = configuration_load(file->path, complaints);
    ck_assert_int_eq(fclose(complaints), 0);
    return configuration;
}

void configuration_file_remove(struct configuration_file *file)
{
    if (file->written)
        unlink(file->path);
    if (file->folder[0])
        rmdir(file->folder);
    free(file->complaints);
    *file = (struct configuration_file){0};
}
