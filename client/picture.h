/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_PICTURE_H
#define FRICID_CLIENT_PICTURE_H

#include "client/client.h"
#include "client/record_file.h"

/* A picture of a result that a daemon has, and what it is called. */
struct picture {
    const json_t *result;
    const char *usual; /* the file's name unless the user says it */
    const char *of;    /* NULL: as the result says */
};

/* What the ending of a file's name asks for; "-" is the script for gnuplot. NULL: no kind of picture. */
struct picture_kind;
const struct picture_kind *picture_kind_of(const char *path);

/* A picture is one of samples, which a table of intervals or heights has not; nor does anybody know what a kind has
 * that this program does not know. */
bool picture_exists(const json_t *result);

/* Asks for the samples and draws. What is wrong has been told. */
enum exit_status picture_write(struct client *client, struct record_file *file, const struct picture_kind *kind,
                               const struct picture *picture);

/* Draws it into the file that the user names, or the usual one, and says so. What is wrong has been told. */
enum exit_status picture_draw(struct client *client, const struct picture *picture);

#endif
