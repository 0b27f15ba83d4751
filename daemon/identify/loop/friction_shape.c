/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_shape.h"

#include <math.h>
#include <stddef.h>

/* Where the deflection grows slower than the way, Runge and Kutta's steps are longer by the fourth root, for the error
 * goes with the slope too, but never so long that what is left of it would not fade: this many of the steps. */
static const double longest_fading = 5;

/* What each step of Runge and Kutta's works out three times and more: within its loop the compiler makes reciprocals
 * once, and leaves out what slopes alone want. */
#define ALONG __attribute__((always_inline)) static inline

ALONG struct friction_bend dahl_bend(const struct shape_parameters *parameters, double y, double level)
{
    (void)parameters;
    const double per_level = 1 / level;
    return (struct friction_bend){1 - y * per_level, -per_level, y * per_level * per_level, {0, 0}};
}

/* Sine and cosine of an angle of a quarter turn at most, by their series to 1e-9, in a third of the time of libm's. */
struct turn {
    double sine, cosine;
};

ALONG struct turn turn_of(double angle)
{
    const double a = angle * angle;
    const double sine =
        1 + a * (-1. / 6 +
                 a * (1. / 120 + a * (-1. / 5040 + a * (1. / 362880 + a * (-1. / 39916800 + a * (1. / 6227020800))))));
    const double cosine =
        1 +
        a * (-1. / 2 +
             a * (1. / 24 + a * (-1. / 720 + a * (1. / 40320 + a * (-1. / 3628800 +
                                                                    a * (1. / 479001600 - a * (1. / 87178291200)))))));
    return (struct turn){angle * sine, cosine};
}

/* alpha grows smoothly from 0 at z_ba to 1 where all slides. */
ALONG struct friction_bend elastoplastic_bend(const struct shape_parameters *parameters, double y, double level)
{
    const double elastic = parameters->z_ba, width = level - elastic;
    if (y <= elastic)
        return (struct friction_bend){.slope = 1};
    if (y >= level)
        return dahl_bend(parameters, y, level);
    const double per_level = 1 / level, per_width = 1 / width;
    const struct turn turn = turn_of(M_PI * per_width * (y - (level + elastic) / 2));
    const double alpha = 0.5 + 0.5 * turn.sine, rise = 0.5 * M_PI * per_width * turn.cosine, part = y * per_level;
    struct friction_bend bend = {.slope = 1 - alpha * part, .by_y = -(rise * y + alpha) * per_level};
    bend.by_level = (rise * (y - elastic) * per_width + alpha * per_level) * part;
    bend.by_shape[0] = rise * (level - y) * per_width * part * elastic;
    return bend;
}

ALONG struct friction_bend bouc_wen_bend(const struct shape_parameters *parameters, double y, double level)
{
    /* What is bent back beyond the level slides towards it: the law itself would let it run away there. */
    const bool beyond = y < -level;
    const double n = parameters->n_bw, ratio = beyond ? 1 : fabs(y) / level, part = ratio > 0 ? pow(ratio, n) : 0;
    const double factor = y > 0 ? 1 : 1 - 2 * parameters->beta_bw;
    struct friction_bend bend = {.slope = 1 - factor * part};
    if (!(ratio > 0))
        return bend;
    if (beyond) {
        bend.by_shape[1] = 2 * parameters->beta_bw;
        return bend;
    }
    bend.by_y = -factor * n * part / y;
    bend.by_level = factor * n * part / level;
    bend.by_shape[0] = -factor * part * n * log(ratio);
    bend.by_shape[1] = y > 0 ? 0 : 2 * parameters->beta_bw * part;
    return bend;
}

static double rigid_advance(double y, double way, double level)
{
    return way > 0 ? level : y;
}

static double dahl_advance(double y, double way, double level)
{
    return level + (y - level) * exp(-way / level);
}

static const struct {
    const char *name;
    struct friction_bend (*bend)(const struct shape_parameters *parameters, double y, double level); /* NULL: none */
    double (*advance)(double y, double way, double level); /* NULL: no closed form */
} shapes[FRICTION_SHAPES] = {
    [FRICTION_RIGID] = {"rigid", NULL, rigid_advance},
    [FRICTION_DAHL] = {"dahl", dahl_bend, dahl_advance},
    [FRICTION_ELASTOPLASTIC] = {"elastoplastic", elastoplastic_bend, NULL},
    [FRICTION_BOUC_WEN] = {"bouc_wen", bouc_wen_bend, NULL},
    [FRICTION_BACKLASH] = {"backlash", NULL, NULL},
    [FRICTION_MAXWELL] = {"maxwell_slip", NULL, NULL},
    [FRICTION_NONE] = {"frictionless", NULL, rigid_advance},
};

