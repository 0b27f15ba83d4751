/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl calibrate: known displacements, what the sensor says at each, and the line for the configuration. */

#include "client/commands.h"
#include "client/plain_text.h"
#include "client/polynomial.h"
#include "client/reply.h"
#include "client/signal_feed.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_POINTS = 100, MAX_TERMS = 8, WINDOWS = 10 };

struct points {
    double sensor[MAX_POINTS], displacement[MAX_POINTS];
    size_t count;
};

/* A number alone on its line; 0 at an empty line or the end of input, -EINVAL for anything else. */
static int read_displacement(double *displacement)
{
    char line[256], *end;
    if (!fgets(line, sizeof line, stdin) || line[strspn(line, " \t\r\n")] == '\0')
        return 0;
    errno = 0;
    *displacement = strtod(line, &end);
    return errno || end == line || end[strspn(end, " \t\r\n")] != '\0' || !isfinite(*displacement) ? -EINVAL : 1;
}

/* The mean of a second, and its standard uncertainty as far as the noise has no memory. What was on its way when the
 * user typed is old and is thrown away. */
static enum exit_status measure(struct client *client, const char *rig, const char *channel, double *mean,
                                double *uncertainty, bool *volts)
{
    struct signal_feed feed = {.client = client, .rig = rig, .channel = channel};
    double sum = 0, squares = 0, samples = 0;
    enum exit_status status = signal_feed_open(&feed);
    for (int window = -2; status == STATUS_OK && window < WINDOWS; window++) {
        json_t *notification;
        status = signal_feed_next(&feed, &notification);
        if (status != STATUS_OK)
            break;
        const json_t *params = json_object_get(notification, "params"), *shown = json_object_get(params, "signal");
        double count = (double)reply_integer(shown, "samples", 0), deviation = reply_number(shown, "deviation");
        *volts = strcmp(reply_text(params, "unit", ""), "V") == 0;
        if (window >= 0) {
            sum += count * reply_number(shown, "mean");
            squares += count * (isnan(deviation) ? 0 : deviation * deviation);
            samples += count;
        }
        json_decref(notification);
    }
    if (status == STATUS_OK)
        client_ask(client, "unsubscribe", NULL, &(json_t *){NULL});
    *mean = sum / samples;
    *uncertainty = sqrt(squares / samples / samples);
    return status;
}

/* One known displacement after the other. */
static enum exit_status take_points(struct client *client, struct points *points)
{
    const char *rig = client->options.given & OPTION_RIG ? client->options.rig : NULL;
    while (points->count < MAX_POINTS) {
        double displacement, mean, uncertainty;
        bool volts = false;
        fprintf(stderr, "put the sensor at a known displacement and type it (an empty line ends): ");
        int read = read_displacement(&displacement);
        if (read == 0)
            break;
        if (read < 0) {
            screen_message(&client->screen, "that is not a number");
            continue;
        }
        enum exit_status status = measure(client, rig, client->options.arguments[0], &mean, &uncertainty, &volts);
        if (status != STATUS_OK)
            return status;
        if (!volts) {
            screen_message(&client->screen,
                           "this channel is calibrated already: take `calibration` and `unit` out of its configuration "
                           "and reload it, so that it measures in volts");
            return STATUS_FAILED;
        }
        fprintf(stderr, "  %.9g: %.9g V, standard uncertainty %.2g V\n", displacement, mean, uncertainty);
        points->sensor[points->count] = mean;
        points->displacement[points->count++] = displacement;
    }
    return STATUS_OK;
}

static void print_lines(const struct points *points, const double *coefficients, size_t terms, double rms)
{
    printf("calibration = [");
    for (size_t i = 0; i < terms; i++)
        /* libconfig takes 2 for a whole number and refuses it beside 2.5. */
        printf("%s%.12g%s", i ? ", " : "", coefficients[i],
               coefficients[i] == floor(coefficients[i]) && fabs(coefficients[i]) < 1e11 ? ".0" : "");
    printf("];\nunit = \"mm\";\n");
    fprintf(stderr, "residuals, displacement unit:\n");
    for (size_t i = 0; i < points->count; i++)
        fprintf(stderr, "  %.9g: %+.3g\n", points->displacement[i],
                points->displacement[i] - polynomial_value(coefficients, terms, points->sensor[i]));
    fprintf(stderr, "rms %.3g\n", rms);
}

enum exit_status command_calibrate(struct client *client)
{
    struct points points = {.count = 0};
    double coefficients[MAX_TERMS], rms;
    size_t terms = client->options.given & OPTION_DEGREE ? (size_t)client->options.degree + 1 : 2;
    if (terms > MAX_TERMS) {
        screen_message(&client->screen, "--degree is at most %d", MAX_TERMS - 1);
        return STATUS_USAGE;
    }
    enum exit_status status = take_points(client, &points);
    if (status != STATUS_OK)
        return status;
    if (polynomial_fit(points.sensor, points.displacement, points.count, terms, coefficients, &rms) != 0) {
        screen_message(&client->screen,
                       "a polynomial of degree %zu needs %zu different positions of the sensor; it saw %zu", terms - 1,
                       terms, points.count);
        return STATUS_FAILED;
    }
    print_lines(&points, coefficients, terms, rms);
    return STATUS_OK;
}
