/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MODE_BAND_H
#define FRICID_IDENTIFY_MODE_BAND_H

#include "identify/common/estimate.h"
#include "identify/ring_down/baseband.h"
#include "identify/ring_down/mode_pass.h"

/* A ring-down of one sensor and where one mode is in it; time 0 is the first sample. Borrowed. */
struct mode_record {
    enum sensed sensed;
    const double *samples;
    size_t count;
    double rate_hz, centre_hz;
    double stop_hz; /* the mode is alone nearer to the centre than this */
    bool alone;     /* it is alone in the whole record, which a fit can then use without a filter */
};

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

/* Adds to the model what the record would see of a motion, `count` samples as of the record. VERDICT_NO_MEMORY or
 * VERDICT_OK. */
enum verdict mode_band_correct(struct mode_band *band, const struct mode_record *record, const double *motion);

#endif