const char *friction_shape_name(enum friction_shape shape)
{
    return shapes[shape].name;
}

bool friction_shape_is_closed(enum friction_shape shape)
{
    return shapes[shape].advance;
}

struct friction_bend friction_bend_at(enum friction_shape shape, const struct shape_parameters *parameters, double y,
                                      double level)
{
    return shapes[shape].bend ? shapes[shape].bend(parameters, y, level) : (struct friction_bend){.slope = 0};
}

double friction_slope(enum friction_shape shape, const struct shape_parameters *parameters, double y, double level)
{
    return friction_bend_at(shape, parameters, y, level).slope;
}

/* What changes along the way: y, and what y changes by each of the others: those behind by_y where slopes are wanted.
 */
struct rates {
    double y, by_y, by_level, by_shape[2];
};

ALONG struct rates rates_of(const struct friction_bend *bend, const struct rates *at, bool slopes)
{
    struct rates rates = {.y = bend->slope, .by_y = bend->by_y * at->by_y};
    if (slopes) {
        rates.by_level = bend->by_y * at->by_level + bend->by_level;
        for (int k = 0; k < 2; k++)
            rates.by_shape[k] = bend->by_y * at->by_shape[k] + bend->by_shape[k];
    }
    return rates;
}

ALONG struct rates moved(const struct rates *from, double way, const struct rates *rate, bool slopes)
{
    struct rates rates = {.y = from->y + way * rate->y, .by_y = from->by_y + way * rate->by_y};
    if (slopes) {
        rates.by_level = from->by_level + way * rate->by_level;
        for (int k = 0; k < 2; k++)
            rates.by_shape[k] = from->by_shape[k] + way * rate->by_shape[k];
    }
    return rates;
}

typedef struct friction_bend bend_function(const struct shape_parameters *parameters, double y, double level);

/* One step of Runge and Kutta's fourth order, that begins at a known bend. */
ALONG struct rates step_along(bend_function *bend_at, const struct shape_parameters *parameters, double level,
                              const struct rates *from, const struct friction_bend *bend, double way, bool slopes)
{
    const struct rates a = rates_of(bend, from, slopes), to_b = moved(from, way / 2, &a, slopes);
    const struct friction_bend bend_b = bend_at(parameters, to_b.y, level);
    const struct rates b = rates_of(&bend_b, &to_b, slopes), to_c = moved(from, way / 2, &b, slopes);
    const struct friction_bend bend_c = bend_at(parameters, to_c.y, level);
    const struct rates c = rates_of(&bend_c, &to_c, slopes), to_d = moved(from, way, &c, slopes);
    const struct friction_bend bend_d = bend_at(parameters, to_d.y, level);
    const struct rates d = rates_of(&bend_d, &to_d, slopes);
    struct rates at = moved(from, way / 6, &a, slopes);
    at = moved(&at, way / 3, &b, slopes);
    at = moved(&at, way / 3, &c, slopes);
    return moved(&at, way / 6, &d, slopes);
}

/* Near the level what is left fades exponentially, but for how the fading itself changes: a curvature c of the slope
 * makes at most a fifth of c slope^2/|by_y|^3 on the way, which is below this part of the level times the step's fourth
 * power: a thirtieth of what the steps themselves leave. */
static const double least_bent = 1e-3;

typedef double curvature_function(const struct shape_parameters *parameters, double level);

/* Near the level alpha is 1 - (pi (level - y)/(2 width))^2. */
static inline double elastoplastic_curvature(const struct shape_parameters *parameters, double level)
{
    const double width = level - parameters->z_ba;
    return M_PI * M_PI / (2 * width * width);
}

/* Below a sharpness of 1 it grows away from the level, at half of that to 2^(2 - n) times as much: less than three
 * times, FRICTION_LEAST_SHARPNESS being a half. */
static inline double bouc_wen_curvature(const struct shape_parameters *parameters, double level)
{
    const double n = parameters->n_bw;
    return (n < 1 ? 3 * (1 - n) : n - 1) * n / (level * level);
}

/* Curvatures are those of the half beside the level. */
ALONG bool fades(double y, const struct friction_bend *bend, double curvature, double level, double step)
{
    const double fading = -bend->by_y, least = 5 * least_bent * level * (step * step) * (step * step);
    return y > level / 2 && fading > 0 && curvature * bend->slope * bend->slope < least * fading * fading * fading;
}

