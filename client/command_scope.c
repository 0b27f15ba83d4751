/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl scope: what the sensors say now, for whoever sets one up. */

#include "client/command.h"
#include "client/reply.h"
#include "client/signal_feed.h"
#include "proto/plain_text.h"

#include <stdio.h>

/* Noise without memory has a roughness of 1; above this, neighbours differ in sign too often for that. */
static const double rough = 1.4;

/* What a user should do something about. */
static void print_warnings(const json_t *measured, const json_t *state)
{
    long long clipped = (long long)reply_integer(measured, "clipped_samples", 0);
    double roughness = reply_number(measured, "roughness"), noise = reply_number(state, "noise_floor");
    double deviation = reply_number(measured, "deviation");
    if (clipped > 0)
        printf("  ! clipped: %lld of %lld samples are at the end of the range", clipped,
               (long long)reply_integer(measured, "samples", 0));
    /* A quiet converter that toggles between two codes is rough too, and harmless. */
    if (roughness > rough && deviation > 2 * noise)
        printf("  ! aliasing? it swings faster than the sampling can show: filter it, or sample faster");
}

static void print_signal(const json_t *params, const struct glyphs *glyphs)
{
    const json_t *measured = json_object_get(params, "signal"), *state = json_object_get(params, "state");
    const char *unit = reply_text(params, "unit", "");
    printf("%s %s  %s  %s %s %s", reply_text(params, "rig", "?"), reply_text(params, "channel", "?"),
           figure_rounded(reply_number(measured, "mean"), 6, unit, glyphs).text,
           figure_rounded(reply_number(measured, "min"), 6, "", glyphs).text, glyphs->to,
           figure_rounded(reply_number(measured, "max"), 6, unit, glyphs).text);
    printf("  noise %s, threshold %s, %s", figure_rounded(reply_number(state, "noise_floor"), 2, unit, glyphs).text,
           figure_rounded(reply_number(state, "hysteresis"), 2, unit, glyphs).text, reply_text(state, "phase", "?"));
    print_warnings(measured, state);
    puts("");
}

/* Until --count lines, or until it is stopped. */
static enum exit_status run_scope(struct client *client)
{
    const struct options *options = &client->options;
    struct signal_feed feed = {.client = client,
                               .rig = options->given & OPTION_RIG ? options->rig : NULL,
                               .channel = options->argument_count > 0 ? options->arguments[0] : NULL};
    enum exit_status status = signal_feed_open(&feed);
    for (int64_t shown = 0; status == STATUS_OK && !(options->given & OPTION_COUNT && shown >= options->count);
         shown++) {
        json_t *notification;
        status = signal_feed_next(&feed, &notification);
        if (status != STATUS_OK)
            break;
        json_t *params = json_object_get(notification, "params");
        if (options->json)
            screen_json(&client->screen, notification);
        else if (plain_tree(params, client->screen.glyphs->ascii) == 0)
            print_signal(params, client->screen.glyphs);
        json_decref(notification);
        if (fflush(stdout) != 0)
            return STATUS_FAILED;
    }
    return status;
}

const struct command command_scope = {.name = "scope",
                                      .summary = "what the sensors say now: values, noise, thresholds, clipping",
                                      .options = OPTION_RIG | OPTION_COUNT,
                                      .operand = WORD_CHANNEL,
                                      .most = 1,
                                      .run = run_scope};
