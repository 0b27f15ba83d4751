/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_HALF_CYCLE_PASS_LANES_H
#define FRICID_IDENTIFY_HALF_CYCLE_PASS_LANES_H

#include "identify/decay/half_cycle_pass.h"
#include "motion/loops.h"

/* The motion of a half cycle in the lanes of a vector, from sample to sample, and its last samples, for the files of
 * loops. */

/* Rotations in a row before the phasors are computed afresh, which bounds what rounding gathers. */
enum { ANCHOR_INTERVAL = 64 };

static const double lane_index[8] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};

/* The mask of the first n lanes begins n before the middle. */
enum { PRESENT = 8 };
static const long long presence[2 * PRESENT] = {-1, -1, -1, -1, -1, -1, -1, -1};

/* e^(-beta theta) (cos theta + i sin theta) in every lane, and theta itself. */
struct phasors {
    lanes re, im, theta, step;
};

/* start: the phasor at theta. */
static inline void anchor_at(const struct half_cycle_pass *pass, double theta, struct phasor start,
                             struct phasors *phasor)
{
    const lanes turn_re = *(const loose *)pass->lane_re;
    const lanes turn_im = *(const loose *)pass->lane_im;
    const lanes index = *(const loose *)lane_index;
    phasor->re = start.re * turn_re - start.im * turn_im;
    phasor->im = start.re * turn_im + start.im * turn_re;
    phasor->theta = theta + pass->omega_d * index;
    phasor->step = index;
}

static inline void anchor(const struct half_cycle_pass *pass, double theta, struct phasors *phasor)
{
    anchor_at(pass, theta, phasor_at(pass->beta, theta), phasor);
}

static inline void advance(const struct half_cycle_pass *pass, double theta, struct phasors *phasor)
{
    const double turn_re = pass->stride_re[LANES_KIND], turn_im = pass->stride_im[LANES_KIND];
    lanes re = phasor->re * turn_re - phasor->im * turn_im;
    phasor->im = phasor->re * turn_im + phasor->im * turn_re;
    phasor->re = re;
    phasor->step += (double)LANES;
    phasor->theta = theta + pass->omega_d * phasor->step;
}

/* The last values, fewer than LANES, and which lanes they are; the other lanes may hold anything. */
static inline void load_rest(const struct half_cycle_pass *pass, const double *y, size_t left, lanes *value,
                             masks *present)
{
    *present = (masks)(*(const loose *)(presence + PRESENT - left));
    if (pass->beyond && (size_t)(pass->beyond - y) >= LANES) {
        *value = *(const loose *)y;
        return;
    }
    /* A vector of what was just stored one by one has to wait: only where the record itself ends. */
    double values[LANES] = {0};
    for (size_t k = 0; k < left; k++)
        values[k] = y[k];
    *value = *(const loose *)values;
}

/* The values that are there, and 0 in the place of the others, whatever they are. */
static inline lanes only(lanes value, masks present)
{
    return (lanes)((masks)value & present);
}

/* What some samples are compared with, the same for all of a half cycle: a scaled value plus shift is its height above
 * the curve's constant. */
struct compared {
    double scale, shift, beta, amplitude;
};

static inline struct compared compared_with(const struct half_cycle_pass *pass, const struct half_cycle_curve *curve)
{
    return (struct compared){pass->scale, -pass->offset * pass->scale - curve->constant, pass->beta, curve->amplitude};
}

#endif
