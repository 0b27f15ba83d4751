/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "segment_campaign.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Length of one stream without decays. */
#define QUIET_SECONDS 300.0
#define QUIET_SAMPLES 50000.0
#define BEAT_SAMPLES 60000.0

/* Small pieces, so that it can be seen when a decision falls. */
static void listen(const struct stream *stream, struct findings *findings)
{
    const struct segment_settings settings = segment_default_settings();
    findings_gather(stream, &settings, (size_t)fmax(stream->samples_per_cycle / 40, 1), findings);
}

static void run_seed(struct campaign *sum, const char *kind, uint64_t seed, const struct lab *lab, size_t every)
{
    struct findings findings;
    struct verdicts before = sum->verdicts;
    struct parameters parameters = sum->parameters;
    listen(lab->stream, &findings);
    judge(lab, &findings, &sum->verdicts);
    if (every > 0)
        judge_parameters(lab, seed, &findings, every, &sum->parameters);
    if (verdicts_faults(&sum->verdicts) > verdicts_faults(&before))
        verdicts_print_seed(kind, seed, &before, &sum->verdicts);
    if (sum->parameters.outside > parameters.outside)
        printf("tests/unit/long_segmenter %s %lu: parameters off\n", kind, (unsigned long)seed);
    sum->seconds += (double)lab->stream->count * lab->stream->dt;
    /* An assertion that fails ends the process without it. */
    fflush(stdout);
    findings_clear(&findings);
    stream_destroy(lab->stream);
}

struct campaign campaign_of_decays(uint64_t first, size_t decays, size_t every)
{
    struct campaign sum = {0};
    uint64_t seed = first;
    for (; sum.verdicts.all.expected < decays; seed++) {
        struct lab lab = lab_with_decays(seed);
        run_seed(&sum, "decays", seed, &lab, every);
    }
    printf("decays, seeds %lu to %lu:\n", (unsigned long)first, (unsigned long)seed - 1);
    verdicts_print(&sum.verdicts);
    if (every > 0)
        parameters_print(&sum.parameters);
    fflush(stdout);
    return sum;
}

struct campaign campaign_of_quiet(uint64_t first, double seconds)
{
    struct campaign sum = {0};
    uint64_t seed = first;
    for (; sum.seconds < seconds; seed++) {
        struct lab lab = lab_without_decays(seed, QUIET_SECONDS);
        run_seed(&sum, "quiet", seed, &lab, 0);
    }
    printf("quiet, seeds %lu to %lu: %zu invented in %.2f h\n", (unsigned long)first, (unsigned long)seed - 1,
           sum.verdicts.invented, sum.seconds / 3600);
    return sum;
}

struct campaign campaign_of_scaled_quiet(uint64_t first, size_t streams, double samples)
{
    struct campaign sum = {0};
    for (uint64_t seed = first; seed < first + streams; seed++) {
        struct lab lab = lab_without_decays_scaled(seed, samples);
        run_seed(&sum, "scaled", seed, &lab, 0);
    }
    printf("quiet on the scale of the rig, seeds %lu to %lu: %zu invented in %.2f h\n", (unsigned long)first,
           (unsigned long)(first + streams - 1), sum.verdicts.invented, sum.seconds / 3600);
    fflush(stdout);
    return sum;
}

/* Of a motion that the stream begins with nobody knows whether it was let go: not counted. */
size_t campaign_of_beats(uint64_t first, size_t streams)
{
    size_t invented = 0, seen;
    for (uint64_t seed = first; seed < first + streams; seed++) {
        struct lab lab = lab_of_beats(seed, BEAT_SAMPLES);
        struct findings findings;
        listen(lab.stream, &findings);
        seen = invented;
        for (size_t i = 0; i < findings.count; i++)
            invented +=
                findings.decays[i]->record.first_extremum_s > 2 * lab.stream->samples_per_cycle * lab.stream->dt;
        if (invented > seen)
            printf("tests/unit/long_segmenter beats %lu: %zu invented\n", (unsigned long)seed, invented - seen);
        findings_clear(&findings);
        stream_destroy(lab.stream);
    }
    printf("beats, seeds %lu to %lu: %zu invented\n", (unsigned long)first, (unsigned long)(first + streams - 1),
           invented);
    fflush(stdout);
    return invented;
}

static void print_samples(const struct stream *stream)
{
    printf("number\tdisplacement\tflags\tclean\tmarks\n");
    for (size_t i = 0; i < stream->count; i++)
        printf("%zu\t%.9g\t%d\t%.9g\t%d\n", i, stream->displacement[i], stream->flags[i], stream->clean[i],
               stream->marks[i]);
}

int campaign_replay(const char *kind, const char *seed_text, bool dump)
{
    uint64_t seed = strtoull(seed_text, NULL, 10);
    struct lab lab;
    if (strcmp(kind, "decays") == 0)
        lab = lab_with_decays(seed);
    else if (strcmp(kind, "quiet") == 0)
        lab = lab_without_decays(seed, QUIET_SECONDS);
    else if (strcmp(kind, "scaled") == 0)
        lab = lab_without_decays_scaled(seed, QUIET_SAMPLES);
    else if (strcmp(kind, "beats") == 0)
        lab = lab_of_beats(seed, BEAT_SAMPLES);
    else {
        fprintf(stderr, "no such kind of stream: %s (decays, quiet, scaled or beats)\n", kind);
        return 2;
    }
    if (dump) {
        print_samples(lab.stream);
    } else {
        struct findings findings;
        struct verdicts verdicts = {0};
        struct parameters parameters = {0};
        listen(lab.stream, &findings);
        judge_explain(&lab, &findings);
        judge(&lab, &findings, &verdicts);
        judge_parameters(&lab, seed, &findings, 1, &parameters);
        verdicts_print_seed(kind, seed, &(struct verdicts){0}, &verdicts);
        parameters_print(&parameters);
        findings_clear(&findings);
    }
    stream_destroy(lab.stream);
    return 0;
}
