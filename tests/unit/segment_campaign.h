/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_SEGMENT_CAMPAIGN_H
#define FRICID_TESTS_SEGMENT_CAMPAIGN_H

#include "segment_judge.h"

/* What many seeds came to. Seeds with a fault are printed, with the command that shows them again. */
struct campaign {
    struct verdicts verdicts;
    struct parameters parameters;
    double seconds; /* of virtual time */
};

/* Labs with decays, from seed `first` on until so many decays had to be found; identifies every `every`-th record, or
 * none (0). */
struct campaign campaign_of_decays(uint64_t first, size_t decays, size_t every);

/* So many seconds of virtual streams without a decay, hands at their own pace. */
struct campaign campaign_of_quiet(uint64_t first, double seconds);

/* The same on the scale of rigs of any frequency: so many streams of so many samples. */
struct campaign campaign_of_scaled_quiet(uint64_t first, size_t streams, double samples);

/* So many streams of motions that beat: how many decays were invented. */
size_t campaign_of_beats(uint64_t first, size_t streams);

/* Replays one seed for a person: kind "decays", "quiet", "scaled" or "beats". With `dump` the samples go to standard
 * output as a table. Returns an exit status. */
int campaign_replay(const char *kind, const char *seed, bool dump);

#endif
