/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_RECORDING_BATCHES_H
#define FRICID_PROTO_RECORDING_BATCHES_H

#include <stdbool.h>
#include <stdint.h>

enum { RECORDING_BATCH_OCTAVES = 128 };

/* Do time stamps come in batches, as a program writes them that asks for samples now and then? Many rows are then
 * stamped nearly at once, and a long step comes again and again, every so many rows. A pause between two releases is a
 * long step as well, but there are few of them. */
struct recording_batches {
    uint64_t octaves[RECORDING_BATCH_OCTAVES]; /* how many steps each octave of seconds has */
    uint64_t steps;
    unsigned median; /* the octave of their median */
    uint64_t below;  /* steps in the octaves below it */
    uint64_t rows;   /* since the last long step */
    uint64_t last_rows, regular;
};

/* Zeroed before the first step, which is above 0. */
void recording_batches_note(struct recording_batches *batches, double step_s);

bool recording_batches_found(const struct recording_batches *batches);

#endif
