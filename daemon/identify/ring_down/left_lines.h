/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LEFT_LINES_H
#define FRICID_IDENTIFY_LEFT_LINES_H

#include <stddef.h>

/* Lines of a ring-down's spectrum that are told neither as modes nor as steady lines, and why. */

enum left_cause {
    LEFT_WEAK,        /* below 1 % of the strongest one's amplitude */
    LEFT_COMBINATION, /* where one mode or two make a line */
    LEFT_NOT_FALLING, /* it is as strong in the second half of the ring-down as in the first */
    LEFT_BEYOND_MOST, /* more than RING_DOWN_MODES stand out, and it is among the lowest */
    LEFT_EXPLAINED,   /* the motions of the modes have it in them */
    LEFT_STOPPED,     /* nobody looked at it any more */
    LEFT_CAUSES
};

/* The name that appears in JSON, from 0; and a sentence of it. */
const char *left_cause_name(size_t cause);
const char *left_cause_sentence(enum left_cause cause);

/* So many lines are listed, the highest of them, of which each names so many others at the most. */
enum { LEFT_LINES = 24, LEFT_OTHERS = 2 };

struct left_line {
    double f_hz;
    double height; /* over the noise around it, in power */
    enum left_cause cause;
    const char *reason;
    size_t others;
    double other_hz[LEFT_OTHERS]; /* of the modes that make it, or are it */
};

struct left_lines {
    size_t count;
    struct left_line line[LEFT_LINES]; /* by frequency */
};

/* One more, of which the reason need not be filled in. left NULL: nobody asks. */
void left_lines_add(struct left_lines *left, const struct left_line *line);

/* Those of a cause that are as near to a frequency are told elsewhere. */
void left_lines_drop(struct left_lines *left, enum left_cause cause, double f_hz, double near_hz);

#endif
