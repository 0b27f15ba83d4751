/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_SEGMENT_JUDGE_H
#define FRICID_TESTS_SEGMENT_JUDGE_H

#include "random_lab.h"
#include "segment_harness.h"

/* What a segmenter found against what there was. The truth comes from the generator alone:
 *
 * - A decay has to be found when at least three half cycles follow the latest extremum at which its record may begin,
 *   each with a swing that shows (random_lab.h).
 * - Its record begins at the first extremum after the first half cycle, which is the first one that comes more than a
 *   quarter of a cycle after the release. Where the release itself cannot be told to that accuracy, because the mass
 *   was let go in full motion, the next one will do as well; likewise after a blow, a gap or clipped samples, where
 *   motion is free from the start and any of the first two extrema will do.
 * - It ends for the reason that there was, as far as that is beyond doubt (see judge_name() in the source). */
struct tally {
    size_t decays;    /* that there were */
    size_t expected;  /* that had to be found */
    size_t missed;    /* of these */
    size_t twice;     /* found in more than one piece */
    size_t early;     /* begins at an extremum of the free motion, but within the half cycle that was to be dropped */
    size_t misplaced; /* begins more than a tenth of a cycle from the true extremum */
    size_t misnamed;  /* ended_by is wrong beyond doubt */
    size_t cut_short; /* ends more than a cycle before the motion stops to show */
    size_t overrun;   /* goes on for more than a tenth of a cycle after the stop, as can be seen */
    size_t late;      /* decided more than two periods after its end */
};

struct verdicts {
    struct tally all, by_start[TRUE_STARTS], by_end[TRUE_ENDS], by_electronics[ELECTRONICS];
    struct tally plain; /* released from a hold, and left alone until they came to rest */
    size_t invented;    /* overlaps with no decay */
    size_t spikes;      /* in records */
    size_t spikes_missed;
    size_t samples, samples_blamed; /* in records: good ones, and those of them that were flagged as spikes */
    double latest;                  /* of the decisions: periods after the end of the decay */
};

void judge(const struct lab *lab, const struct findings *findings, struct verdicts *verdicts);

/* Faults for which a seed is worth a line: all but a name and lateness. */
size_t verdicts_faults(const struct verdicts *verdicts);

/* What one seed added to the verdicts, in a line, with the command that shows it again. */
void verdicts_print_seed(const char *kind, uint64_t seed, const struct verdicts *before, const struct verdicts *after);

void verdicts_print(const struct verdicts *verdicts);

/* Truth and findings of one stream side by side, for whoever looks into a failure. */
void judge_explain(const struct lab *lab, const struct findings *findings);

/* Identifies the records that belong to a decay and compares with the true parameters. */
struct parameters {
    size_t records; /* that the segmenter accepted */
    size_t refused; /* of these: the identification has no answer, but a named verdict */
    size_t outside; /* one parameter at least is off by more than five standard errors */
};

/* Every `every`-th record only. */
void judge_parameters(const struct lab *lab, uint64_t seed, const struct findings *findings, size_t every,
                      struct parameters *sum);

void parameters_print(const struct parameters *sum);

#endif
