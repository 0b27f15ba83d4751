/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl calibrate: known displacements, what the sensor says at each, and the lines for the configuration. */

#include "client/command.h"
#include "client/figures.h"
#include "client/polynomial.h"
#include "client/reply.h"
#include "client/signal_feed.h"
#include "proto/json_value.h"
#include "proto/quote.h"
#include "proto/utf8.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_POINTS = 100, MAX_TERMS = 8, WINDOWS = 10, UNIT_BYTES = 32 };

/* What was measured so far. */
struct points {
    double sensor[MAX_POINTS], displacement[MAX_POINTS];
    size_t count;
    char unit[UNIT_BYTES];        /* of the displacements: as typed, or the channel's own; empty: not known yet */
    char sensor_unit[UNIT_BYTES]; /* "V", "counts"; empty: the source does not say */
};

/* What the sensor says at one of them. */
struct reading {
    double samples; /* 0: none came, and the other two are NAN */
    double mean, uncertainty;
    struct signal_reach reach;
};

/* The curve through them. */
struct curve {
    size_t terms;
    double coefficients[MAX_TERMS], covariance[MAX_TERMS * MAX_TERMS], rms;
    double full_scale;        /* the largest known displacement */
    double gain_percent;      /* standard uncertainty of the slope in the middle; NAN: as many points as terms */
    double linearity_percent; /* the largest residual, of full scale */
};

/* --- asking --- */

/* A number, and its unit if one is typed; 0 at an empty line or the end of input, -EINVAL for anything else. */
static int read_displacement(double *displacement, char *unit, size_t size)
{
    static const char blank[] = " \t\r\n";
    char line[256], *end;
    if (!fgets(line, sizeof line, stdin) || line[strspn(line, blank)] == '\0')
        return 0;
    errno = 0;
    *displacement = strtod(line, &end);
    if (errno || end == line || !isfinite(*displacement))
        return -EINVAL;
    end += strspn(end, blank);
    size_t length = strcspn(end, blank);
    if (length >= size || end[length + strspn(end + length, blank)] != '\0' ||
        strcspn(end, "\"\\.,;0123456789") < length)
        return -EINVAL;
    snprintf(unit, size, "%.*s", (int)length, end);
    return 1;
}

/* One unit for all; false: this one is another. */
static bool take_unit(const struct screen *screen, struct points *points, const char *unit)
{
    if (*unit == '\0' || strcmp(points->unit, unit) == 0)
        return true;
    if (points->count > 0) {
        screen_message(screen, "the displacements before were in %s: type this one in %s too",
                       *points->unit ? points->unit : "no unit", *points->unit ? points->unit : "none");
        return false;
    }
    snprintf(points->unit, sizeof points->unit, "%s", unit);
    return true;
}

/* The mean of a second, and its standard uncertainty as far as the noise has no memory. What was on its way when the
 * user typed is old and is thrown away. */
static enum exit_status measure(struct client *client, struct points *points, struct reading *reading)
{
    const char *rig = client->options.given & OPTION_RIG ? client->options.rig : NULL;
    struct signal_feed feed = {.client = client, .rig = rig, .channel = client->options.arguments[0]};
    double sum = 0, squares = 0, samples = 0;
    struct signal_reach reach = {.any = false};
    enum exit_status status = signal_feed_open(&feed);
    for (int window = -2; status == STATUS_OK && window < WINDOWS; window++) {
        json_t *notification;
        status = signal_feed_next(&feed, &notification);
        if (status != STATUS_OK)
            break;
        const json_t *params = json_object_get(notification, "params"), *shown = json_object_get(params, "signal");
        double count = (double)reply_integer(shown, "samples", 0), deviation = reply_number(shown, "sensor_deviation");
        utf8_copy(points->sensor_unit, sizeof points->sensor_unit, reply_text(shown, "sensor_unit", ""));
        /* Without a calibration a voltage is shown as such, and that is no unit of length. */
        if (*points->unit == '\0' && strcmp(reply_text(params, "unit", ""), points->sensor_unit) != 0)
            utf8_copy(points->unit, sizeof points->unit, reply_text(params, "unit", ""));
        if (window >= 0 && count > 0) {
            sum += count * reply_number(shown, "sensor_mean");
            squares += count * (isnan(deviation) ? 0 : deviation * deviation);
            samples += count;
            signal_reach_add(&reach, notification);
        }
        json_decref(notification);
    }
    json_t *answer = NULL;
    if (status == STATUS_OK)
        status = client_ask(client, "unsubscribe", NULL, &answer);
    json_decref(answer);
    bool any = samples > 0;
    *reading = (struct reading){samples, any ? sum / samples : NAN, any ? sqrt(squares) / samples : NAN, reach};
    return status;
}

