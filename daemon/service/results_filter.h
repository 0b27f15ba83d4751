/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_RESULTS_FILTER_H
#define FRICID_SERVICE_RESULTS_FILTER_H

#include "proto/framing.h"
#include "service/exchange.h"
#include "service/parameters.h"
#include "store/query.h"

/* A page of summaries may be this long: far below a line, so that one request never keeps the others waiting. */
enum { RESULTS_PAGE_BYTES = FRAMING_MAX_LINE / 4 };

/* How clients say which results they mean; the same for all methods that take such a selection. */

extern const struct parameter_list results_query_parameters, reidentify_parameters;

/* Fills the query from parameters that were checked. False: the call has failed, with a sentence. */
bool read_query(struct call *call, const json_t *params, struct results_query *query);

#endif
