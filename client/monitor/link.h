/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_MONITOR_LINK_H
#define FRICID_CLIENT_MONITOR_LINK_H

#include "client/connection.h"
#include "client/monitor/model.h"
#include "client/monitor/view.h"

/* The conversation of the monitor with the daemon: subscribes, asks, and begins anew when the daemon went away. It
 * waits for nothing but the greeting of a daemon that has just taken the connection. */

/* One question at a time to the store, at most; see link.c. */
enum { LINK_QUESTIONS = 8, LINK_WANTED = MODEL_RESULTS };

struct question {
    int64_t id; /* 0: this place is free */
    int kind;
};

struct link {
    const char *path; /* borrowed */
    double timeout_s;
    struct connection *connection; /* owned; NULL: none */
    struct question questions[LINK_QUESTIONS];
    bool subscribed;
    double next_try_s, next_status_s;
    int64_t wanted[LINK_WANTED]; /* ids of results that are asked for, one after the other */
    size_t wanted_count;
    int64_t shown_id; /* of the sheet that is asked for, from the question to its last answer; 0: none */
    json_t *shown;    /* that result, while its run is asked for */
};

/* Takes over a connection that is open, and begins. */
void link_open(struct link *link, struct connection *connection, struct model *model, double now_s);

/* What is due: another try, a question. */
void link_work(struct link *link, struct model *model, struct view *view, double now_s);

/* Takes in what has come, so much at once that keys do not wait for it. True: there is more. */
bool link_read(struct link *link, struct model *model, struct view *view, double now_s);

/* To wait on; -1: no connection. */
int link_descriptor(const struct link *link);

void link_close(struct link *link);

#endif
