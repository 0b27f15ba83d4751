/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PIPELINE_H
#define FRICID_PIPELINE_H

#include "pipeline/store_reader.h"
#include "pipeline/store_writer.h"
#include "service/backend.h"
#include "store/kept.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>

struct event_base;

/* The way of a decay: writer thread stores it raw, identifier thread identifies it, writer thread stores the result,
 * event loop publishes it. Then it goes round once more, with the thread of the ladders in the place of the identifier:
 * what takes long keeps no first answer waiting. A client's request goes through the thread of the ladders alone. What
 * was stored and not identified, because the daemon ended or the identifier could not keep up, is read again by the
 * reader thread. */
struct pipeline;

struct pipeline_settings {
    size_t queue_max_bytes;   /* of decays that are not stored yet */
    double job_deadline_s;    /* for one identification; 0: none */
    double ladder_deadline_s; /* for the ladder of models; 0: none is fitted */
};

/* What holds for a client's record. */
struct request_settings {
    struct segment_settings segment;
    struct physical_settings physical;
    const char *config_id;
};

/* Called in the event loop's thread. */
struct pipeline_listener {
    void (*published)(void *context, struct kept_result *result); /* borrowed */
    /* A decay, or its result, that will not be published, and why: a sentence and a named reason. */
    void (*lost)(void *context, const struct decay_origin *origin, const char *reason, const char *sentence);
    /* So many decays of a rig's recording are in the store already and were not stored again. */
    void (*known)(void *context, const struct decay_origin *origin, uint64_t count, uint64_t latest_id);
    /* The place of a rig's channel among those that saw one motion, which is told in the unit of the lowest; SIZE_MAX:
     * nobody knows. May be NULL. */
    size_t (*channel_rank)(void *context, const char *rig, const char *channel);
    void (*drained)(void *context); /* the queue has fallen below a quarter of its limit */
    /* Something about the store: the code of an event and a sentence. */
    void (*told)(void *context, const char *code, const char *sentence);
    void *context;
};

/* Starts the threads; takes the store over in any case. NULL when the system refuses (errno says why). */
struct pipeline *pipeline_create(struct event_base *base, struct store *store, const struct pipeline_settings *settings,
                                 const struct pipeline_listener *listener);

/* Looks the store through for damage, then identifies what an earlier daemon stored and did not identify. */
void pipeline_recover(struct pipeline *pipeline);

/* The threads, for those who have other questions and other things to write; the reader is NULL for a store in
 * memory. */
struct store_writer *pipeline_writer(const struct pipeline *pipeline);
struct store_reader *pipeline_reader(const struct pipeline *pipeline);

/* Identifies a stored decay once more, after everything else: as that revision, published and stored; or,
 * `only_compare`, neither. ladder: with the ladder of models, where that is configured at all. `again` is told in the
 * event loop; result NULL: there is none. 0 or -ENOMEM. */
int pipeline_identify_again(struct pipeline *pipeline, struct kept_decay *decay, unsigned revision, bool only_compare,
                            bool ladder, void (*again)(void *context, const struct kept_result *result), void *context);

/* From now on other settings hold, for what is submitted later. */
void pipeline_reconfigure(struct pipeline *pipeline, const struct pipeline_settings *settings);

/* Takes a decay over and sends it on its way; from the event loop. source_waits: the source pauses when asked to, so
 * its decay is taken even beyond the limit, for no more than one block's decays can come before it does. -ENOBUFS when
 * the queue is full, -ENOMEM: the decay is then gone and `lost` was told. may_be_known: of a recording, which may be
 * read a second time; what the store has already is not stored again, and `known` tells of it. */
int pipeline_submit(struct pipeline *pipeline, const struct decay_origin *origin, struct decay *decay,
                    bool source_waits, bool may_be_known);

/* A client's record; see service_backend.identify for the contract. */
long pipeline_request(struct pipeline *pipeline, struct identify_request *request,
                      const struct request_settings *settings, identify_answer answer, void *answer_context);

/* A contact to be simulated; see service_backend.simulate. */
long pipeline_simulate(struct pipeline *pipeline, struct simulate_request *request, simulate_answer answer,
                       void *answer_context);

/* Of either. */
void pipeline_cancel_request(struct pipeline *pipeline, long ticket);

/* Sources that may pause should: the queue is over half of its limit. */
bool pipeline_wants_pause(const struct pipeline *pipeline);

/* Nothing is queued or running any more, but for ladders of decays that have an answer. */
bool pipeline_idle(const struct pipeline *pipeline);

/* Once a second: looks whether decays wait in the store, and asks identifications past their deadline to stop. Returns
 * how many it asked. The writer is not asked: what waits for a disk is not given up. */
size_t pipeline_check_deadlines(struct pipeline *pipeline);

/* The writer has been waiting for the disk beyond all patience. */
bool pipeline_waits_for_disk(const struct pipeline *pipeline);

enum { PIPELINE_THREADS = 4 };

/* Fills in the threads, the queue and the store of a status. */
void pipeline_status(const struct pipeline *pipeline, struct thread_status threads[PIPELINE_THREADS],
                     struct daemon_status *status);

/* Stops the threads. What waits to be stored is stored, as far as the disk takes it; what is not is reported as lost.
 * Stored decays without a result are identified at the next start. Requests are answered with a complaint. */
void pipeline_stop(struct pipeline *pipeline);

void pipeline_destroy(struct pipeline *pipeline); /* stops first; NULL is fine */

#endif
