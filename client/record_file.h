/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_RECORD_FILE_H
#define FRICID_CLIENT_RECORD_FILE_H

#include "client/screen.h"

#include <stdbool.h>
#include <stdio.h>

/* A file that is being recorded, or copied: it carries another name until it is whole. */
struct record_file {
    FILE *stream;
    char *path, *part; /* part NULL: written directly (a pipe, a device) */
    bool replaces;     /* an existing file may be replaced */
    int error;         /* of a write that failed */
};

/* "bearing-20261121T160301Z.csv", of a rig and the present time; malloc(). */
char *record_file_default_path(const char *rig);

/* The same with the name of a channel before its ending; malloc(). */
char *record_file_channel_path(const char *path, const char *channel);

/* Opens a file; "-" is standard output. `replaces`: an existing one may be replaced. What is wrong is told. Close it in
 * any case. */
bool record_file_open(struct record_file *file, const char *path, bool replaces, const struct screen *screen);

/* Whether the file took everything so far. */
bool record_file_good(struct record_file *file);

/* Gives it its name, or with `keep` false removes it. What is wrong is told; false: the file is not there. */
bool record_file_close(struct record_file *file, bool keep, const struct screen *screen);

#endif
