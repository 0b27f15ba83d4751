/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_RESULTS_QUERY_H
#define FRICID_STORE_RESULTS_QUERY_H

#include "store/searched_figure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which results somebody asks for, and in which order. */

/* The names of what they are asked for by, beside the figures: parameters of results.list, and of the words the
 * columns. */
#define KEY_RIG "rig"
#define KEY_CHANNEL "channel"
#define KEY_VERDICT "verdict"
#define KEY_SOURCE_KIND "source_kind"
#define KEY_KIND "kind"
#define KEY_MODEL "model"
#define KEY_RELEASED_FROM "released_from"
#define KEY_RELEASED_TO "released_to"
#define KEY_RUN_ID "run_id"
#define KEY_ID "id"

enum results_order {
    ORDER_ID,
    ORDER_RELEASED,
    ORDER_FIGURES, /* of searched_figures, one behind the other */
    RESULTS_ORDERS = ORDER_FIGURES + SEARCHED_FIGURES
};

/* "id", "released_at", "f_n_hz", ... */
const char *results_order_name(enum results_order order);

/* The names of all of them from index 0; NULL behind the last. */
const char *results_order_name_at(size_t index);

/* The column of the result that it is the order of. */
const char *results_order_column(enum results_order order);

struct results_range {
    double low, high; /* ends included; NAN: open */
};

/* The place of a result in its order, for the page that follows. */
struct results_place {
    uint64_t id;     /* 0: none */
    int64_t time_ns; /* ORDER_RELEASED */
    double number;   /* orders by a figure */
};

/* Which of the latest results of every decay. */
struct results_query {
    char rig[64], channel[64], verdict[48], source_kind[16], kind[24], model[96]; /* empty: any */
    int64_t released_from_ns, released_to_ns;                                     /* INT64_MIN, INT64_MAX: open */
    struct results_range range[SEARCHED_FIGURES];
    uint64_t id, run_id;      /* of the decay, of its run; 0: any */
    enum results_order order; /* results without that figure are left out */
    bool ascending;
    struct results_place after; /* the last result of the page before */
    size_t limit;
    size_t bytes; /* the summaries of a page may have about so many */
};

/* A word that they may be asked for by. */
struct results_word {
    const char *name;
    size_t offset, size; /* of the word in struct results_query */
    bool of_setup;       /* stands in the row of the set-up */
};

enum { RESULTS_WORDS = 6 };
extern const struct results_word results_words[RESULTS_WORDS];

/* All results, the newest first. */
struct results_query results_query_all(void);

#endif
