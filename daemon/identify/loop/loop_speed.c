/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_speed.h"

#include <math.h>
#include <stdbool.h>

enum { REVERSALS = 3 };

/* No difference over a corner is a speed. */
static bool reverses_between(const struct loop_ride *ride, double from_s, double to_s)
{
    bool reverses = false;
    for (int k = 0; k < REVERSALS; k++) {
        const struct loop_reversal *reversal = ride->reversal[k];
        reverses = reverses || (reversal->corner && reversal->time_s > from_s && reversal->time_s < to_s);
    }
    return reverses;
}

/* A difference over samples on either side of one. */
struct difference {
    double from_s, to_s, speed, square; /* square: of the speed, less what the noise adds */
};

static struct difference difference_at(const struct loop_signal *signal, size_t i, size_t reach)
{
    const double *t = signal->time_s, *x = signal->displacement, noise = signal->noise_displacement;
    const size_t back = i >= reach ? i - reach : 0, on = i + reach < signal->count ? i + reach : signal->count - 1;
    const double over_s = t[on] - t[back], way = x[on] - x[back];
    return (struct difference){t[back], t[on], way / over_s, (way * way - 2 * noise * noise) / (over_s * over_s)};
}

/* Where it turns back at corners the samples beside these say nothing of the speed, and the others stand for them.
 * Elsewhere it is slow there, and it is the same whether a sample more or less is taken at the ends. */
static double squares_by_samples(const struct loop_ride *ride, size_t reach)
{
    const double *t = ride->signal->time_s;
    double sum = 0, time_s = 0;
    bool corners = false;
    for (size_t i = ride->first; i < ride->last; i++) {
        const struct difference difference = difference_at(ride->signal, i, reach);
        if (reverses_between(ride, difference.from_s, difference.to_s)) {
            corners = true;
            continue;
        }
        sum += difference.square * (t[i + 1] - t[i]);
        time_s += t[i + 1] - t[i];
    }
    return corners ? sum / time_s * ride->period_s : sum;
}

/* --- where it rests --- */

/* Whether the motion sets out, or ends, with a speed. */
static bool is_sharp(const struct loop_reversal *reversal)
{
    return reversal->rest_s > 0 || reversal->corner;
}

/* The samples from one reversal to the next that certainly move. */
struct way {
    const struct loop_reversal *from, *to;
    size_t first, last;
};

static struct way way_between(const struct loop_reversal *from, const struct loop_reversal *to)
{
    struct way way = {from, to, from->sample, to->sample};
    if (is_sharp(from))
        way.first = from->rest_s > 0 ? from->left + from->blur : from->sample + 1;
    if (is_sharp(to)) {
        const size_t at = to->rest_s > 0 ? to->arrived : to->sample, back = to->rest_s > 0 ? to->blur : 1;
        way.last = at > back ? at - back : 0;
    }
    return way;
}

/* From sample to sample, by differences that no rest is in; before the first of these and behind the last it goes on
 * as fast, and the integral of v^2 dt is that of v dx. NAN: the way is too short for that. */
static double squares_of_way(const struct loop_signal *signal, const struct way *way, size_t reach)
{
    const double *t = signal->time_s, *x = signal->displacement;
    const size_t first = way->first + (is_sharp(way->from) ? reach : 0), behind = is_sharp(way->to) ? reach : 0;
    if (!(first + behind < way->last))
        return NAN;
    const size_t last = way->last - behind;
    const struct difference begins = difference_at(signal, first, reach), ends = difference_at(signal, last, reach);
    double sum = 0;
    for (size_t i = first; i < last; i++)
        sum += 0.5 * (difference_at(signal, i, reach).square + difference_at(signal, i + 1, reach).square) *
               (t[i + 1] - t[i]);
    sum += is_sharp(way->from) ? begins.speed * (x[first] - way->from->displacement) : 0;
    sum += is_sharp(way->to) ? ends.speed * (way->to->displacement - x[last]) : 0;
    return sum;
}

