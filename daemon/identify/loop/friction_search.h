/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_SEARCH_H
#define FRICID_IDENTIFY_FRICTION_SEARCH_H

#include "identify/loop/friction_fit.h"

/* From nothing to the optimum of a model: a grid and refinements on a thinned motion, of which the best few go on with
 * all samples. */

/* A start that leaves twice the residual of the best of all models, so many times its squares, is given up. Starts are
 * as close to each other as grids are, where the best leaves a part of what the shape explains; the other models leave
 * more of it, or are the better ones. It saves most of the search: of hundreds of random records of each shape, in
 * noise of 0.3 to 5 % of the level, no optimum was missed for it. */
#define FRICTION_HOPELESS 4

/* Two motions of one record, in the same units. */
struct friction_motions {
    struct contact_sample *samples; /* owned: smoothed */
    struct loop_parts parts;
    unsigned char *begins; /* owned: of the signal's smooth pieces */
    unsigned char *pieces; /* owned: in how many steps `all` goes from the sample before to each */
    struct friction_motion all, thinned;
};

/* Each interval of `all` in so many pieces. 0 or -ENOMEM; friction_motions_clear() in any case. */
int friction_motions_make(const struct loop_signal *signal, size_t pieces, struct friction_motions *motions);

/* Walks all samples in as many steps as it takes that these are exact beside what a fit leaves, and says whether these
 * are more than before. 0 or -ENOMEM. */
int friction_motions_refine(const struct loop_signal *signal, const struct friction_fit *fit,
                            struct friction_motions *motions, bool *finer);
void friction_motions_clear(struct friction_motions *motions);

/* What a start has to leave at most on the thinned motion to go on, beside the best of all models on all samples. */
double friction_wanted(const struct friction_motions *motions, double least_squares);

/* simpler: fits of models that this one contains, from each of which it starts too; `count` of them. */
void friction_search(const struct friction_motions *motions, const struct friction_row *row, double exponent,
                     const struct friction_fit *const simpler[], size_t count, struct friction_fit *fit);

/* The same of a shape without a closed form: it is looked for about what Dahl's shape makes of the same terms.
 * least_squares: what the best of other models leaves; a fit that does not come near is abandoned. */
void friction_search_bent(const struct friction_motions *motions, const struct friction_row *row,
                          const struct friction_fit *dahl, double least_squares,
                          const struct friction_fit *const simpler[], size_t count, struct friction_fit *fit);

/* Terms that stand beside any shape: one that lacks them stands in for them, and its unknowns are none to begin with.
 */
#define FRICTION_BESIDE_SHAPES                                                                                         \
    (FRICTION_BIT(FRICTION_SPRING) | FRICTION_BIT(FRICTION_LEVELS) | FRICTION_BIT(FRICTION_PATH) |                     \
     FRICTION_BIT(FRICTION_MASS))

/* Takes the other exponent of a dip, of 1 and 2, where a fit leaves less with it: a term more may make it the better
 * one. */
void friction_try_other_exponent(const struct friction_motion *motion, struct friction_fit *fit);

/* Where bristles of a shape without a closed form are damped the force at the first sample may be that of two
 * deflections, of which a fit begins with the wrong one: the best from others. */
void friction_begin_anew(const struct friction_motion *motion, struct friction_fit *fit);

/* The same of Maxwell-slip, of which all is linear but the slip lengths, where it begins, and the dip, which begins as
 * that of Dahl's shape. least_squares: likewise. */
void friction_search_slip(const struct friction_motions *motions, const struct friction_row *row,
                          const struct friction_fit *dahl, double least_squares,
                          const struct friction_fit *const simpler[], size_t count, struct friction_fit *fit);

/* One element of a fit of Maxwell-slip less, of two that are merged or without the weakest, as long as the evidence
 * does not fall. */
void friction_merge_elements(const struct friction_motion *motion, struct friction_fit *fit);

#endif
