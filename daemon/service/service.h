/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_SERVICE_H
#define FRICID_SERVICE_SERVICE_H

#include "proto/complaint.h"
#include "service/backend.h"
#include "service/service_event.h"

struct event_base;

struct service_settings {
    int inherited_socket;      /* a descriptor that listens already, taken over; 0 or less: none */
    const char *socket_path;   /* not looked at with an inherited one; neither is socket_mode */
    unsigned socket_mode;      /* 0666 */
    const char *group;         /* besides root and the daemon's own user, may call the methods that act */
    size_t results_held;       /* results, and as many events, held for from_seq */
    size_t samples_held_bytes; /* raw samples held for the method `samples`; the oldest go first */
    size_t identify_max_bytes; /* all records handed in, with what is found in them */
    const char *history_id;    /* of the history that goes on; NULL: a new one */
    uint64_t next_seq;         /* the first number of this process; 0: 1 */
    uint64_t stored_from;      /* the store holds all notifications from this number on; 0: there is no store */
};

struct service;

/* Binds the socket and starts to answer. A stale socket is replaced, a live one respected, an inherited one is used as
 * it is and its name never touched. 0, or a negative errno and a
 * complaint. Both structs are copied, but not what they point to. SIGPIPE must be ignored. */
int service_create(struct event_base *base, const struct service_settings *settings,
                   const struct service_backend *backend, struct service **service, struct complaint *complaint);

/* Where clients connect; "(unnamed)" for an inherited socket without a name. Valid as long as the service. */
const char *service_address(const struct service *service);
bool service_is_inherited(const struct service *service);

/* To be asked once a second: whether the socket still has its name, which may be removed like any file. 0: it has; 1:
 * it had not, and listens under it again; or a negative errno and a complaint while it cannot. Clients that are
 * connected do not notice. */
int service_keep_address(struct service *service, struct complaint *complaint);

/* Publishes a result: gives it its seq, holds what it says and a reference to its decay, and notifies
 * subscribers. */
void service_publish_result(struct service *service, struct kept_result *result);

void service_publish_event(struct service *service, const struct service_event *event);

/* The store has let go what came before this number. */
void service_set_stored_from(struct service *service, uint64_t seq);

/* The store has all that came before this number. What is newer may still be on its way into it. */
void service_set_stored_until(struct service *service, uint64_t seq);

/* The number that the next notification will have. */
uint64_t service_next_seq(const struct service *service);

/* What a running decay looks like, once a half cycle. */
void service_publish_progress(struct service *service, const char *rig, const char *channel, const char *source_kind,
                              const char *unit, const struct segment_state *state);

/* What a channel measures, over a short while. NAN: not known. */
struct service_signal {
    const char *rig, *channel, *source_kind, *unit;
    double window_s; /* how long a while */
    uint64_t samples, clipped;
    double least, most, mean, deviation;  /* displacement unit */
    double roughness;                     /* 0: slow, 1: noise, above: faster than the sampling can show */
    double sensor_mean, sensor_deviation; /* before zero and calibration; NAN: not known */
    const char *sensor_unit;              /* of that; NULL: the source does not say */
    const struct segment_state *state;    /* noise floor, hysteresis, phase */
};

/* Whether anybody looks at signals: to work them out costs time. */
bool service_wants_signal(const struct service *service);

void service_publish_signal(struct service *service, const struct service_signal *shown);

/* Says goodbye: stops accepting, gives clients half a second to read what is queued, removes the socket. */
void service_destroy(struct service *service);

#endif
