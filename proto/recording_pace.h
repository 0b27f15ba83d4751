/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_RECORDING_PACE_H
#define FRICID_PROTO_RECORDING_PACE_H

#include <stdbool.h>
#include <stdint.h>

/* Whether stamps are start + i * period within two units in their last place, so that the index may stand for the time;
 * for stamps that come one after the other. A zeroed pace is not begun. */
struct recording_pace {
    double first_s, rough_period_s;
    double exact_s;   /* all stamps lie this near to an even clock: nothing but rounding */
    double rounded_s; /* as near as an even clock's stamps lie when they are written with few decimals */
    double count, last_s, worst_s;
    double short_steps, long_steps; /* against the rough period */
    double batches;                 /* steps that are no mere trickle within one */
    double squares;                 /* the sum of squares of what they deviate by from the rough period */
    double sum, moment; /* of what the stamps deviate by from the rough period, and of that times the index */
};

/* stamp_unit: the last decimal place as written, s (0: not known, the doubles' own resolution counts). Where it is more
 * than 1 % of a period, stamps pass for rounded ones only if their steps change between shorter and longer, as those
 * of an even clock do: a sample that is missing must not hide behind few decimals. */
void recording_pace_begin(struct recording_pace *pace, double first_s, double last_s, uint64_t count,
                          double stamp_unit);

/* Takes the next stamp; false when the stamps cannot be uniform any more. */
bool recording_pace_note(struct recording_pace *pace, double time_s);

/* After the last stamp: whether they are uniform. */
bool recording_pace_uniform(const struct recording_pace *pace);

/* The period after the last stamp, s: the straight line through all of them, which is better than from the first to the
 * last where stamps are rounded. */
double recording_pace_period(const struct recording_pace *pace);

/* The relative standard uncertainty of that period where the clock is taken for even whatever the stamps say: that of
 * the line through them. Stamps that stand still come in batches, which deviate as one. */
double recording_pace_uncertainty(const struct recording_pace *pace);

#endif
