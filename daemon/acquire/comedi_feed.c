/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The thread of a card: open, attend, and after a fault wait and open again. */

#include "acquire/comedi_feed.h"

#include "acquire/comedi_session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

/* At a message every 10 ms, what a busy event loop leaves waiting for a third of a second. */
enum { MESSAGES = 32 };

static const double first_wait_s = 0.25, longest_wait_s = 30;
/* A card that delivered for so long is not failing all the time. */
static const double good_run_s = 2;

struct comedi_feed {
    struct comedi_session session; /* the thread's alone */
    struct comedi_message messages[MESSAGES];
    struct message_ring ring;
};

/* --- the ring --- */

static struct comedi_message *get_free(void *context, bool wait)
{
    struct comedi_feed *feed = context;
    size_t slot;
    return message_ring_free_slot(&feed->ring, wait, &slot) ? &feed->messages[slot] : NULL;
}

/* The message is always the one that get_free() gave last. */
static void put_filled(void *context, struct comedi_message *message)
{
    struct comedi_feed *feed = context;
    (void)message;
    message_ring_put(&feed->ring);
}

const struct comedi_message *comedi_feed_take(struct comedi_feed *feed)
{
    size_t slot;
    return message_ring_take(&feed->ring, &slot) ? &feed->messages[slot] : NULL;
}

struct message_ring *comedi_feed_ring(struct comedi_feed *feed)
{
    return &feed->ring;
}

/* --- the thread --- */

static void tell_fault(const struct comedi_outlet *outlet, const struct card_fault *fault, double wait_s, bool repeated)
{
    struct comedi_message *message = outlet->get(outlet->context, true);
    if (!message)
        return;
    message->kind = MESSAGE_FAULT;
    message->code = fault->code;
    message->repeated = repeated;
    complaint_set(&message->sentence, "%s (trying again in %.3g s)", fault->complaint.text, wait_s);
    outlet->put(outlet->context, message);
}

/* Returns when the card has failed or the thread is to end; false: it could not even be opened. */
static bool attend(struct comedi_feed *feed, const struct comedi_outlet *outlet, struct card_fault *fault)
{
    if (!comedi_session_open(&feed->session, outlet, fault))
        return false;
    bool good = true;
    while (good && !message_ring_is_stopping(&feed->ring)) {
        good = comedi_session_turn(&feed->session, outlet, fault);
        if (good)
            message_ring_sleep(&feed->ring, comedi_session_wait_s(&feed->session));
    }
    if (good)
        card_fault_set(fault, "stopped", "stopped");
    comedi_session_close(&feed->session, fault);
    return true;
}

static void *run(void *context)
{
    struct comedi_feed *feed = context;
    const struct comedi_outlet outlet = {.get = get_free, .put = put_filled, .context = feed};
    struct card_fault fault;
    const char *before = "";
    double wait_s = first_wait_s;
    /* Readings are to come when they are due, not up to 50 µs later. */
    prctl(PR_SET_TIMERSLACK, 1UL);
    while (!message_ring_is_stopping(&feed->ring)) {
        bool opened = attend(feed, &outlet, &fault);
        if (opened && comedi_session_ran_s(&feed->session) > good_run_s)
            wait_s = first_wait_s;
        tell_fault(&outlet, &fault, wait_s, !opened && strcmp(fault.code, before) == 0);
        before = fault.code;
        message_ring_sleep(&feed->ring, wait_s);
        wait_s = fmin(2 * wait_s, longest_wait_s);
    }
    return NULL;
}

/* --- construction --- */

static bool allocate(struct comedi_feed *feed)
{
    for (size_t i = 0; i < MESSAGES; i++) {
        struct comedi_message *message = &feed->messages[i];
        message->time_s = malloc(MESSAGE_STAMPS * sizeof *message->time_s);
        message->displacement = malloc(MESSAGE_VALUES * sizeof *message->displacement);
        message->flags = malloc(MESSAGE_VALUES * sizeof *message->flags);
        if (!message->time_s || !message->displacement || !message->flags)
            return false;
    }
    return message_ring_open(&feed->ring, MESSAGES) == 0;
}

struct comedi_feed *comedi_feed_create(const struct comedi_settings *settings)
{
    struct comedi_feed *feed = calloc(1, sizeof *feed);
    if (!feed)
        return NULL;
    bool good = comedi_session_create(&feed->session, settings);
    if (good && allocate(feed))
        return feed;
    comedi_feed_destroy(feed);
    return NULL;
}

int comedi_feed_start(struct comedi_feed *feed)
{
    return message_ring_start(&feed->ring, run, feed);
}

void comedi_feed_destroy(struct comedi_feed *feed)
{
    if (!feed)
        return;
    message_ring_close(&feed->ring);
    comedi_session_destroy(&feed->session);
    for (size_t i = 0; i < MESSAGES; i++) {
        free(feed->messages[i].time_s);
        free(feed->messages[i].displacement);
        free(feed->messages[i].flags);
    }
    free(feed);
}
