/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_HUM_H
#define FRICID_SEGMENT_HUM_H

/* Hum and slow ripple on the motion are borne up to this amplitude, of X_0. All that is judged by it follows from here;
 * the first swing of a decay is twice X_0. */
#define HUM_OF_X0 0.01

/* Of the first swing: the amplitude of such hum, its span from peak to peak, and that with a fifth more for noise. */
#define HUM_OF_SWING (HUM_OF_X0 / 2)
#define HUM_SPAN HUM_OF_X0
#define HUM_SPAN_AT_MOST (1.2 * HUM_SPAN)

#endif
