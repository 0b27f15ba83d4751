/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_STEADY_LINES_H
#define FRICID_IDENTIFY_STEADY_LINES_H

#include "identify/ring_down/ring_down_mode.h"

/* Lines of one record that are told: those of which a sensor sees most. */
enum { STEADY_LINES = 8 };

/* What goes on through a blow, or behind it, without decaying: hum of the mains, or a machine beside. It is no mode. */
struct steady_line {
    double f_hz, se_f_hz;
    double amplitude, se_amplitude;  /* of the displacement, at the sensor that sees most of it */
    const char *sensor;              /* borrowed */
    double angle;                    /* of a sample */
    double complex of[PASS_SENSORS]; /* what each sensor sees of it, at the ring-down's first sample */
};

/* The samples before a blow: how far before the ring-down's first they begin, and how many; 0: nothing is known to
 * be calm. */
struct calm_before {
    size_t ago, count;
};

/* Looks for them in what the modes that have an answer leave of a ring-down; a line is one that the calm has as well,
 * or, where that is too short to tell, one that decays more slowly than any mode. found: how many. VERDICT_OK,
 * VERDICT_NO_MEMORY or VERDICT_CANCELLED. */
enum verdict steady_lines_of(const struct ring_down_samples *samples, struct calm_before calm,
                             const struct ring_down_mode *modes, size_t count, const atomic_bool *cancel,
                             struct steady_line lines[STEADY_LINES], size_t *found);

/* The amplitude at a frequency through Hann's window over `count` samples behind `from`, turned back from the first
 * sample; angle: of a sample. */
double complex steady_line_amplitude(const double *samples, size_t from, size_t count, double angle);

/* What is as near to a line is that line. */
double steady_line_width(const struct ring_down_samples *samples);

/* Whether a mode that has an answer may be what is left of one of the lines, where this was taken away: it is as near,
 * and weaker. */
bool steady_lines_hide(const struct ring_down_samples *samples, const struct steady_line *lines, size_t found,
                       const struct ring_down_mode *mode);

/* Whether one of the lines is in the band of a mode. */
bool steady_lines_beside(const struct steady_line *lines, size_t found, const struct ring_down_mode *modes,
                         size_t count);

/* From `count` samples of a sensor, from the ring-down's first on. */
void steady_lines_take_away(const struct steady_line *lines, size_t found, size_t sensor, double *samples,
                            size_t count);

/* Whether lines that were told before are others now, or one has another amplitude by more than its error was. */
bool steady_lines_moved(const struct steady_line *before, size_t found_before, const struct steady_line *now,
                        size_t found);

/* Modes that do not decay, and at whose frequencies such a line is, are these lines, and none of the modes. */
void steady_lines_remove(const struct ring_down_samples *samples, const struct steady_line *lines, size_t found,
                         struct ring_down_mode *modes, size_t *count);

#endif
