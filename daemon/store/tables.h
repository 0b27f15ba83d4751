/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_TABLES_H
#define FRICID_STORE_TABLES_H

#include "store/columns.h"
#include "store/kept.h"
#include "store/text_list.h"

/* The tables of a store and the structs that their rows are made of. fricidd(8) describes them for people who read them
 * with other programs. */

enum table_id {
    TABLE_META, /* how far numbers and clocks go */
    TABLE_CONFIGURATION,
    TABLE_RUN,
    TABLE_SETUP,
    TABLE_DECAY,
    TABLE_RAW,
    TABLE_RESULT,
    TABLE_DOCUMENT,
    TABLE_EVENT,
    TABLES
};

/* In the order in which rows may refer to those of earlier ones. */
const struct table *store_table(enum table_id id);

/* The structs of a row, where that is more than one. */
enum { ROW_ITSELF, ROW_ORIGIN, ROW_DECAY, ROW_PARTS };

struct configuration_row {
    const char *config_id, *path, *text;
    int64_t first_used_ns;
};

struct run_row {
    const char *key, *rig;
    int64_t started_at_ns;
};

/* With the origin of a decay. */
struct setup_row {
    char fingerprint[4096];
    char calibration[TEXT_LIST_SIZE], code_coefficients[TEXT_LIST_SIZE];
};

/* With the origin and the decay. */
struct decay_row {
    int64_t setup, stored_at_ns, run;
    unsigned revision, attempts; /* only read */
};

struct raw_row {
    int64_t decay;
    char coding[16], checksum[17];
    struct blob samples, time_s, flags;
};

struct result_row {
    int64_t decay, identified_at_ns;
    unsigned revision;
    const char *kind, *source_kind, *version, *config_id, *settings, *verdict, *recommended, *model;
    double figure[SEARCHED_FIGURES], rms;
    const char *summary, *text; /* for their checksums */
};

struct document_row {
    int64_t result;
    const char *summary, *text;
};

#endif
