/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_COMEDI_CARD_H
#define FRICID_ACQUIRE_COMEDI_CARD_H

#include "proto/complaint.h"

#include <comedilib.h>
#include <stdbool.h>

/* What is wrong with a card, for machines and for the person in the lab. */
struct card_fault {
    const char *code;
    struct complaint complaint;
};

/* Fills a fault; returns false, so that a check can end with it. */
bool card_fault_set(struct card_fault *fault, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same from what the kernel said: its name and what to do about it. `doing` is "cannot open it", say. */
bool card_fault_from_errno(struct card_fault *fault, const char *device, const char *doing, int error);

/* A card that is open, and what it says of itself. */
struct comedi_card {
    comedi_t *handle;
    const char *device; /* borrowed */
    const char *board, *driver;
    comedi_calibration_t *calibration; /* from Comedi's calibration file; NULL: there is none */
    bool world_writable;               /* every user of the computer may disturb a measurement */
};

/* Opens the card without waiting for anything that others do with it. May block as long as the kernel likes. */
bool comedi_card_open(struct comedi_card *card, const char *device, struct card_fault *fault);

void comedi_card_close(struct comedi_card *card); /* a card that is not open is fine */

#endif