/* One known displacement after the other. */
static enum exit_status take_points(struct client *client, struct points *points)
{
    while (points->count < MAX_POINTS) {
        double displacement;
        struct reading reading;
        char unit[UNIT_BYTES];
        fprintf(stderr, "put the sensor at a known displacement and type it, like %s (an empty line ends): ",
                *points->unit ? "12.5" : "12.5 mm");
        int read = read_displacement(&displacement, unit, sizeof unit);
        if (read == 0)
            break;
        if (read < 0)
            screen_message(&client->screen, "that is not a number, or a number and its unit");
        if (read < 0 || !take_unit(&client->screen, points, unit))
            continue;
        enum exit_status status = measure(client, points, &reading);
        if (status != STATUS_OK)
            return status;
        if (reading.samples == 0) {
            screen_message(&client->screen, "no sample of this channel came: this point is not taken; `fricidctl "
                                            "status` tells what its source does");
            continue;
        }
        if (isnan(reading.mean)) {
            screen_message(&client->screen, "the calibration that this channel has cannot be taken back here: this "
                                            "point is not taken");
            continue;
        }
        if (signal_reach_moves(&reading.reach) && !(client->options.given & OPTION_ANYWAY)) {
            screen_message(&client->screen, "the sensor moves: this point is not taken; type it again when it rests, "
                                            "or begin anew with --anyway");
            continue;
        }
        screen_remark(
            &client->screen, "  %.9g %s: %s", displacement, points->unit,
            figure_plus_minus(reading.mean, reading.uncertainty, points->sensor_unit, client->screen.glyphs).text);
        points->sensor[points->count] = reading.mean;
        points->displacement[points->count++] = displacement;
    }
    return STATUS_OK;
}

/* --- the curve --- */

static double residual(const struct points *points, const struct curve *curve, size_t i)
{
    return points->displacement[i] - polynomial_value(curve->coefficients, curve->terms, points->sensor[i]);
}

/* What the points say of the curve's own uncertainty. False: by them the displacement does not depend on the sensor,
 * beyond what rounding leaves. */
static bool judge(const struct points *points, struct curve *curve)
{
    double least = INFINITY, most = -INFINITY, largest = 0;
    for (size_t i = 0; i < points->count; i++) {
        least = fmin(least, points->sensor[i]);
        most = fmax(most, points->sensor[i]);
        largest = fmax(largest, fabs(residual(points, curve, i)));
        curve->full_scale = fmax(curve->full_scale, fabs(points->displacement[i]));
    }
    double middle = (least + most) / 2, slope = polynomial_slope(curve->coefficients, curve->terms, middle);
    if (!(curve->full_scale > 0) || !(fabs(slope) * (most - least) > 1e-9 * curve->full_scale))
        return false;
    curve->gain_percent = 100 * polynomial_slope_se(curve->covariance, curve->terms, middle) / fabs(slope);
    if (points->count == curve->terms)
        curve->gain_percent = NAN;
    curve->linearity_percent = 100 * largest / curve->full_scale;
    return true;
}

/* --- saying --- */

/* libconfig takes 2 for a whole number and refuses it beside 2.5. */
static void print_number(double number, int digits)
{
    printf("%.*g%s", digits, number, number == floor(number) && fabs(number) < pow(10, digits - 1) ? ".0" : "");
}

static void print_key(const char *name, double number)
{
    printf("%s = ", name);
    print_number(number, 3);
    puts(";");
}

/* An encoder has a slope and nothing else. */
static void print_counts(const struct curve *curve)
{
    printf("counts_per_unit = ");
    print_number(1 / fabs(curve->coefficients[1]), 12);
    puts(";");
    if (curve->coefficients[1] < 0)
        puts("reversed = true;");
}

static void print_polynomial(const struct curve *curve)
{
    printf("calibration = [");
    for (size_t i = 0; i < curve->terms; i++) {
        printf("%s", i ? ", " : "");
        print_number(curve->coefficients[i], 12);
    }
    puts("];");
}

