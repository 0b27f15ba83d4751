/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_BLOW_H
#define FRICID_IDENTIFY_BLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why a ring-down, or what is seen of a mode in it, ends where it does. */
enum ring_down_end {
    RING_DOWN_RECORD_ENDS,
    RING_DOWN_NEXT_BLOW,
    RING_DOWN_GAP,     /* samples are missing there */
    RING_DOWN_KNOCK,   /* the motion of a mode changes at once there */
    RING_DOWN_DROPOUT, /* samples of a sensor stand still there */
    RING_DOWN_NOISE,
    RING_DOWN_ENDS
};

/* A blow of a hammer and the ring-down behind it, by places of samples. */
struct blow {
    size_t onset;  /* where the blow shows first */
    size_t start;  /* from where on the hammer has left the signal, and nothing is clipped */
    size_t second; /* where the hammer shows that came back soon, before start; 0: it did not, or nobody has looked */
    size_t wild;   /* places of wild samples that were bridged, of all sensors (wild_sample.h) */
    size_t end;    /* behind the last sample of the ring-down */
    enum ring_down_end ended;
    bool guessed;         /* start is, for the samples do not show when the hammer left */
    size_t clipped_until; /* behind the last sample of the blow or the ring-down at a sensor's limit; 0: none is */
    bool fell_to_tenth;   /* the motion fell to a tenth of what it was at the start, or into the noise */
};

/* How the search for blows in a record ended. */
enum blow_search {
    BLOWS_FOUND,
    BLOWS_NONE,            /* nothing rises at once above all that was shortly before */
    BLOWS_NOTHING_BEFORE,  /* the record begins with its largest motion: its blow lies before it, or too near. The
                              ring-down is blows[0], from the first sample on, but none was found */
    BLOWS_NOT_FINITE,      /* a sample is no finite number */
    BLOWS_NO_SIGNAL,       /* all samples are equal */
    BLOWS_TOO_FEW_SAMPLES, /* not even the calm before a blow would fit in */
    BLOWS_NO_MEMORY,
};

/* Finds the blows of one sensor's record in their order, `most` at most, 1 or more, and how many there are. A blow is
 * what doubles the largest motion of the quarter of a second before it within three blocks of 2 ms, or of four samples
 * where these take longer, so that neither a ring-down nor the beat of two modes is one. One or two samples
 * alone that those on both sides contradict (wild_sample.h) are spikes, which are bridged, and a blow only where
 * nothing else is one. flags: sets of enum sample_flag, which say what is clipped beside what looks so; may be NULL. */
enum blow_search blows_of(double *samples, const uint8_t *flags, size_t count, double rate_hz, struct blow *blows,
                          size_t most, size_t *found);

#endif
