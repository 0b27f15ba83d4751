/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Recordings in, results out, for archives and scripts: no socket, no threads, no store. */

#include "offline.h"

#include "analysis.h"
#include "bounces.h"
#include "proto/recording.h"
#include "recording_input.h"
#include "service/restitution_json.h"
#include "service/result_json.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* What one file came to. */
struct file_outcome {
    size_t results, ok;
    uint64_t drops[DROP_REASONS];
    int error;
};

/* Without a seq: nobody numbers results that are only printed. */
static int print_result(const struct kept_result *result)
{
    json_t *json = result_to_json(result, 0);
    if (!json)
        return -ENOMEM;
    int error = json_dumpf(json, stdout, JSON_COMPACT) == 0 && putchar('\n') != EOF ? 0 : -EIO;
    json_decref(json);
    return error;
}

static int print_analysis(const struct analysis *analysis, struct file_outcome *outcome)
{
    for (size_t i = 0; i < analysis->count; i++) {
        int error = print_result(analysis->results[i]);
        if (error)
            return error;
        outcome->ok += analysis->results[i]->identification.verdict == VERDICT_OK;
    }
    outcome->results += analysis->count;
    for (size_t reason = 0; reason < DROP_REASONS; reason++)
        outcome->drops[reason] += analysis->drops[reason];
    return 0;
}

/* Each channel is a record of its own. */
static int identify_channel(const struct configuration *configuration, const struct options *options, const char *path,
                            const struct recording *recording, size_t channel, struct file_outcome *outcome)
{
    struct recording_input made;
    struct analysis analysis = {0};
    int error = recording_input_make(&made, configuration, path, recording, channel, options->whole);
    if (!error)
        error = analyse(&made.input, &analysis);
    if (!error)
        error = print_analysis(&analysis, outcome);
    analysis_clear(&analysis);
    recording_input_clear(&made);
    return error;
}

/* Says what was dropped and why: without it a user could only guess at the settings. */
static void tell_nothing_found(const char *path, const struct file_outcome *outcome)
{
    fprintf(stderr, "fricidd: %s: no valid result", path);
    if (outcome->results > 0)
        fprintf(stderr, "; %zu decays, none of them ok", outcome->results);
    for (size_t reason = 0; reason < DROP_REASONS; reason++)
        if (outcome->drops[reason] > 0)
            fprintf(stderr, "; %llu candidates dropped: %s", (unsigned long long)outcome->drops[reason],
                    drop_reason_sentence((enum drop_reason)reason));
    fputc('\n', stderr);
}

static int print_restitution(const struct restitution *result, const char *path, const char *group)
{
    json_t *json = restitution_to_json(result, path, group);
    if (!json)
        return -ENOMEM;
    int error = json_dumpf(json, stdout, JSON_COMPACT) == 0 && putchar('\n') != EOF ? 0 : -EIO;
    json_decref(json);
    return error;
}

/* A file of bounces: a line a group. */
static enum exit_status identify_bounces(const struct configuration *configuration, const char *path)
{
    struct bounces bounces;
    struct complaint complaint;
    const struct physical_settings *physical = &configuration->physical;
    int error = bounces_load(path, &bounces, &complaint);
    if (error) {
        fprintf(stderr, "fricidd: %s\n", complaint.text);
        bounces_clear(&bounces);
        return EXIT_STATUS_USAGE;
    }
    size_t ok = 0;
    for (size_t i = 0; i < bounces.group_count && !error; i++) {
        struct restitution result;
        ok += restitution_of(bounces.kind, bounces.groups[i].impacts, bounces.groups[i].count, physical->mass_kg,
                             physical->stiffness_n_per_m, &result) == VERDICT_OK;
        error = print_restitution(&result, path, bounces.groups[i].name);
    }
    bounces_clear(&bounces);
    if (ok == 0 && !error)
        fprintf(stderr, "fricidd: %s: no valid result; no impact follows another\n", path);
    return ok > 0 && !error ? EXIT_STATUS_OK : EXIT_STATUS_FAILED;
}

static enum exit_status identify_file(const struct configuration *configuration, const struct options *options,
                                      const char *path)
{
    struct recording recording;
    struct complaint complaint;
    /* The whole file is read and checked before its first result is printed. */
    if (recording_load(path, &recording, &complaint) != 0) {
        fprintf(stderr, "fricidd: %s\n", complaint.text);
        return EXIT_STATUS_USAGE;
    }
    struct file_outcome outcome = {0};
    for (size_t channel = 0; channel < recording.channel_count && !outcome.error; channel++)
        outcome.error = identify_channel(configuration, options, path, &recording, channel, &outcome);
    recording_clear(&recording);
    if (outcome.error) {
        if (!ferror(stdout)) /* main() tells of that, once */
            fprintf(stderr, "fricidd: %s: %s\n", path, strerror(-outcome.error));
        return EXIT_STATUS_FAILED;
    }
    if (outcome.ok == 0) {
        tell_nothing_found(path, &outcome);
        return EXIT_STATUS_FAILED;
    }
    return EXIT_STATUS_OK;
}

enum exit_status offline_run(const struct configuration *configuration, const struct options *options)
{
    enum exit_status worst = EXIT_STATUS_OK;
    for (size_t i = 0; i < options->file_count; i++) {
        const char *path = options->files[i];
        enum exit_status status = bounces_recognised(path) ? identify_bounces(configuration, path)
                                                           : identify_file(configuration, options, path);
        /* The exit statuses are ordered by how bad they are: ok, failed, usage. */
        worst = status > worst ? status : worst;
    }
    return worst;
}