static void print_lines(const struct screen *screen, const struct points *points, const struct curve *curve)
{
    if (strcmp(points->sensor_unit, "counts") == 0)
        print_counts(curve);
    else
        print_polynomial(curve);
    fputs("unit = ", stdout);
    quote_setting(stdout, points->unit);
    puts(";");
    screen_remark(screen, "residuals, %s:", points->unit);
    for (size_t i = 0; i < points->count; i++)
        screen_remark(screen, "  %.9g: %+.3g", points->displacement[i], residual(points, curve, i));
    screen_remark(screen, "rms %.3g %s", curve->rms, points->unit);
    if (isnan(curve->gain_percent)) {
        screen_remark(screen, "how uncertain this is cannot be told from %zu points: take more", points->count);
        return;
    }
    puts("# for the group `physical` of the rig, as far as these points tell:");
    print_key("u_gain_percent", curve->gain_percent);
    print_key("linearity_percent", curve->linearity_percent);
    print_key("full_scale", curve->full_scale);
}

static void print_json(const struct screen *screen, const struct points *points, const struct curve *curve)
{
    json_t *coefficients = json_array(), *taken = json_array();
    for (size_t i = 0; i < curve->terms; i++)
        json_array_append_new(coefficients, number_to_json(curve->coefficients[i]));
    for (size_t i = 0; i < points->count; i++)
        json_array_append_new(taken,
                              json_pack("{s:o, s:o, s:o}", "displacement", number_to_json(points->displacement[i]),
                                        "sensor", number_to_json(points->sensor[i]), "residual",
                                        number_to_json(residual(points, curve, i))));
    json_t *object =
        json_pack("{s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "calibration", coefficients, "unit", points->unit,
                  "sensor_unit", points->sensor_unit, "points", taken, "rms", number_to_json(curve->rms),
                  "u_gain_percent", number_to_json(curve->gain_percent), "linearity_percent",
                  number_to_json(curve->linearity_percent), "full_scale", number_to_json(curve->full_scale));
    screen_json(screen, object);
    json_decref(object);
}

/* What cannot become a curve is said. */
static enum exit_status fit_curve(const struct screen *screen, const struct points *points, struct curve *curve)
{
    if (curve->terms != 2 && strcmp(points->sensor_unit, "counts") == 0) {
        screen_message(screen, "an encoder's counts lie on a straight line: leave --degree out");
        return STATUS_USAGE;
    }
    if (polynomial_fit(points->sensor, points->displacement, points->count, curve->terms, curve->coefficients,
                       curve->covariance, &curve->rms) == 0)
        return STATUS_OK;
    screen_message(screen, "a polynomial of degree %zu needs %zu different positions of the sensor; it saw %zu",
                   curve->terms - 1, curve->terms, points->count);
    return STATUS_FAILED;
}

static enum exit_status run_calibrate(struct client *client)
{
    struct points points = {.count = 0};
    struct curve curve = {.terms = client->options.given & OPTION_DEGREE ? (size_t)client->options.degree + 1 : 2};
    if (curve.terms > MAX_TERMS) {
        screen_message(&client->screen, "--degree is at most %d", MAX_TERMS - 1);
        return STATUS_USAGE;
    }
    enum exit_status status = take_points(client, &points);
    if (status == STATUS_OK)
        status = fit_curve(&client->screen, &points, &curve);
    if (status != STATUS_OK)
        return status;
    if (*points.unit == '\0') {
        screen_message(&client->screen, "no unit was typed: mm is taken");
        snprintf(points.unit, sizeof points.unit, "mm");
    }
    if (!judge(&points, &curve)) {
        screen_message(&client->screen, "the displacements that were typed do not follow the sensor: the slope is 0. "
                                        "Move it between the points, and type where it is");
        return STATUS_FAILED;
    }
    if (client->options.json)
        print_json(&client->screen, &points, &curve);
    else
        print_lines(&client->screen, &points, &curve);
    return STATUS_OK;
}

const struct command command_calibrate = {.name = "calibrate",
                                          .summary = "a sensor's calibration from known displacements",
                                          .options = OPTION_RIG | OPTION_DEGREE | OPTION_ANYWAY,
                                          .operand = WORD_CHANNEL,
                                          .least = 1,
                                          .most = 1,
                                          .run = run_calibrate};
