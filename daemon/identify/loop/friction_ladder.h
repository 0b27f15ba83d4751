/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_LADDER_H
#define FRICID_IDENTIFY_FRICTION_LADDER_H

#include "identify/loop/friction_rung.h"
#include "identify/loop/loop_signal.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* The ladder of friction models of a contact that is driven to and fro: all are fitted to the force, and one is chosen.
 * (theory: GMG 2020's models; variable projection; BIC on whitened residuals.) */

struct friction_ladder {
    enum verdict verdict;
    char lacks[128];        /* what the record has too few of, with their numbers; empty: nothing */
    size_t chosen;          /* of rung */
    int model, rival_model; /* as chosen and rival; -1: there is none */
    bool tie;               /* with samples as far apart as the residual's memory, another has the least BIC */
    size_t rival;           /* that one */
    struct friction_figure figure[FRICTION_PARAMETERS]; /* of the chosen one */
    struct friction_spectrum spectrum;                  /* likewise */
    struct friction_offsets offsets;                    /* likewise */
    double rms;
    double stribeck_exponent;
    struct friction_exponents exponents; /* of the chosen one */
    size_t parts;                        /* between gaps, each with an offset and a state of its own */
    size_t parts_left_out;               /* others, of which the ladder knows nothing */
    size_t every;                        /* nth sample of the record was taken, and that many behind these were not */
    size_t samples_left_out;
    size_t samples;              /* that count: not those at rest */
    double correlation_samples;  /* the memory of the residual of the chosen model, in samples */
    double lack_of_fit;          /* see friction_misfit(); NAN: fewer than two loops */
    double lack_of_fit_expected; /* what it stays below in 999 of 1000 records without any */
    bool lacks_fit;
    double displacement_steps; /* of the displacement's converter, in F/sigma_0 of the chosen model, F being F_C, or
                                  half the range of the force if that is less; 0: none are seen, or the model has no
                                  sigma_0; NAN: its level is none */
    bool coarse_steps;         /* they hide which shape presliding has; false of NAN */
    size_t count;
    struct friction_rung rung[FRICTION_RUNGS];
};

/* Of longer records it is climbed with a part, see ladder_excerpt_make(): it would take longer than half a minute. */
#define FRICTION_LADDER_SAMPLES_MOST 300000

/* A ladder that was not climbed, with the verdict that says why. */
void friction_ladder_not_made(struct friction_ladder *ladder, enum verdict verdict);

/* Verdicts: VERDICT_OK, VERDICT_TOO_FEW_SAMPLES of those that count,
 * VERDICT_DISPLACEMENT_COARSE or VERDICT_DISPLACEMENT_NOISY where that leaves so few, VERDICT_CANCELLED,
 * VERDICT_UNDERDETERMINED where no model has an answer, VERDICT_NO_MEMORY. cancel: may be NULL. */
enum verdict friction_ladder_identify(const struct loop_signal *signal, const atomic_bool *cancel,
                                      struct friction_ladder *ladder);

#endif
