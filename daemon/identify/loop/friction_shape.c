/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_shape.h"

#include <math.h>

/* In x_d: the fourth order's error is then below 1e-7 of the level for every shape here. */
static const double longest_step = 0.05;

static double dahl_slope(const struct shape_parameters *parameters, double y, double level)
{
    (void)parameters;
    return 1 - y / level;
}

/* alpha grows smoothly from 0 at z_ba to 1 where all slides. */
static double elastoplastic_slope(const struct shape_parameters *parameters, double y, double level)
{
    const double elastic = parameters->z_ba;
    if (y <= elastic)
        return 1;
    if (y >= level)
        return 1 - y / level;
    const double alpha = 0.5 + 0.5 * sin(M_PI * (y - (level + elastic) / 2) / (level - elastic));
    return 1 - alpha * y / level;
}

static double bouc_wen_slope(const struct shape_parameters *parameters, double y, double level)
{
    const double part = pow(fabs(y) / level, parameters->n_bw);
    return y > 0 ? 1 - part : 1 - (1 - 2 * parameters->beta_bw) * part;
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
    double (*slope)(const struct shape_parameters *parameters, double y, double level); /* NULL: there is none */
    double (*advance)(double y, double way, double level);                              /* NULL: no closed form */
} shapes[FRICTION_SHAPES] = {
    [FRICTION_RIGID] = {"rigid", NULL, rigid_advance},
    [FRICTION_DAHL] = {"dahl", dahl_slope, dahl_advance},
    [FRICTION_ELASTOPLASTIC] = {"elastoplastic", elastoplastic_slope, NULL},
    [FRICTION_BOUC_WEN] = {"bouc_wen", bouc_wen_slope, NULL},
};

const char *friction_shape_name(enum friction_shape shape)
{
    return shapes[shape].name;
}

double friction_slope(enum friction_shape shape, const struct shape_parameters *parameters, double y, double level)
{
    return shapes[shape].slope ? shapes[shape].slope(parameters, y, level) : 0;
}

double friction_advance(enum friction_shape shape, const struct shape_parameters *parameters, double y, double way,
                        double level)
{
    if (shapes[shape].advance)
        return shapes[shape].advance(y, way, level);
    for (double rest = way, h = 0; rest > 0; rest -= h) {
        const double a = friction_slope(shape, parameters, y, level);
        /* All slides: the rest of a long way changes nothing. */
        if (!isfinite(a) || fabs(a) * rest < 1e-16 * level)
            break;
        h = fmin(rest, longest_step / fmax(1, fabs(a)));
        const double b = friction_slope(shape, parameters, y + h / 2 * a, level);
        const double c = friction_slope(shape, parameters, y + h / 2 * b, level);
        const double d = friction_slope(shape, parameters, y + h * c, level);
        y += h / 6 * (a + 2 * b + 2 * c + d);
    }
    return y;
}
