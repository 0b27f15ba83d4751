/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FITTING_H
#define FRICID_IDENTIFY_FITTING_H

#include "identify/decay/coarse_record.h"
#include "identify/decay/damping_model.h"
#include "identify/decay/decay_minimiser.h"
#include "identify/decay/decay_model.h"
#include "identify/decay/full_record_result.h"
#include "identify/decay/starting_values.h"

/* A full-record fit under way: what its files, and no others, share. */

enum { LEAST_SAMPLES = FIT_PARAMETERS + 1 };

/* Where the motion was found to end, and the parameters that said so. */
struct motion_stop {
    bool known;
    double until;       /* up to here was looked */
    double half_cycles; /* from t0 to the stop; INFINITY: it moves to the end */
    double parameters[FIT_PARAMETERS];
};

/* Everything in the units of `scaled`. */
struct fitting {
    const struct scaled_record *scaled;
    const struct coarse_record *coarse; /* the same record in means; NULL: none */
    struct decay_minimiser minimiser;
    struct starting_values start;
    double parameters[FIT_PARAMETERS];
    struct normal_equations normal;
    double end;       /* time up to which samples are used */
    bool start_fixed; /* X_0 or t0 is known beforehand */
    bool start_known; /* the starting values are those of a fit: nothing else need be searched */
    double tolerance; /* last step of the whole search, in standard errors */
    struct sample_range range;
    double hint; /* first extremum as the segmenter saw it; NAN: not known */
    struct motion_stop stop;
};

/* The same decay told from its next extremum, and from the one before. False, and nothing is changed, where the damping
 * leaves nothing of a swing: then there was none before. */
void start_later(double parameters[FIT_PARAMETERS]);
bool start_earlier(double parameters[FIT_PARAMETERS]);

/* Moves t0 to the extremum with which the record begins. False when it was there already. */
bool place_start(struct fitting *fitting);

/* The samples from t0 to the end. */
void choose_samples(struct fitting *fitting);

double record_end(const struct fitting *fitting);

/* The end of the motion up to a time: there, or where the mass came to rest before it. */
double motion_end(struct fitting *fitting, double until);

/* From the parameters to the optimum next to them, with the set of samples fixed anew until it stays. */
enum verdict fit_settle(struct fitting *fitting);

/* From the starting values in fitting->parameters to the optimum on the samples that belong to the motion. */
enum verdict fit_search(struct fitting *fitting);

#endif
