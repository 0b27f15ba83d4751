/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_HISTORY_H
#define FRICID_SERVICE_HISTORY_H

#include "service/notice.h"
#include "service/service_event.h"
#include "store/kept.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* What the service remembers: the latest results and events as the lines that told of them, one counter `seq` for all
 * notifications, and the raw samples of the latest decays. The oldest go first; what is gone is known to be gone. */

/* The lines of results and of events may take this much beside the limit on their number. */
enum { HISTORY_MAX_BYTES = 64 << 20 };

/* A held result; strings are owned by the history. */
struct held_result {
    struct notice *notice;
    char *summary; /* JSON text of its summary */
    uint64_t id, run_id;
    unsigned revision;
    char rig[64], channel[64];
    enum verdict verdict;
};

struct history;

/* Holds at most `entries` results and as many events, and raw samples of at most samples_bytes. NULL when memory is
 * short or the system has no random numbers. */
struct history *history_create(size_t entries, size_t samples_bytes);

/* Goes on with an earlier history: what that one held counts as gone. */
void history_resume(struct history *history, const char *id, uint64_t next_seq);

/* 32 hexadecimal digits, random. 0 or a negative errno. */
int history_draw_id(char id[33]);

void history_destroy(struct history *history); /* NULL is fine */

/* 32 hexadecimal digits, random: another history numbers anew. */
const char *history_id(const struct history *history);

/* The seq that the next notification will have. */
uint64_t history_next_seq(const struct history *history);

/* Gives a seq to a notification that is not held (progress). */
uint64_t history_take_seq(struct history *history);

/* Add what happened, with the next seq. Borrowed notice, valid until the next call; NULL when memory is short: the seq
 * is then used up, and the entry counts as gone. */
struct notice *history_add_result(struct history *history, struct kept_result *result);
struct notice *history_add_event(struct history *history, const struct service_event *event);

/* The smallest from_seq for which nothing of these topics is missing. */
uint64_t history_complete_from(const struct history *history, unsigned topics);

/* The store has all from this number on: from_seq may be that small, or as history_complete_from() says where that is
 * less. 0: there is no store. */
void history_set_stored_from(struct history *history, uint64_t seq);
uint64_t history_available_from(const struct history *history, unsigned topics);

/* The store has all of what came before this number; what is newer may still be on its way. */
void history_set_stored_until(struct history *history, uint64_t seq);
uint64_t history_stored_until(const struct history *history);

/* The first held notice of these topics with a seq of at least from_seq, borrowed; NULL: there is none. */
struct notice *history_from(const struct history *history, unsigned topics, uint64_t from_seq);

size_t history_held(const struct history *history); /* results and events */

/* The latest revision of a result, or exactly `revision` when that is not 0; NULL: not held. */
const struct held_result *history_find(const struct history *history, uint64_t id, unsigned revision);

/* Held results from the newest (index 0) to the oldest; NULL past the end. */
const struct held_result *history_result(const struct history *history, size_t index);

/* The result object inside the line that told of it: new reference, NULL when memory is short. */
json_t *held_result_to_json(const struct held_result *held);

/* The decay with its raw samples, borrowed; NULL when they are not held any more. */
const struct kept_decay *history_samples(const struct history *history, uint64_t id);

#endif
