/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl devices: the cards of the daemon's computer, and which channels they can be. */

#include "client/command.h"
#include "client/reply.h"
#include "client/wrapped.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

/* A survey takes as long as the kernel does to open a card. */
enum { TRIALS = 100, PAUSE_MS = 50 };

static void print_ranges(const json_t *subdevice, const struct glyphs *glyphs, FILE *out)
{
    const json_t *range;
    size_t i;
    json_array_foreach (json_object_get(subdevice, "ranges"), i, range)
        fprintf(out, "%s%g %s %g %s", i ? ", " : "; ranges ", reply_number(range, "low"), glyphs->to,
                reply_number(range, "high"), reply_text(range, "unit", ""));
}

static void print_subdevice(const json_t *subdevice, const struct glyphs *glyphs, FILE *out)
{
    const char *use = reply_text(subdevice, "use", NULL);
    double fastest_hz = reply_number(subdevice, "fastest_hz");
    fprintf(out, "  subdevice %lld: %s, %lld channel%s of %lld bit",
            (long long)reply_integer(subdevice, "subdevice", 0), reply_text(subdevice, "kind", "?"),
            (long long)reply_integer(subdevice, "channels", 0), reply_integer(subdevice, "channels", 0) == 1 ? "" : "s",
            (long long)reply_integer(subdevice, "bits", 0));
    if (use) {
        fprintf(out, "; input = \"%s\", %s", use, reply_true(subdevice, "streams") ? "streamed" : "polled");
        if (!isnan(fastest_hz))
            fprintf(out, " at up to %.6g scans/s", fastest_hz);
        print_ranges(subdevice, glyphs, out);
    }
    fputs(reply_true(subdevice, "busy") ? " (busy)\n" : "\n", out);
}

static void print_device(const json_t *device, const struct glyphs *glyphs, FILE *out)
{
    const json_t *subdevice;
    size_t i;
    const char *problem = reply_text(device, "problem", "");
    if (*problem) {
        fprintf(out, "! %s\n", problem);
        return;
    }
    fprintf(out, "%s: %s, driver %s\n", reply_text(device, "device", "?"), reply_text(device, "board", "?"),
            reply_text(device, "driver", "?"));
    if (reply_true(device, "world_writable"))
        fputs("  ! every user of the computer may write to it: see fricidctl doctor\n", out);
    json_array_foreach (json_object_get(device, "subdevices"), i, subdevice)
        print_subdevice(subdevice, glyphs, out);
}

/* Asking starts a survey; the answer that counts is the first one after it. */
static enum exit_status ask_until_surveyed(struct client *client, json_t **reply)
{
    const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    for (int trial = 0; trial < TRIALS; trial++) {
        enum exit_status status = client_ask(client, "devices", json_pack("{s:b}", "survey", trial == 0), reply);
        if (status != STATUS_OK || !reply_true(*reply, "surveying"))
            return status;
        json_decref(*reply);
        nanosleep(&pause, NULL);
    }
    screen_message(&client->screen, "the daemon is still looking at its cards: one of them does not answer");
    return STATUS_FAILED;
}

static enum exit_status print_devices(struct client *client, const json_t *reply)
{
    const json_t *devices = json_object_get(reply, "devices"), *device;
    struct wrapped_sheet sheet;
    size_t i;
    if (wrapped_open(&sheet) < 0)
        return screen_no_memory(&client->screen);
    json_array_foreach (devices, i, device)
        print_device(device, client->screen.glyphs, sheet.lines);
    if (json_array_size(devices) == 0)
        fputs("no Comedi card is there: plug one in, load its driver, or attach it with comedi_config(8)\n",
              sheet.lines);
    const int printed = wrapped_close(&sheet, screen_room(&client->screen), stdout);
    return printed == 0 ? STATUS_OK : screen_no_memory(&client->screen);
}

static enum exit_status run_devices(struct client *client)
{
    json_t *reply;
    enum exit_status status = ask_until_surveyed(client, &reply);
    return status == STATUS_OK ? client_print(client, reply, print_devices) : status;
}

const struct command command_devices = {
    .name = "devices", .summary = "the data acquisition cards, and which channels they can be", .run = run_devices};
