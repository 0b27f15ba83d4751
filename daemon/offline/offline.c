/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Recordings in, results out, for archives and scripts: no socket, no threads, no store. */

#include "offline/offline.h"

#include "offline/file_runs.h"
#include "offline/recording_input.h"
#include "pipeline/analysis.h"
#include "proto/cause.h"
#include "proto/plain_text.h"
#include "proto/quote.h"
#include "proto/recording.h"
#include "report/kinds/loop_columns.h"
#include "report/kinds/recording_sensors.h"
#include "report/kinds/table_file.h"
#include "report/result_json.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What one file came to. */
struct file_outcome {
    size_t results, of_verdict[VERDICTS];
    uint64_t drops[DROP_REASONS];
    const char *kind_of_unit; /* of a channel that was taken for it because of its unit or name; NULL: of none */
    bool of_header;           /* it was taken for samples of a kind because of its header */
    struct complaint lacking; /* what its header lacks to be that of a friction loop; empty: it is not like one */
    int error;
};

/* Takes the object over. */
static int print_line(json_t *json)
{
    int error = quote_json(stdout, json, 0);
    json_decref(json);
    return error ? error : putchar('\n') != EOF && !ferror(stdout) ? 0 : -EIO;
}

/* Without a seq: nobody numbers results that are only printed. */
static int print_result(const struct kept_result *result)
{
    json_t *json = result_to_json(result, 0);
    if (!json)
        return -ENOMEM;
    return print_line(json);
}

static int print_analysis(const struct analysis *analysis, struct file_outcome *outcome)
{
    for (size_t i = 0; i < analysis->count; i++) {
        int error = print_result(analysis->results[i]);
        if (error)
            return error;
        outcome->of_verdict[analysis->results[i]->identification.verdict]++;
    }
    outcome->results += analysis->count;
    for (size_t reason = 0; reason < DROP_REASONS; reason++)
        outcome->drops[reason] += analysis->drops[reason];
    return 0;
}

static void note_kind(const struct offline_order *order, const struct recording *recording,
                      struct file_outcome *outcome)
{
    for (size_t c = 0; c < recording->channel_count && !*order->kind; c++) {
        const struct record_kind *kind = recording_kind(recording, "", c);
        outcome->kind_of_unit = record_kind_is_whole(kind) ? kind->name : outcome->kind_of_unit;
    }
    if (!*order->kind)
        loop_columns_lacking(recording, &outcome->lacking);
}

/* Each channel is a record of its own, or one with others: then it is identified with the first of these. complaint:
 * set where what was ordered does not fit it. */
static int identify_channel(const struct configuration *configuration, const struct offline_order *order,
                            const char *path, const struct recording *recording, size_t channel,
                            struct analysis *analysis, struct complaint *complaint)
{
    struct recording_input made = {.runs = NULL};
    size_t *together = calloc(recording->channel_count, sizeof *together);
    const size_t count = together ? sensors_together(recording, order->kind, channel, together) : 0;
    if (!together)
        return -ENOMEM;
    if (count == 0) {
        free(together);
        return 0;
    }
    int error = recording_input_make(&made, configuration, path, recording, channel, order->kind, order->whole);
    if (!error)
        error = recording_input_join(&made, recording, together, count);
    free(together);
    if (!error && !recording_input_limit(&made, order->amplitude_max, order->amplitude_min, complaint))
        error = -EINVAL;
    if (!error)
        error = analyse(&made.input, analysis);
    recording_input_clear(&made);
    return error;
}

/* All channels before the first is printed: what each of them saw of a release is of one run. */
static int identify_channels(const struct configuration *configuration, const struct offline_order *order,
                             const char *path, const struct recording *recording, struct file_outcome *outcome,
                             struct complaint *complaint)
{
    size_t count = recording->channel_count;
    struct analysis *channels = calloc(count + 1, sizeof *channels);
    int error = channels ? 0 : -ENOMEM;
    for (size_t c = 0; c < count && !error; c++)
        error = identify_channel(configuration, order, path, recording, c, &channels[c], complaint);
    if (!error)
        error = file_runs_number(channels, count);
    if (!error)
        error = file_runs_join(channels, count);
    for (size_t c = 0; c < count && !error; c++)
        error = print_analysis(&channels[c], outcome);
    for (size_t c = 0; c < count && channels; c++)
        analysis_clear(&channels[c]);
    free(channels);
    return error;
}

