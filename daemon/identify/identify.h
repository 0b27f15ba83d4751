/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_IDENTIFY_H
#define FRICID_IDENTIFY_IDENTIFY_H

#include "identify/decrement.h"
#include "identify/extrema_fit.h"
#include "identify/full_record_fit.h"
#include "identify/physical.h"
#include "identify/record.h"
#include "identify/static_friction.h"

#include <stdatomic.h>

struct identify_settings {
    struct physical_settings physical;
    const atomic_bool *cancel; /* may be NULL */
};

/* What came to light about the end of the record, from the segmenter or from the record's own tail. */
struct rest_observation {
    double position; /* mean displacement after the stop, bias included; NAN: did not come to rest */
    double se;       /* its standard uncertainty */
};

/* One damping model's merit on this record; smaller aicc is better. */
struct model_merit {
    enum damping_model model;
    enum verdict verdict;
    double aicc;
    double rms;
};

enum recommended { RECOMMENDED_NONE, RECOMMENDED_FIT, RECOMMENDED_EXTREMA_FIT };

/* Everything that fricid finds out about one decay: a section a method, each with its own verdict. */
struct identification {
    enum verdict verdict; /* of the recommended section, or why there is none */
    enum recommended recommended;
    struct full_record_fit fit;
    struct extrema_fit extrema_fit;
    struct decrement decrement;
    struct model_merit models[3]; /* viscous, coulomb, viscous+coulomb */
    struct static_friction static_friction;
    struct physical physical;
};

/* The one entry to the science: a record in, an identification out. No I/O, no globals; several threads may call it
 * at once. Returns identification->verdict; every member is set whatever the verdict. identification_clear() frees
 * what the sections own. */
enum verdict identify(const struct decay_record *record, const struct rest_observation *rest,
                      const struct identify_settings *settings, struct identification *identification);

void identification_clear(struct identification *identification);

#endif
