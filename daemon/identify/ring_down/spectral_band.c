/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/spectral_band.h"

#include "identify/ring_down/baseband.h"

#include <math.h>

/* A band ends before the next mode. It is no wider, for what a wider one holds besides the mode would be counted as
 * what its model leaves; nor narrower, for its filter hides five cycles over this share, half of them at the beginning.
 */
#define BAND_SHARE 0.25
#define BAND_TO_NEXT 0.9
/* The widest band ends well above 0, where drifts are. */
#define WIDEST_SHARE 0.8
/* In a short record a band is wider, this over the record's duration, but not beyond 0 Hz: the filter then leaves some
 * twenty samples of the band, which a decay needs. */
#define SHORTEST 24.0

/* Two modes may be as far from the middle of their band, of its reach: there the filter takes away a thousandth. */
#define NEARLY_FLAT 0.25

double spectral_band(double f_hz, double to_next_hz, double duration_s)
{
    const double wide = fmin(fmax(BAND_SHARE * f_hz, SHORTEST / duration_s), f_hz);
    return fmin(wide, BAND_TO_NEXT * to_next_hz);
}

bool spectral_band_is_short(double to_next_hz, double duration_s)
{
    return BAND_TO_NEXT * to_next_hz * duration_s < SHORTEST;
}

double spectral_band_of_two(double middle_hz, double apart_hz, double to_next_hz, double duration_s)
{
    const double flat = fmin(0.5 * apart_hz / BASEBAND_FLAT, middle_hz);
    return fmin(fmax(spectral_band(middle_hz, INFINITY, duration_s), flat), BAND_TO_NEXT * to_next_hz);
}

bool spectral_band_holds_two(double stop_hz, double apart_hz)
{
    return 0.5 * apart_hz <= NEARLY_FLAT * stop_hz;
}

double spectral_widest_band(double f_hz, double to_next_hz)
{
    return fmin(WIDEST_SHARE * f_hz, BAND_TO_NEXT * to_next_hz);
}
