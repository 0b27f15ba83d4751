/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LAW_FITTING_H
#define FRICID_IDENTIFY_LAW_FITTING_H

#include "identify/ring_down/law_fit.h"
#include "identify/ring_down/law_start.h"
#include "identify/ring_down/mode_fit.h"

#include <stdatomic.h>

/* Twice the logarithm of how much likelier the record is with a joint than without. Where there is none, 5 % of all
 * records reach 4.6. */
#define JOINT_SHOWS 6.0

/* A record on its way through fits of one law after the other, for the files that fit one. */
struct law_fitting {
    const struct mode_record *record;
    const atomic_bool *cancel;
    struct mode_band band, whole; /* through the filter, where the fit begins; where it ends */
    double *motion;
    struct law_starts starts;
    struct mode_sum sum, trial, of_band; /* of_band: microslip, through the filter */
    struct mode_fit fit;
    int most_rounds; /* of law_fitting_exactly() */
};

/* Both bands of the record and the starting values. The record is borrowed; cancel: may be NULL. Verdicts: those of
 * mode_laws_of(). Whatever the verdict, what it made, that is on the heap, is given back by the end. */
enum verdict law_fitting_begin(struct law_fitting *fitting, const struct mode_record *record,
                               const atomic_bool *cancel);
void law_fitting_end(struct law_fitting *fitting);

/* Verdicts after which nothing else is tried. */
bool law_fitting_is_over(enum verdict verdict);

/* A law of the mode, with those of the modes beside it. */
struct mode_sum law_fitting_sum(const struct mode_record *record, const struct amplitude_law *law);

/* The best of the starts after a fit of each, as the sum; of fits that are still on their way where none arrives, for
 * more samples may end what fewer could not. Verdicts: those of mode_fit(), and VERDICT_NO_OSCILLATION: there is no
 * start. */
enum verdict law_fitting_best(struct law_fitting *fitting, const struct mode_samples *samples,
                              const struct amplitude_law *laws, size_t count);

/* The sum, fitted to the whole record as it is, and with what the exact motion adds, where the record can tell; rounds:
 * how often that was looked at. */
enum verdict law_fitting_whole(struct law_fitting *fitting);
enum verdict law_fitting_exactly(struct law_fitting *fitting, int *rounds);

/* What the last fit of the sum says. */
void law_fitting_report(struct law_fitting *fitting, struct law_fit *fit);

/* The microslip law from the starting values. */
void law_fitting_microslip(struct law_fitting *fitting, struct law_fit *fit);

#endif
