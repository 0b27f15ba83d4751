/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_MONITOR_RASTER_H
#define FRICID_CLIENT_MONITOR_RASTER_H

#include "client/monitor/canvas.h"
#include "client/monitor/trace.h"

#include <stdbool.h>

/* A trace as dots, several to a character: Braille patterns of two by four, or in ASCII points of one by two. */

/* What lies between the edges of the picture. */
struct frame {
    double from_s, to_s;
    double low, high;
};

/* Draws into all of an area. */
void raster_draw(struct canvas *canvas, struct area area, const struct trace *trace, const struct frame *frame,
                 bool ascii);

/* Numbers along an axis: multiples of a step of 1, 2 or 5 times a power of ten. */
struct ticks {
    double step;
    int decimals; /* that tell one number from the next */
};

/* The smallest step of which at most so many lie between low and high. */
struct ticks ticks_for(double low, double high, int most);

#endif
