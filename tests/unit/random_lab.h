/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_RANDOM_LAB_H
#define FRICID_TESTS_RANDOM_LAB_H

#include "stream_generator.h"

/* Rigs, hands and sensors as any lab may have them, drawn from the ranges that the segmenter promises to handle without
 * retuning: 0.05 Hz to 1 kHz, 20 to 2000 samples a cycle, 3 to 300 half cycles to be seen, zeta up to 0.2, x_k up to
 * 0.15 X_0, noise up to 3 % and steps up to 5 % of X_0. The seed decides everything; X_0 is about 1. */

enum electronics {
    ELECTRONICS_GOOD,
    ELECTRONICS_HUM,
    ELECTRONICS_SPIKES,
    ELECTRONICS_CLIPPING,
    ELECTRONICS_DRIFT,
    ELECTRONICS_DROPOUTS,
    ELECTRONICS
};

const char *electronics_name(enum electronics electronics);

struct lab {
    struct stream *stream;
    enum electronics electronics;
};

/* One to three releases, and whatever may happen between them and to them. */
struct lab lab_with_decays(uint64_t seed);

/* Hands, carriages and electronics that show no decay for so many seconds. The samples come at a rate between 20 and
 * 2000 a second, because a hand has its own pace. */
struct lab lab_without_decays(uint64_t seed, double seconds);

/* Likewise, but on the scale of a rig of whatever frequency: so many samples. */
struct lab lab_without_decays_scaled(uint64_t seed, double samples);

/* What swings with an envelope that rises and falls although nobody lets go, so many samples of it: two or three close
 * modes, a force that sets in near the resonance, and an amplitude that is modulated; for ever or sinking slowly. */
struct lab lab_of_beats(uint64_t seed, double samples);

/* The smallest swing that anybody could ask to be told from noise, steps and hum: from crest to trough six standard
 * deviations, two steps, or twice what the hum spans. */
double swing_that_shows(const struct sensor *sensor);

#endif
