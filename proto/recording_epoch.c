/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Differences of decimals of up to 19 digits, in integers of 128 bits, where what is written fits. */

#include "proto/recording_epoch.h"

#include <math.h>
#include <stdlib.h>

/* No rig, and hardly a computer, runs for so long since its own zero; from here on doubles round to 2 ns, s. */
#define FARTHEST_S 1e7

/* Powers of ten by which 19 digits may be multiplied within 127 bits. */
enum { MOST_TENS = 18 };

typedef __int128 wide;

static wide times_tens(wide number, int tens)
{
    for (; tens > 0; tens--)
        number *= 10;
    return number;
}

static wide signed_digits(const struct decimal *decimal)
{
    return decimal->negative ? -(wide)decimal->digits : (wide)decimal->digits;
}

struct recording_epoch recording_epoch_of(const struct decimal *first, double unit_s)
{
    const bool far = fabs(first->value) * unit_s >= FARTHEST_S;
    return far ? (struct recording_epoch){true, *first, unit_s} : (struct recording_epoch){.far = false};
}

double recording_epoch_since(const struct recording_epoch *epoch, const struct decimal *stamp, bool *exact)
{
    const struct decimal *first = &epoch->first;
    const int place = stamp->last_place < first->last_place ? stamp->last_place : first->last_place;
    const int later_tens = stamp->last_place - place, first_tens = first->last_place - place;
    *exact = stamp->complete && first->complete && later_tens <= MOST_TENS && first_tens <= MOST_TENS;
    if (!*exact)
        return (stamp->value - first->value) * epoch->unit_s;
    const wide difference = times_tens(signed_digits(stamp), later_tens) - times_tens(signed_digits(first), first_tens);
    /* Dividing by a power of ten, which a double holds, rounds once; multiplying by its inverse would twice. */
    const double number = (double)difference, tens = pow(10, abs(place));
    return (place < 0 ? number / tens : number * tens) * epoch->unit_s;
}

int64_t recording_epoch_ns(const struct recording_epoch *epoch)
{
    const struct decimal *first = &epoch->first;
    const double unit_ns = epoch->unit_s * 1e9;
    if (!first->complete || first->last_place < -MOST_TENS || first->last_place > MOST_TENS)
        return (int64_t)llround(first->value * unit_ns);
    const wide tens = times_tens(1, abs(first->last_place)), whole = signed_digits(first) * (wide)llround(unit_ns);
    const wide half = whole < 0 ? -tens / 2 : tens / 2;
    return (int64_t)(first->last_place < 0 ? (whole + half) / tens : whole * tens);
}
