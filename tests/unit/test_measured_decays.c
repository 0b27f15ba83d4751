/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_suite.h"
#include "segment/segmenter.h"

#include <math.h>
#include <string.h>

/* Measured recordings of others, with what is to be found in them: the decay begins before `begins`, goes on until
 * after `ends`, and is the only one worth speaking of. */
struct measured {
    const char *name;
    double begins, ends; /* s */
    size_t half_cycles;  /* at least */
};

static const struct measured recordings[] = {
    /* Its encoder jumps by 0.02 rad at 113.56 s: what follows is not of the same decay. */
    {"carter_adip_pend", 0.7, 113, 215}, {"alq_70", 0.6, 22, 170},      {"alq_100", 0.9, 38, 205},
    {"yf_lab2_16", 1.5, 190, 290},       {"yf_lab2_22", 2.2, 115, 230}, {"yf_data32", 1.7, 138, 255},
    {"seismo_blow", 37, 95, 9},
};

enum { RECORDINGS = sizeof recordings / sizeof *recordings };

struct samples {
    double time_s[65536], displacement[65536];
    size_t count;
};

static FILE *open_recording(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/decays/%s.csv", SHARED_DATA, name);
    return fopen(path, "r");
}

static void read_recording(const char *name, struct samples *samples)
{
    char line[256], *end;
    FILE *file = open_recording(name);
    ck_assert_ptr_nonnull(file);
    samples->count = 0;
    while (fgets(line, sizeof line, file) && samples->count < 65536) {
        double time_s = strtod(line, &end);
        if (end == line || *end != ',')
            continue;
        samples->time_s[samples->count] = time_s;
        samples->displacement[samples->count++] = strtod(end + 1, NULL);
    }
    fclose(file);
}

struct found {
    size_t count;
    double begins, ends;
    size_t half_cycles, most; /* of the longest decay, of any other */
};

static void keep_longest(void *context, struct decay *decay)
{
    struct found *found = context;
    found->count++;
    if (decay->half_cycles > found->half_cycles) {
        found->most = found->half_cycles;
        found->half_cycles = decay->half_cycles;
        found->begins = decay->record.first_extremum_s;
        found->ends = decay_record_time(&decay->record, decay->record.count - 1);
    } else if (decay->half_cycles > found->most) {
        found->most = decay->half_cycles;
    }
    decay_destroy(decay);
}

/* Of what was measured from then on. */
static struct found find(const char *name, double from_s)
{
    static struct samples samples;
    struct found found = {0};
    const struct segment_settings settings = segment_default_settings();
    const struct segment_listener listener = {.decay = keep_longest, .context = &found};
    struct segmenter *segmenter = segmenter_create(&settings, &listener);
    read_recording(name, &samples);
    size_t last = samples.count - 1, from = 0;
    while (from < last && samples.time_s[from] < from_s)
        from++;
    double period_s = (samples.time_s[last] - samples.time_s[0]) / (double)last;
    segmenter_feed(segmenter, 0, samples.displacement + from, NULL, NULL, samples.count - from, samples.time_s[from],
                   period_s);
    segmenter_finish(segmenter, DECAY_END_END_OF_SOURCE);
    segmenter_destroy(segmenter);
    return found;
}

START_TEST(finds_the_decay_of_a_measured_recording)
{
    const struct measured *measured = &recordings[_i];
    struct found found = find(measured->name, -INFINITY);
    printf("%s: %zu decays, %zu half cycles from %.3f to %.3f s\n", measured->name, found.count, found.half_cycles,
           found.begins, found.ends);
    ck_assert_uint_ge(found.half_cycles, measured->half_cycles);
    ck_assert_double_le(found.begins, measured->begins);
    ck_assert_double_ge(found.ends, measured->ends);
    ck_assert_uint_le(found.most, measured->half_cycles / 20);
}
END_TEST

/* Its half periods are uneven, so that its half cycles leave more than hum does; but few of them take more than half of
 * the first swing away. */
START_TEST(finds_uneven_half_periods_wherever_the_stream_begins)
{
    struct found found = find("seismo_blow", _i);
    ck_assert_uint_ge(found.half_cycles, 4);
    ck_assert_double_le(found.begins, 60);
    ck_assert_double_ge(found.ends, 85);
    ck_assert_uint_eq(found.count, 1);
}
END_TEST

START_TEST(a_coarse_recording_of_three_cycles_does_no_harm)
{
    struct found found = find("stecu_massspring_1", -INFINITY);
    ck_assert_uint_le(found.count, 1);
}
END_TEST

int main(void)
{
    FILE *file = open_recording(recordings[0].name);
    if (!file) {
        printf("SKIP: ../shared is absent, no measured recordings\n");
        return TEST_SKIPPED;
    }
    fclose(file);
    Suite *suite = suite_create("measured decays");
    TCase *tests = tcase_create("recordings");
    tcase_add_loop_test(tests, finds_the_decay_of_a_measured_recording, 0, RECORDINGS);
    tcase_add_loop_test(tests, finds_uneven_half_periods_wherever_the_stream_begins, 0, 31);
    tcase_add_test(tests, a_coarse_recording_of_three_cycles_does_no_harm);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
