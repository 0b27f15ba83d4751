/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_CONFIGURATION_FILE_H
#define FRICID_TESTS_CONFIGURATION_FILE_H

#include "config/configuration.h"

#include <stdbool.h>

/* A configuration file of a test, and what was said about it when it was loaded last. */
struct configuration_file {
    char folder[200];
    char path[256];
    char *complaints;
    bool written;
};

/* An existing file. */
struct configuration_file configuration_file_of(const char *path);

/* A new file in a new folder; text NULL: only the folder. */
struct configuration_file configuration_file_write(const char *name, const char *text);

/* A new file in the folder of another. */
struct configuration_file configuration_file_write_beside(const struct configuration_file *other, const char *name,
                                                          const char *text);

void configuration_file_rewrite(const struct configuration_file *file, const char *text);

/* configuration_load(), the complaints kept in the file. */
struct configuration *configuration_file_load(struct configuration_file *file);

/* Deletes what was written, and the folder with its last file. */
void configuration_file_remove(struct configuration_file *file);

#endif