/* So many steps are far more than any way takes that moves a deflection; a point that needs them is no model. */
enum { STEPS_MOST = 20000 };

/* The rest of a way that fades. */
ALONG void fade(struct rates *at, struct friction_bend *bend, double level, double rest)
{
    const double left = exp(bend->by_y * rest);
    at->y = level + left * (at->y - level);
    at->by_y *= left;
    at->by_level = 1 + left * (at->by_level - 1);
    for (int k = 0; k < 2; k++)
        at->by_shape[k] *= left;
    bend->slope *= left;
}

/* How far one step may go at most: to where the slope begins to change, where it is exact, and from there by a part of
 * the width over which it does. */
typedef double reach_function(const struct shape_parameters *parameters, double y, double level, double step,
                              double by_y);

/* In the upper half of the width the slope changes the slower the nearer the level is, by what by_y says. */
static inline double elastoplastic_reach(const struct shape_parameters *parameters, double y, double level, double step,
                                         double by_y)
{
    const double elastic = parameters->z_ba, width = level - elastic;
    if (y < elastic - 1e-12)
        return elastic - y;
    if (!(y < level))
        return step * level;
    const bool upper = level - y < width / 2 && by_y < 0;
    return step * fmin(level, upper ? fmax(width, -M_2_PI / by_y) : width);
}

static inline double bouc_wen_reach(const struct shape_parameters *parameters, double y, double level, double step,
                                    double by_y)
{
    (void)by_y;
    return step * level * (fabs(y) < level / 2 ? 1 : fmin(1, 3 / parameters->n_bw));
}

/* Is compiled once for each shape, with slopes and without. */
static inline struct bent_way advance_by(bend_function *bend_at, reach_function *reach,
                                         curvature_function *curvature_at, const struct shape_parameters *parameters,
                                         double y, double way, double level, double step, bool slopes)
{
    struct rates at = {.y = y, .by_y = 1};
    struct friction_bend bend = bend_at(parameters, y, level);
    const double curvature = curvature_at(parameters, level);
    double gone = 0;
    size_t steps = 0;
    for (double rest = way; rest > 0 && isfinite(bend.slope); rest -= gone) {
        if (++steps > STEPS_MOST)
            return (struct bent_way){.y = NAN};
        if (fades(at.y, &bend, curvature, level, step)) {
            fade(&at, &bend, level, rest);
            break;
        }
        const double slope = fabs(bend.slope);
        const double fading = longest_fading * step / fmax(fabs(bend.by_y), longest_fading * step / level);
        const double longest = reach(parameters, at.y, level, step, bend.by_y);
        gone = fmin(rest, fmin(longest / (slope > 1 ? slope : fmax(sqrt(sqrt(slope)), 1e-3)), fading));
        at = step_along(bend_at, parameters, level, &at, &bend, gone, slopes);
        bend = bend_at(parameters, at.y, level);
    }
    return (struct bent_way){at.y, at.by_y, at.by_level, -way * bend.slope, {at.by_shape[0], at.by_shape[1]}};
}

/* From above its level an elastoplastic deflection slides down to it as Dahl's does. */
static struct bent_way slide(double y, double way, double level)
{
    const double left = exp(-way / level), above = (y - level) * left, along = above * way / (level * level);
    return (struct bent_way){level + above, left, 1 - left + along, along * level, {0, 0}};
}

static inline struct bent_way advance_bent(enum friction_shape shape, const struct shape_parameters *parameters,
                                           double y, double way, double level, double step, bool slopes)
{
    if (shape == FRICTION_BOUC_WEN)
        return advance_by(bouc_wen_bend, bouc_wen_reach, bouc_wen_curvature, parameters, y, way, level, step, slopes);
    if (y > parameters->z_ba && y >= level)
        return slide(y, way, level);
    return advance_by(elastoplastic_bend, elastoplastic_reach, elastoplastic_curvature, parameters, y, way, level, step,
                      slopes);
}

struct bent_way friction_advance_bent(enum friction_shape shape, const struct shape_parameters *parameters, double y,
                                      double way, double level, double step, bool slopes)
{
    return slopes ? advance_bent(shape, parameters, y, way, level, step, true)
                  : advance_bent(shape, parameters, y, way, level, step, false);
}

double friction_advance(enum friction_shape shape, const struct shape_parameters *parameters, double y, double way,
                        double level)
{
    if (shapes[shape].advance)
        return shapes[shape].advance(y, way, level);
    return friction_advance_bent(shape, parameters, y, way, level, FRICTION_FINE_STEP, false).y;
}
