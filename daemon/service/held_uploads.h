/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_HELD_UPLOADS_H
#define FRICID_SERVICE_HELD_UPLOADS_H

#include "service/exchange.h"
#include "service/upload_state.h"

/* The uploads of a client: records on their way in, and those with results to be fetched. */

enum upload_state {
    UPLOAD_UNFINISHED,
    UPLOAD_IDENTIFIED,
    UPLOAD_UNSIMULATED, /* likewise, of what is to be simulated */
    UPLOAD_SIMULATED
};

/* An upload is counted from when it is accepted, not from when it is held: a client that does not wait for answers gets
 * no more of them than one that does. False: the client has all that it may have. */
bool uploads_take_place(struct session *session, struct upload *upload);

/* Frees an upload that is in no list; NULL is fine. */
void uploads_forget(struct session *session, struct upload *upload);

/* The upload, which has its place, joins the client's list, under a number of its own. */
void uploads_hold(struct session *session, struct upload *upload);

/* It leaves the list. */
void uploads_remove(struct session *session, const struct upload *upload);

/* Where the link to this client's upload of the number in `params` is; NULL and an error when there is none in that
 * state. */
struct upload **uploads_find(struct call *call, const json_t *params, enum upload_state state);

/* Appends what is in `params`, and answers. What does not fit leaves the record as it was: the client may send a
 * smaller piece. */
void uploads_append(struct call *call, const json_t *params, enum upload_state state);

#endif
