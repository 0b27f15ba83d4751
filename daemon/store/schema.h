/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_SCHEMA_H
#define FRICID_STORE_SCHEMA_H

#include "proto/complaint.h"
#include "store/database.h"

/* What the file of a store looks like, and how files of earlier versions become it. fricidd(8) describes the tables for
 * people who read them with other programs. */

enum {
    SCHEMA_APPLICATION_ID = 0x46524943, /* "FRIC": whose file it is; file(1) shows it */
    SCHEMA_VERSION = 13,
};

/* Settles what a writing connection needs: durability, and the tables. An empty file becomes a store; one of an earlier
 * version is copied beside itself ("….schema-1") and brought up to date. Another program's database (-ENOMEDIUM) and
 * one of a later version (-EPROTONOSUPPORT) are left alone, with a complaint that says what they are. Without an error
 * the complaint is empty, or says what was brought up to date. */
int schema_prepare(struct database *database, const char *path, struct complaint *complaint);

/* Completes rows that an earlier version wrote, within a transaction. */
int schema_complete_rows(struct database *database);

/* For a connection that only reads. */
int schema_prepare_reader(struct database *database);

#endif
