/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_PLOT_SCRIPT_H
#define FRICID_CLIENT_PLOT_SCRIPT_H

#include "client/plot_extrema.h"
#include "client/plot_motion.h"
#include "client/screen.h"

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

/* A kind of picture, in gnuplot's words, and how large one with two parts is. */
struct plot_terminal {
    const char *name, *unit, *options;
    double width, height;
};

/* Chooses it, so many times as tall; NULL: nothing is said. */
void plot_terminal_put(FILE *stream, const struct plot_terminal *terminal, double taller);

/* The picture of one decay as a script for gnuplot: the samples, the motion that the identified figures describe, and
 * below what they leave over. Where the figures are those of the extrema alone, because no single frequency follows the
 * record, their heights stand for the motion, and below is the frequency against the amplitude. The script holds
 * everything that it needs, so that it can be kept and changed. */
struct plot_script {
    FILE *stream;
    const struct plot_terminal *terminal; /* NULL: whatever gnuplot shows by itself */
    const json_t *result;                 /* RESULT of the protocol */
    const char *of;                       /* what it is a picture of; NULL: as the result says */
    double origin_s;                      /* the time at which the picture's begins: the first extremum, s */
    double start_s, end_s;                /* of the record, from there */
    struct plot_motion motion;
    struct plot_extrema extrema;
    double noise;
    size_t samples, flagged; /* so far */
    int error;               /* 0, or -ENOMEM: the motion is not all there */
};

/* Everything before the samples; `total` says how many will come, `start_s` when the first was taken. */
void plot_script_begin(struct plot_script *script, double start_s);

/* One answer of the method `samples`: times from the first extremum on (s), displacement, flags. */
void plot_script_samples(struct plot_script *script, const json_t *samples);

/* What is drawn of them. `glyphs` spell the figures on the picture. 0 or -ENOMEM. */
int plot_script_end(struct plot_script *script, const struct glyphs *glyphs);

void plot_script_clear(struct plot_script *script);

#endif
