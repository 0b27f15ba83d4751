/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_QUERY_H
#define FRICID_STORE_QUERY_H

#include "store/database.h"
#include "store/results_query.h"

/* Questions about results; asked in the reader's thread. */

struct found_result {
    uint64_t id, seq; /* seq 0: its publication is not noted yet */
    uint64_t run_id;
    unsigned revision;
    bool is_protected; /* of a page */
    char *text;        /* JSON without the seq, of before there were runs without the run; owned */
};

struct found_results {
    struct found_result *results; /* owned */
    size_t count, capacity;
    bool more;
    struct results_place last;
};

/* A page of summaries. Clear in any case. */
int find_results(struct database *database, const struct results_query *query, struct found_results *found);
void found_results_clear(struct found_results *found);

/* The whole text of a result; revision 0: the latest. -ENOENT. */
int find_result(struct database *database, uint64_t id, unsigned revision, struct found_result *found);

struct found_configuration {
    char *path; /* NULL: built-in defaults; owned */
    char *text; /* owned */
};

/* What was behind a config_id. -ENOENT. */
int find_configuration(struct database *database, const char *config_id, struct found_configuration *found);
void found_configuration_clear(struct found_configuration *found);

/* Notifications of results and events, in the order of their numbers from `from` to below `before`. An event's text is
 * the whole notification; its id is 0. */
int find_notices(struct database *database, bool results, bool events, uint64_t from, uint64_t before, size_t limit,
                 struct found_results *found);

/* The next decay behind `after` that a query selects; *id 0 at the end. */
int find_next_id(struct database *database, const struct results_query *query, uint64_t after, uint64_t *id);

#endif
