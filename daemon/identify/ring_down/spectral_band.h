/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_SPECTRAL_BAND_H
#define FRICID_IDENTIFY_SPECTRAL_BAND_H

#include <stdbool.h>

/* How far the band of a mode reaches whose nearest neighbour is so far away, in a record of that duration. */
double spectral_band(double f_hz, double to_next_hz, double duration_s);

/* Whether it is then narrower than that record wants, so that neighbours are to be fitted at once. */
bool spectral_band_is_short(double to_next_hz, double duration_s);

/* How far the band of two neighbours reaches from the middle between them, where the nearest of the others is so far
 * from that: both are where its filter is flat, if the others let it be so wide. */
double spectral_band_of_two(double middle_hz, double apart_hz, double to_next_hz, double duration_s);
bool spectral_band_holds_two(double stop_hz, double apart_hz);

/* Likewise the widest, through which what changes within a few cycles is seen. */
double spectral_widest_band(double f_hz, double to_next_hz);

#endif
