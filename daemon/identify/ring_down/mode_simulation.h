/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MODE_SIMULATION_H
#define FRICID_IDENTIFY_MODE_SIMULATION_H

#include "identify/ring_down/law_fit.h"

#include <stdatomic.h>

/* The model that was identified, integrated exactly, with the modes of the same band, beside what the reference sensor
 * recorded: over time, and as spectra of both whose early samples are zeroed (zeroed early-time fast Fourier
 * transform), which show how frequency and width of a peak change as the motion becomes smaller. */

enum { COURSE_POINTS = 60, SPECTRA = 4, SPECTRUM_POINTS = 31 };

/* In the mode's band, over the first crest of the law: amplitudes of the record and of the model, and of what the model
 * leaves. */
struct course_point {
    double time_s; /* since the first sample that was used */
    double record, model, residual;
};

/* Over the largest of the record's spectrum in which nothing is zeroed. */
struct spectrum_point {
    double f_hz, record, model;
};

struct zeroed_spectrum {
    double zeroed_s; /* since the first sample that was used: what is earlier is zeroed */
    double misfit;   /* rms of what the model leaves of the spectrum, over the record's largest in it */
    size_t count;
    struct spectrum_point point[SPECTRUM_POINTS];
};

struct mode_simulation {
    enum verdict verdict;
    double residual;                       /* rms of what it leaves of a sample, over the first crest */
    double residual_first, residual_after; /* in the first cycles (residual.h) and after them */
    size_t points;
    struct course_point course[COURSE_POINTS];
    size_t spectra; /* zeroed until the mode fell by none, one, two, and three quarters of the nepers that are seen */
    struct zeroed_spectrum spectrum[SPECTRA];
};

/* Where nothing is simulated, or not yet. */
struct mode_simulation mode_simulation_without(enum verdict verdict);

/* Of a law that was fitted to that record. Verdicts: those of mode_band_of(), VERDICT_NOT_CONVERGED (the law has no
 * motion that could be integrated), VERDICT_CANCELLED. cancel: may be NULL. */
void mode_simulation(const struct mode_record *record, const struct law_fit *fit, const atomic_bool *cancel,
                     struct mode_simulation *simulation);

#endif
