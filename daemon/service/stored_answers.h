/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_STORED_ANSWERS_H
#define FRICID_SERVICE_STORED_ANSWERS_H

#include "service/exchange.h"
#include "service/service_state.h"

/* Answers out of the store: each takes the call over, and answers it when the store has. */

bool store_can_be_asked(const struct service *service);

void answer_with_results(struct call *call, const struct results_query *query);
void answer_with_result(struct call *call, uint64_t id, unsigned revision);
/* The result is not the answer, but handed to `take`, which answers: see struct call. */
void hand_result(struct call *call, uint64_t id, void (*take)(struct call *call, const json_t *result));

void answer_with_run(struct call *call, uint64_t id);
void answer_with_configuration(struct call *call, const char *config_id);
void answer_with_samples(struct call *call, uint64_t id, size_t offset, size_t count);

/* The place behind a page as text for the client, and back; false when it is none. */
void write_cursor(char *text, size_t size, enum results_order order, const struct results_place *place);
bool read_cursor(const char *text, enum results_order order, struct results_place *place);

#endif
