/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The words and orders of results, and the question that leaves everything open. */

#include "store/results_query.h"

#include <math.h>

#define AT(member) offsetof(struct results_query, member), sizeof(((struct results_query *)0)->member)

const struct results_word results_words[RESULTS_WORDS] = {
    {KEY_RIG, AT(rig), true},          {KEY_CHANNEL, AT(channel), true},
    {KEY_VERDICT, AT(verdict), false}, {KEY_SOURCE_KIND, AT(source_kind), false},
    {KEY_KIND, AT(kind), false},       {KEY_MODEL, AT(model), false},
};

const char *results_order_name(enum results_order order)
{
    return order == ORDER_ID         ? KEY_ID
           : order == ORDER_RELEASED ? "released_at"
                                     : searched_figures[order - ORDER_FIGURES].name;
}

const char *results_order_name_at(size_t index)
{
    return index < RESULTS_ORDERS ? results_order_name((enum results_order)index) : NULL;
}

const char *results_order_column(enum results_order order)
{
    return order == ORDER_ID         ? "decay"
           : order == ORDER_RELEASED ? "released_at_ns"
                                     : searched_figures[order - ORDER_FIGURES].name;
}

struct results_query results_query_all(void)
{
    struct results_query query = {
        .released_from_ns = INT64_MIN, .released_to_ns = INT64_MAX, .limit = 100, .bytes = 1 << 18};
    for (int i = 0; i < SEARCHED_FIGURES; i++)
        query.range[i] = (struct results_range){NAN, NAN};
    return query;
}
