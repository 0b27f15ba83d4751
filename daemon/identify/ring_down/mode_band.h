/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MODE_BAND_H
#define FRICID_IDENTIFY_MODE_BAND_H

#include "identify/common/estimate.h"
#include "identify/ring_down/baseband.h"
#include "identify/ring_down/mode_pass.h"

/* Modes of one band that are fitted at once are a pair at the most. */
enum { GROUP_MODES = 2 };

/* A ring-down and where one mode is in it; time 0 is the first sample. Borrowed. */
struct mode_record {
    enum sensed sensed;
    const double *samples; /* of the reference sensor of the mode */
    size_t count;
    double rate_hz, centre_hz;
    double stop_hz; /* the mode is alone nearer to the centre than this */
    bool alone;     /* it is alone in the whole record, which a fit can then use without a filter */
    bool of_two;    /* two modes are so far apart that the motion turns much from one sample of the band to the next */
    double thin_hz; /* of a record that is used so: what lies beyond this is filtered off, and as many samples left out
                       as that allows; 0: nothing is */
    /* Further sensors with samples at the same times, and what these are multiplied by so that their noise is that of
     * the reference. */
    size_t others;
    const double *other[PASS_SENSORS - 1];
    double other_weight[PASS_SENSORS - 1];
    const double *late_s; /* by how much each, the reference first, is sampled after that; NULL: at the same times */
    const struct mode_sum *beside;     /* modes in the same band as weighted sensors see them, which every fit has, too;
                                          NULL: none */
    const struct amplitude_law *known; /* the mode's own law as a fit of all modes of the band left it, where a search
                                          for it may begin, too; NULL: nobody knows */
};

/* The highest crest of the reference sensor. */
double mode_record_largest(const struct mode_record *record);

/* What fits see of that mode: its band, or the record as it is. */
struct mode_band {
    struct baseband_filter filter;
    struct mode_samples samples;
    double variance; /* of a row of the samples where that of the record's white noise is 1 */
    double colour;   /* variance of white noise that weighs as much at the mode, over that of a row of the samples */
    double complex *values, *correction;
};

/* filtered: the band, also of a record that could be used as it is. VERDICT_OK, VERDICT_TOO_FEW_SAMPLES (the filter
 * leaves too little) or VERDICT_NO_MEMORY. The band is to be cleared, whatever the verdict. */
enum verdict mode_band_of(const struct mode_record *record, bool filtered, struct mode_band *band);
void mode_band_clear(struct mode_band *band);

/* The noise of a sensor in a band, of each part of a sample, from its last quarter, where the least is left of the
 * motion: differences of neighbours, since what is left hardly changes from one to the next. */
double mode_band_noise(const struct mode_samples *band, size_t sensor);

/* Likewise where what is left does change, as so many linear modes do, or fewer: one sample more in a row holds these
 * in as many directions, and the noise alone in the last (Pisarenko 1973). */
double mode_band_noise_among(const struct mode_samples *band, size_t sensor, size_t modes);

/* Makes the model's correction 0, then adds to it what the record would see of a motion: `count` samples of the
 * reference sensor, of which the others see what the amplitudes say, those of all sensors at time 0. VERDICT_NO_MEMORY
 * or VERDICT_OK. */
enum verdict mode_band_correct_none(struct mode_band *band);
enum verdict mode_band_correct(struct mode_band *band, const struct mode_record *record, const double *motion,
                               const double complex *amplitude);

#endif