static uint64_t dropped(const struct file_outcome *outcome)
{
    uint64_t drops = 0;
    for (size_t reason = 0; reason < DROP_REASONS; reason++)
        drops += outcome->drops[reason];
    return drops;
}

/* There was not even a candidate. */
static bool nothing_moved(const struct file_outcome *outcome)
{
    return outcome->results == 0 && dropped(outcome) == 0 && !outcome->kind_of_unit;
}

static void begin_note(const char *path)
{
    char *plain = plain_text(path, false);
    fprintf(stderr, "fricidd: %s: ", plain ? plain : "?");
    free(plain);
}

/* What became neither a result nor nothing. */
static void tell_drops(const struct file_outcome *outcome)
{
    for (size_t reason = 0; reason < DROP_REASONS; reason++)
        if (outcome->drops[reason] > 0)
            fprintf(stderr, "; %llu candidate%s dropped: %s", (unsigned long long)outcome->drops[reason],
                    outcome->drops[reason] > 1 ? "s" : "", drop_reason_sentence((enum drop_reason)reason));
}

/* Says what was dropped and why: without it a user could only guess at the settings. */
static void tell_nothing_found(const char *path, const struct file_outcome *outcome)
{
    begin_note(path);
    fputs("no valid result", stderr);
    for (size_t verdict = 0; verdict < VERDICTS; verdict++)
        if (outcome->of_verdict[verdict] > 0)
            fprintf(stderr, "; %zu record%s: %s", outcome->of_verdict[verdict],
                    outcome->of_verdict[verdict] > 1 ? "s" : "", verdict_sentence((enum verdict)verdict));
    tell_drops(outcome);
    if (nothing_moved(outcome))
        fputs("; no half cycle of a free decay was seen: there must be about 12 samples a cycle, and 20 where it fades "
              "fast",
              stderr);
    if (outcome->results == 0 && (nothing_moved(outcome) || outcome->drops[DROP_IRREGULAR_PERIOD] > 0))
        fputs("; one with fewer, in a file that begins at its first extremum, is taken as it is with --whole", stderr);
    if (outcome->kind_of_unit)
        fprintf(stderr, "; taken for a %s because of its unit or name: --kind free_decay takes it for a free decay",
                outcome->kind_of_unit);
    if (outcome->results == 0 && *outcome->lacking.text)
        fprintf(stderr, "; %s", outcome->lacking.text);
    if (outcome->of_header)
        fputs("; " TABLE_AS_RECORDING, stderr);
    fputc('\n', stderr);
}

/* Some results are valid: of what else moved a user hears, too, who may know that the mass was let go there. */
static void tell_beside_results(const char *path, const struct file_outcome *outcome)
{
    if (dropped(outcome) == 0)
        return;
    begin_note(path);
    fprintf(stderr, "%zu result%s", outcome->results, outcome->results > 1 ? "s" : "");
    tell_drops(outcome);
    fputc('\n', stderr);
}

static enum offline_outcome judge(const char *path, const struct file_outcome *outcome)
{
    const bool found = outcome->of_verdict[VERDICT_OK] > 0;
    if (outcome->error && !ferror(stdout)) /* main() tells of that, once */
        plain_print(stderr, "fricidd: %s: %s", path, cause_of(outcome->error));
    if (!outcome->error && found)
        tell_beside_results(path, outcome);
    if (!outcome->error && !found)
        tell_nothing_found(path, outcome);
    return outcome->error || !found ? OFFLINE_NO_RESULT : OFFLINE_OK;
}

