/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_COMEDI_SESSION_H
#define FRICID_ACQUIRE_COMEDI_SESSION_H

#include "acquire/comedi_group.h"

/* A card with all its channels: opened, attended to, closed, and opened again. Lives in one thread, whose time it may
 * take: the kernel answers when it likes. */
struct comedi_session {
    const struct comedi_settings *settings; /* borrowed */
    struct comedi_card card;
    struct comedi_channel *channels; /* one a channel of the settings */
    size_t group_count;
    struct comedi_group *groups; /* at most one a channel */
    struct card_clock clock;
    bool grouped;    /* which channels go together was found out */
    bool fresh;      /* counters must be set up: the card was without power, or never seen */
    double opened_s; /* CLOCK_MONOTONIC */
    double flush_s;  /* CLOCK_MONOTONIC when streams are read and readings handed on */
    double spread;   /* part of a beat by which the next reading is moved, so that they fall everywhere */
};

/* Memory for the session; false when it is short. The settings outlive it. */
bool comedi_session_create(struct comedi_session *session, const struct comedi_settings *settings);
void comedi_session_destroy(struct comedi_session *session);

/* Opens the card and starts everything; tells of it through the outlet. On failure the card is closed again. */
bool comedi_session_open(struct comedi_session *session, const struct comedi_outlet *outlet, struct card_fault *fault);

/* Does what is due now. False: a fault, and the session should be closed. */
bool comedi_session_turn(struct comedi_session *session, const struct comedi_outlet *outlet, struct card_fault *fault);

/* How long nothing will be due, s. */
double comedi_session_wait_s(const struct comedi_session *session);

/* How long everything has delivered since the card was opened, s. */
double comedi_session_ran_s(const struct comedi_session *session);

/* `fault`: why. What was read and not handed on is lost, and counted when the card is opened again. */
void comedi_session_close(struct comedi_session *session, const struct card_fault *fault);

#endif
