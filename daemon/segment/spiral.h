/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_SPIRAL_H
#define FRICID_SEGMENT_SPIRAL_H

/* e^(-beta theta) (cos theta, sin theta), of which every free half cycle is made: one complex multiplication leads from
 * angle to angle. */
struct spiral {
    double cosine, sine;
};

static inline struct spiral spiral_turned(struct spiral here, struct spiral turn)
{
    return (struct spiral){here.cosine * turn.cosine - here.sine * turn.sine,
                           here.cosine * turn.sine + here.sine * turn.cosine};
}

/* 0 <= beta <= 1. */
struct spiral spiral_at(double theta, double beta);

/* Taylor's series near 0, where few terms are exact to rounding, without the care for all arguments that the functions
 * of libm must take. For numbers and for vectors of them: xx is the square of the angle, x4 the square of that and x8
 * of that. Pairs of terms need not wait for each other (G. Estrin's scheme). */
#define SPIRAL_NEAR 0.8       /* largest angle: that between the samples of the shortest half cycle, five of them */
#define SPIRAL_NEAR_DECAY 0.2 /* largest beta theta */
#define SPIRAL_COSINE(xx, x4, x8)                                                                                      \
    ((1 - (xx) * (1 / 2.)) + (x4) * (1 / 24. - (xx) * (1 / 720.)) +                                                    \
     (x8) * ((1 / 40320. - (xx) * (1 / 3628800.)) + (x4) * (1 / 479001600. - (xx) * (1 / 87178291200.))))
#define SPIRAL_SINE(x, xx, x4, x8)                                                                                     \
    ((x) * ((1 - (xx) * (1 / 6.)) + (x4) * (1 / 120. - (xx) * (1 / 5040.)) +                                           \
            (x8) * ((1 / 362880. - (xx) * (1 / 39916800.)) + (x4) * (1 / 6227020800. - (xx) * (1 / 1307674368000.)))))
/* e^-x */
#define SPIRAL_DECAY(x, xx, x4)                                                                                        \
    ((1 - (x)) + (xx) * (1 / 2. - (x) * (1 / 6.)) +                                                                    \
     (x4) * ((1 / 24. - (x) * (1 / 120.)) + (xx) * (1 / 720. - (x) * (1 / 5040.)) + (x4) * (1 / 40320.)))

/* The spiral at -theta, 0 <= theta <= SPIRAL_NEAR, to 1e-8 of itself: it has grown there. */
static inline struct spiral spiral_back(double theta, double beta)
{
    double x = beta * theta, xx = x * x, tt = theta * theta, t4 = tt * tt;
    double growth = (1 + x) + xx * ((1 / 2. + x * (1 / 6.)) + xx * (1 / 24. + x * (1 / 120.)));
    double cosine = (1 - tt * (1 / 2.)) + t4 * ((1 / 24. - tt * (1 / 720.)) + t4 * (1 / 40320. - tt * (1 / 3628800.)));
    double sine = (1 - tt * (1 / 6.)) + t4 * ((1 / 120. - tt * (1 / 5040.)) + t4 * (1 / 362880.));
    return (struct spiral){growth * cosine, growth * sine * theta};
}

#endif
