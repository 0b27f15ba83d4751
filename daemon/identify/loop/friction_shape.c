/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_shape.h"

#include <math.h>
#include <stddef.h>

/* Runge and Kutta's steps in x_d where the deflection grows with the way; its error is then below 1e-7 of the level for
 * every shape here. Where it grows slower they are longer by the fourth root, for the error goes with the slope too,
 * but never so long that what is left of it would not fade. */
static const double longest_step = 0.05, longest_fading = 0.25;

static struct friction_bend dahl_bend(const struct shape_parameters *parameters, double y, double level)
{
    (void)parameters;
    return (struct friction_bend){1 - y / level, -1 / level, y / (level * level), {0, 0}};
}

/* alpha grows smoothly from 0 at z_ba to 1 where all slides. */
static struct friction_bend elastoplastic_bend(const struct shape_parameters *parameters, double y, double level)
{
    const double elastic = parameters->z_ba, width = level - elastic;
    if (y <= elastic)
        return (struct friction_bend){.slope = 1};
    if (y >= level)
        return dahl_bend(parameters, y, level);
    const double angle = M_PI * (y - (level + elastic) / 2) / width;
    const double alpha = 0.5 + 0.5 * sin(angle), rise = 0.5 * cos(angle) * M_PI / width;
    struct friction_bend bend = {.slope = 1 - alpha * y / level, .by_y = -(rise * y + alpha) / level};
    bend.by_level = (rise * (y - elastic) / width + alpha / level) * y / level;
    bend.by_shape[0] = rise * (level - y) / width * y / level * elastic;
    return bend;
}

static struct friction_bend bouc_wen_bend(const struct shape_parameters *parameters, double y, double level)
{
    /* What is bent back beyond the level slides towards it: the law itself would let it run away there. */
    const bool beyond = y < -level;
    const double n = parameters->n_bw, ratio = beyond ? 1 : fabs(y) / level, part = ratio > 0 ? pow(ratio, n) : 0;
    const double factor = y > 0 ? 1 : 1 - 2 * parameters->beta_bw;
    struct friction_bend bend = {.slope = 1 - factor * part};
    if (!(ratio > 0))
        return bend;
    if (beyond) {
        bend.by_shape[1] = 2;
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

/* What changes along the way: y, and what y changes by each of the others. */
struct rates {
    double y, by_y, by_level, by_shape[2];
};

static struct rates rates_of(const struct friction_bend *bend, const struct rates *at)
{
    return (struct rates){
        bend->slope,
        bend->by_y * at->by_y,
        bend->by_y * at->by_level + bend->by_level,
        {bend->by_y * at->by_shape[0] + bend->by_shape[0], bend->by_y * at->by_shape[1] + bend->by_shape[1]}};
}

static struct rates moved(const struct rates *from, double way, const struct rates *rate)
{
    return (struct rates){from->y + way * rate->y,
                          from->by_y + way * rate->by_y,
                          from->by_level + way * rate->by_level,
                          {from->by_shape[0] + way * rate->by_shape[0], from->by_shape[1] + way * rate->by_shape[1]}};
}

/* One step of Runge and Kutta's fourth order, that begins at a known bend. */
static struct rates step_along(enum friction_shape shape, const struct shape_parameters *parameters, double level,
                               const struct rates *from, const struct friction_bend *bend, double way)
{
    const struct rates a = rates_of(bend, from), to_b = moved(from, way / 2, &a);
    const struct friction_bend bend_b = friction_bend_at(shape, parameters, to_b.y, level);
    const struct rates b = rates_of(&bend_b, &to_b), to_c = moved(from, way / 2, &b);
    const struct friction_bend bend_c = friction_bend_at(shape, parameters, to_c.y, level);
    const struct rates c = rates_of(&bend_c, &to_c), to_d = moved(from, way, &c);
    const struct friction_bend bend_d = friction_bend_at(shape, parameters, to_d.y, level);
    const struct rates d = rates_of(&bend_d, &to_d);
    struct rates at = moved(from, way / 6, &a);
    at = moved(&at, way / 3, &b);
    at = moved(&at, way / 3, &c);
    return moved(&at, way / 6, &d);
}

/* Where y does not change any more, what is left of other deflections fades exponentially. */
static const double at_rest = 1e-9;

/* So many steps are far more than any way takes that moves a deflection; a point that needs them is no model. */
enum { STEPS_MOST = 20000 };

struct bent_way friction_advance_bent(enum friction_shape shape, const struct shape_parameters *parameters, double y,
                                      double way, double level)
{
    struct rates at = {.y = y, .by_y = 1};
    struct friction_bend bend = friction_bend_at(shape, parameters, y, level);
    double step = 0;
    size_t steps = 0;
    for (double rest = way; rest > 0 && isfinite(bend.slope); rest -= step) {
        if (++steps > STEPS_MOST)
            return (struct bent_way){.y = NAN};
        const double slope = fabs(bend.slope);
        if (slope < at_rest && bend.by_y < 0) {
            const double left = exp(bend.by_y * rest), risen = (left - 1) / bend.by_y;
            at.y += risen * bend.slope;
            at.by_y *= left;
            at.by_level = left * at.by_level + risen * bend.by_level;
            for (int k = 0; k < 2; k++)
                at.by_shape[k] = left * at.by_shape[k] + risen * bend.by_shape[k];
            bend.slope *= left;
            break;
        }
        step = longest_step / (slope > 1 ? slope : fmax(sqrt(sqrt(slope)), 1e-3));
        step = fmin(rest, fmin(step, longest_fading / fmax(fabs(bend.by_y), longest_fading)));
        at = step_along(shape, parameters, level, &at, &bend, step);
        bend = friction_bend_at(shape, parameters, at.y, level);
    }
    return (struct bent_way){at.y, at.by_y, at.by_level, -way * bend.slope, {at.by_shape[0], at.by_shape[1]}};
}

double friction_advance(enum friction_shape shape, const struct shape_parameters *parameters, double y, double way,
                        double level)
{
    if (shapes[shape].advance)
        return shapes[shape].advance(y, way, level);
    return friction_advance_bent(shape, parameters, y, way, level).y;
}