static bool rests(const struct loop_ride *ride)
{
    return ride->reversal[0]->rest_s > 0 || ride->reversal[1]->rest_s > 0 || ride->reversal[2]->rest_s > 0;
}

/* A difference over the end of a rest is no speed either; of what rests the square is 0. */
static double squares_with(const struct loop_ride *ride, size_t reach)
{
    if (!rests(ride))
        return squares_by_samples(ride, reach);
    const struct way up = way_between(ride->reversal[0], ride->reversal[1]);
    const struct way down = way_between(ride->reversal[1], ride->reversal[2]);
    return squares_of_way(ride->signal, &up, reach) + squares_of_way(ride->signal, &down, reach);
}

/* --- the whole --- */

/* What the noise does at sharp ends of ways beside a rest, over the squares: the level of the rest is known, so that
 * it is that of the samples next to it, about twice that of one at each. */
static double noise_of_ends(const struct loop_ride *ride, double share)
{
    if (!rests(ride))
        return 0;
    const double ends = is_sharp(ride->reversal[0]) + 2 * is_sharp(ride->reversal[1]) + is_sharp(ride->reversal[2]);
    return share * sqrt(ends / 8);
}

/* Of differences whose noise is that share of the speed: the noise itself goes with the curvature of the motion alone,
 * of a sine so much, and its squares scatter by sqrt(3) of it. A second reach, which takes out the square of the first,
 * makes 4/3 of that. */
static double noise_of_differences(double share, double noise, double samples)
{
    return hypot(2 * M_SQRT2 * share, 4 / sqrt(3) * noise * noise) / sqrt(samples);
}

/* What goes with the square of the reach is taken out by one twice as far. */
static double without_square(double near, double far)
{
    return (4 * near - far) / 3;
}

/* Neither rests nor corners are known of. */
static bool turns_at_once(const struct loop_ride *ride)
{
    return !is_sharp(ride->reversal[0]) && !is_sharp(ride->reversal[1]) && !is_sharp(ride->reversal[2]);
}

/* What differences over that angle on either side leave of the square of a sine's speed. */
static double left_of_sine(double angle)
{
    return pow(sin(angle) / angle, 2);
}

/* A corner that nobody knows of costs more the farther differences reach, and so much again over twice as many samples.
 * Those of a sine cost it something, too. */
static double beside_a_sine(const struct loop_ride *ride, double value, double far, size_t reach)
{
    const double angle = 2 * M_PI * (double)reach / (double)(ride->last - ride->first);
    const double of_sine = without_square(left_of_sine(2 * angle), left_of_sine(4 * angle)) /
                           without_square(left_of_sine(angle), left_of_sine(2 * angle));
    return without_square(far, squares_with(ride, 4 * reach)) / value - of_sine;
}

/* The noise of a difference is kept near a sixth of the speed; the square of the reach that this costs is taken out by
 * a second reach. Where a way is too short for it, the smallest has to do. */
struct loop_squares loop_squares_of(const struct loop_ride *ride)
{
    const double samples = (double)(ride->last - ride->first);
    const double share = ride->signal->noise_displacement / ride->half_stroke;
    const double most = fmax(1, floor(samples / 20)), fits = fmin(fmax(1, ceil(share * samples)), most);
    size_t reach = (size_t)fits;
    double far = squares_with(ride, 2 * reach);
    while (isnan(far) && reach > 1)
        far = squares_with(ride, 2 * --reach);
    const double near = squares_with(ride, reach), noise = share * samples / (2 * M_PI * (double)reach);
    const double value = isnan(far) ? near : without_square(near, far);
    return (struct loop_squares){value, hypot(noise_of_differences(share, noise, samples), noise_of_ends(ride, share)),
                                 turns_at_once(ride) ? beside_a_sine(ride, value, far, reach) : 0};
}
