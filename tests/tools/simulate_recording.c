/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes what the sensors of a simulated rig see as a recording, with the truth in its comments. */
#include "acquire/simulated_rig.h"

#include <event2/event.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: simulate_recording [--KEY=VALUE ...] [FILE]\n"
    "Keys are those of the simulated rig: mass_kg, stiffness_n_per_m, zeta, f_k_n, f_s_n, drag_per_m, cubic_per_m2,\n"
    "presliding_distance_m, drift_m_per_s, kicks_per_hour, pull_m, pull_spread, pull_s, hold_s, rest_s, tremor_m,\n"
    "release_velocity_m_per_s, sample_rate_hz, channel_delay_s, seed, duration_s; noise_mm, step_mm, range_mm for the\n"
    "LVDT; decimals: of the values.\n";

struct recorder {
    FILE *file;
    struct simulated_rig_settings settings;
    struct simulated_channel_settings channels[2];
    double seed, decimals;
    char command[512]; /* the options given */
};

struct option_value {
    const char *key;
    double *value;
};

static bool set_option(struct recorder *recorder, const char *key, double value)
{
    struct simulated_mechanics *mechanics = &recorder->settings.mechanics;
    struct simulated_hand *hand = &recorder->settings.hand;
    const struct option_value options[] = {
        {"mass_kg", &mechanics->mass_kg},
        {"stiffness_n_per_m", &mechanics->stiffness_n_per_m},
        {"zeta", &mechanics->zeta},
        {"f_k_n", &mechanics->f_k_n},
        {"f_s_n", &mechanics->f_s_n},
        {"drag_per_m", &mechanics->drag_per_m},
        {"cubic_per_m2", &mechanics->cubic_per_m2},
        {"presliding_distance_m", &mechanics->presliding_distance_m},
        {"drift_m_per_s", &mechanics->drift_m_per_s},
        {"kicks_per_hour", &mechanics->kicks_per_hour},
        {"pull_m", &hand->pull_m},
        {"pull_spread", &hand->pull_spread},
        {"pull_s", &hand->pull_s},
        {"hold_s", &hand->hold_s},
        {"rest_s", &hand->rest_s},
        {"tremor_m", &hand->tremor_m},
        {"release_velocity_m_per_s", &hand->release_velocity_m_per_s},
        {"sample_rate_hz", &recorder->settings.sample_rate_hz},
        {"channel_delay_s", &recorder->settings.channel_delay_s},
        {"duration_s", &recorder->settings.duration_s},
        {"noise_mm", &recorder->channels[0].noise_mm},
        {"step_mm", &recorder->channels[0].step_mm},
        {"range_mm", &recorder->channels[0].range_mm},
        {"seed", &recorder->seed},
        {"decimals", &recorder->decimals},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (strcmp(options[i].key, key) == 0) {
            *options[i].value = value;
            return true;
        }
    }
    return false;
}

/* --KEY=VALUE */
static bool take_option(struct recorder *recorder, const char *argument)
{
    char key[64];
    const char *equals = strchr(argument, '=');
    if (!equals || (size_t)(equals - argument) - 2 >= sizeof key)
        return false;
    snprintf(key, sizeof key, "%.*s", (int)(equals - argument) - 2, argument + 2);
    char *end;
    double value = strtod(equals + 1, &end);
    size_t used = strlen(recorder->command);
    snprintf(recorder->command + used, sizeof recorder->command - used, " %s", argument);
    return *end == '\0' && end > equals + 1 && set_option(recorder, key, value);
}

static void write_scans(void *context, const struct scan_block *block)
{
    struct recorder *recorder = context;
    int decimals = (int)recorder->decimals;
    for (size_t i = 0; i < block->scan_count; i++) {
        fprintf(recorder->file, "%.9g", (double)(block->first_index + i) * block->period_s);
        for (size_t c = 0; c < block->channel_count; c++)
            fprintf(recorder->file, ",%.*f", decimals, block->channels[c].displacement[i]);
        fputc('\n', recorder->file);
    }
}

static void write_head(const struct recorder *recorder)
{
    const struct simulated_mechanics *mechanics = &recorder->settings.mechanics;
    struct simulated_truth truth = simulated_rig_truth(mechanics);
    FILE *file = recorder->file;
    fprintf(file, "# SIMULATED, not measured: tests/tools/simulate_recording%s\n", recorder->command);
    fprintf(file,
            "# a carriage on linear bearings is pulled aside, held and released; an LVDT (0.01 mm steps, noise) and "
            "an encoder\n");
    fprintf(file, "# rig: seed %" PRIu64 ", mass_kg %g, stiffness_n_per_m %g, zeta %g, f_k_n %g, f_s_n %g\n",
            recorder->settings.seed, mechanics->mass_kg, mechanics->stiffness_n_per_m, mechanics->zeta,
            mechanics->f_k_n, mechanics->f_s_n);
    fprintf(file, "# truth: f_n %.6f Hz, zeta %g, x_k %.6f mm, x_s %.6f mm\n", truth.f_n_hz, truth.zeta, truth.x_k_mm,
            truth.x_s_mm);
    fprintf(file, "time_s,%s_mm,%s_mm\n", recorder->channels[0].name, recorder->channels[1].name);
}

static int record(struct recorder *recorder)
{
    const struct source_listener listener = {.scans = write_scans, .context = recorder};
    struct event_base *base = event_base_new();
    struct source *source = NULL;
    struct complaint complaint = {"no event base"};
    int error = base ? simulated_rig_create(base, &recorder->settings, &listener, &source, &complaint) : -1;
    if (!error) {
        write_head(recorder);
        error = source_start(source);
    }
    if (!error)
        error = event_base_dispatch(base) < 0;
    if (error)
        fprintf(stderr, "%s\n", complaint.text);
    source_destroy(source);
    if (base)
        event_base_free(base);
    return error ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    struct recorder recorder = {.file = stdout, .settings = simulated_rig_default_settings(), .decimals = 4};
    recorder.channels[0] = simulated_channel_default_settings(SIMULATED_LVDT);
    recorder.channels[1] = simulated_channel_default_settings(SIMULATED_ENCODER);
    recorder.settings.duration_s = 15;
    recorder.settings.channel_delay_s = 0; /* a recording has one time a row */
    recorder.seed = 1;
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--", 2) == 0 ? take_option(&recorder, argv[i])
                                           : (recorder.file = fopen(argv[i], "w")) != NULL)
            continue;
        fprintf(stderr, "%s: not understood or not writable\n%s", argv[i], usage);
        return 2;
    }
    recorder.settings.seed = (uint64_t)recorder.seed;
    recorder.settings.real_time = false;
    recorder.settings.channels = recorder.channels;
    recorder.settings.channel_count = 2;
    int status = record(&recorder);
    return fclose(recorder.file) == 0 ? status : EXIT_FAILURE;
}