/* One record of a table, the same way as a record of a recording. */
static int identify_table_record(const struct configuration *configuration, const char *path,
                                 const struct table_file *table, const struct table_record *record,
                                 struct file_outcome *outcome)
{
    const struct form_name columns = kind_form_name(table->form);
    const struct decay_origin_names names = {.rig = "offline",
                                             .channel = record->name,
                                             .source_kind = source_kind_name(SOURCE_RECORDING),
                                             .device = path,
                                             .config_id = configuration->id,
                                             .unit = table->unit,
                                             .kind = table->kind->name,
                                             .columns = columns.text,
                                             .read_as = table->read_as,
                                             .quantity = table->form->column[0].quantity};
    const struct decay_origin origin = decay_origin_make(&names, &configuration->physical, NAN);
    const struct analysis_input input = {.displacement = record->numbers,
                                         .count = record->rows * table->form->count,
                                         .whole = true,
                                         .origin = &origin,
                                         .ladders_s = configuration->service.ladder_deadline_s > 0 ? INFINITY : 0};
    struct analysis analysis;
    int error = analyse(&input, &analysis);
    if (!error)
        error = print_analysis(&analysis, outcome);
    analysis_clear(&analysis);
    return error;
}

/* A file of tables: a line for each set of labels. */
static enum offline_outcome identify_table(const struct configuration *configuration, const struct offline_order *order,
                                           const char *path)
{
    struct table_file table;
    struct complaint complaint;
    struct file_outcome outcome = {0};
    int error = table_file_load(path, &order->manner, &table, &complaint);
    const char *strange = order->whole                                           ? "--whole"
                          : *order->kind && !(table.kind && table.kind->sampled) ? "--kind"
                          : order->amplitude_max > 0                             ? "--amplitude-max"
                          : order->amplitude_min > 0                             ? "--amplitude-min"
                          : order->manner.timing.unit_s > 0                      ? "--time-unit"
                          : !table.evenly && (order->manner.timing.rate_hz > 0 || order->manner.timing.mean_rate)
                              ? "--rate"
                          : order->manner.columns               ? "--columns"
                          : order->manner.calibration_count > 0 ? "--calibration"
                                                                : NULL;
    if (!error && strange) {
        complaint_set(&complaint, "%s: %s is said of recordings, not of %s: " TABLE_TELLS, path, strange,
                      table.kind->name);
        error = -EINVAL;
    }
    outcome.of_header = !error && table.kind->sampled && !*order->kind;
    if (!error && *table.read_as)
        plain_print(stderr, "fricidd: %s: read as: %s", path, table.read_as);
    for (size_t i = 0; i < table.count && !error && !outcome.error; i++)
        outcome.error = identify_table_record(configuration, path, &table, &table.records[i], &outcome);
    table_file_clear(&table);
    if (error)
        plain_print(stderr, "fricidd: %s", complaint.text);
    return error ? OFFLINE_BAD_INPUT : judge(path, &outcome);
}

static enum offline_outcome identify_file(const struct configuration *configuration, const struct offline_order *order,
                                          const char *path)
{
    struct recording recording;
    struct complaint complaint;
    struct recording_manner manner = order->manner;
    manner.holes = true;
    /* The whole file is read and checked before its first result is printed. */
    if (recording_load(path, &manner, &recording, &complaint) != 0 ||
        recording_settle_holes(&recording, path, order->kind, NULL, &complaint) != 0) {
        recording_clear(&recording);
        plain_print(stderr, "fricidd: %s", complaint.text);
        return OFFLINE_BAD_INPUT;
    }
    if (*recording.read_as)
        plain_print(stderr, "fricidd: %s: read as: %s", path, recording.read_as);
    struct file_outcome outcome = {0};
    *complaint.text = '\0';
    note_kind(order, &recording, &outcome);
    outcome.error = identify_channels(configuration, order, path, &recording, &outcome, &complaint);
    recording_clear(&recording);
    if (!*complaint.text)
        return judge(path, &outcome);
    plain_print(stderr, "fricidd: %s: %s", path, complaint.text);
    return OFFLINE_BAD_INPUT;
}

enum offline_outcome offline_run(const struct configuration *configuration, const struct offline_order *order)
{
    enum offline_outcome worst = OFFLINE_OK;
    for (size_t i = 0; i < order->file_count; i++) {
        const char *path = order->files[i];
        struct complaint complaint;
        const int table = table_file_wanted(path, &order->manner, order->kind, &complaint);
        if (table < 0)
            plain_print(stderr, "fricidd: %s", complaint.text);
        enum offline_outcome outcome = table < 0 ? OFFLINE_BAD_INPUT
                                       : table   ? identify_table(configuration, order, path)
                                                 : identify_file(configuration, order, path);
        worst = outcome > worst ? outcome : worst;
    }
    return worst;
}
