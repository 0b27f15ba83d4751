/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_BACKUP_FILE_H
#define FRICID_BACKUP_FILE_H

#include <stdatomic.h>
#include <stdint.h>

/* A copy of the whole store as it was at one moment, in a file without a name beside it, for a client to fetch piece by
 * piece: the client writes it where its user may write. Belongs to one thread. */
struct backup_file {
    int descriptor;           /* -1: none */
    unsigned number;          /* of the copy; another one has another */
    uint64_t bytes, checksum; /* 64-bit FNV-1a of all bytes */
};

enum { BACKUP_PIECE = 384 << 10 }; /* bytes; in base64 half a line of the protocol */

void backup_file_init(struct backup_file *backup);

/* Copies DIRECTORY/fricid.db, in place of an earlier copy. 0 or an error of store/database.h; -ECANCELED. */
int backup_file_make(struct backup_file *backup, const char *directory, const atomic_bool *cancel);

/* The piece from an offset on, owned by the caller (free()), and how many bytes it has. -ENOENT: this copy is not there
 * (any more). */
int backup_file_read(const struct backup_file *backup, unsigned number, uint64_t offset, unsigned char **piece,
                     uint64_t *bytes);

/* Removes what a daemon that was killed left of a copy. */
void backup_file_tidy(const char *directory);

int backup_file_close(struct backup_file *backup, unsigned number);

#endif
