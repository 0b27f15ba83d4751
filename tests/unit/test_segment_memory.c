/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a segmenter holds, whatever comes and for however long, and what it says when memory is short. */

#include "run_suite.h"
#include "segment/sample_history.h"
#include "segment_harness.h"

#include <malloc.h>
#include <math.h>
#include <stdlib.h>

/* The linker sends the program's own allocations here. */
void *__wrap_malloc(size_t size);
void *__real_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__real_realloc(void *old, size_t size);
void __wrap_free(void *memory);
void __real_free(void *memory);

/* short_at: an allocation of this many bytes or more fails; 0: none does. moves_left: so many more that move what is
 * there succeed, where `counts`. */
static struct {
    size_t held, most, short_at, moves_left;
    bool counts;
} memory;

static bool is_short(size_t size)
{
    return memory.short_at > 0 && size >= memory.short_at;
}

static void *note(void *taken)
{
    memory.held += taken ? malloc_usable_size(taken) : 0;
    memory.most = memory.held > memory.most ? memory.held : memory.most;
    return taken;
}

void *__wrap_malloc(size_t size)
{
    return is_short(size) ? NULL : note(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return is_short(count * size) ? NULL : note(__real_calloc(count, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    if (is_short(size) || (memory.counts && memory.moves_left == 0))
        return NULL;
    memory.moves_left -= memory.counts;
    memory.held -= old ? malloc_usable_size(old) : 0;
    return note(__real_realloc(old, size));
}

void __wrap_free(void *taken)
{
    memory.held -= taken ? malloc_usable_size(taken) : 0;
    __real_free(taken);
}

enum { BLOCK = 1000, MAX_SAMPLES = 20000 };

/* Streams that never end in any sense: signals as a function of the sample number. */
static double endless(int kind, double i, struct random *random)
{
    static double wandering;
    double swing = sin(2 * M_PI * i / 20.3);
    switch (kind) {
    case 0:
        return swing; /* hum on an open input */
    case 1:
        return swing + 0.01 * random_normal(random);
    case 2:
        return swing * (1 + 0.2 * sin(1e-4 * i)); /* it beats */
    case 3:
        return random_normal(random);
    case 4:
        return 1e-6 * i; /* it only drifts */
    case 5:
        return sin(1e-5 * i); /* one swing is longer than all that may be kept */
    case 6:
        return 0; /* a dead channel */
    default:
        return wandering += random_normal(random);
    }
}

static void discard(void *context, struct decay *decay)
{
    size_t *decays = context;
    (*decays)++;
    decay_destroy(decay);
}

/* The most that was held at once while so many blocks came. */
static size_t most_held(int kind, uint64_t blocks, bool stamped)
{
    size_t decays = 0, before = memory.held;
    struct segment_settings settings = segment_default_settings();
    settings.max_samples = MAX_SAMPLES;
    const struct segment_listener listener = {.decay = discard, .context = &decays};
    struct random random = {(uint64_t)kind + 1};
    memory.most = before;
    struct segmenter *segmenter = segmenter_create(&settings, &listener);
    for (uint64_t block = 0; block < blocks; block++) {
        double y[BLOCK], time_s[BLOCK];
        for (int i = 0; i < BLOCK; i++) {
            double number = (double)(block * BLOCK) + i;
            y[i] = endless(kind, number, &random);
            time_s[i] = 1e-3 * number;
        }
        segmenter_feed(segmenter, block * BLOCK, y, stamped ? time_s : NULL, NULL, BLOCK, 0, 1e-3);
    }
    segmenter_destroy(segmenter);
    ck_assert_uint_eq(memory.held, before);
    return memory.most - before;
}

/* Room for twice the longest decay and what is looked at around it, doubled so that it seldom has to be moved. */
START_TEST(memory_is_bounded_whatever_comes)
{
    for (int stamped = 0; stamped < 2; stamped++) {
        size_t a_sample = sizeof(double) + 1 + (stamped ? sizeof(double) : 0);
        size_t most = most_held(_i, 600, stamped), bound = 2 * (2 * MAX_SAMPLES + 4 * 4096) * a_sample + 65536;
        ck_assert_msg(most <= bound, "stream %d: %zu bytes, more than %zu", _i, most, bound);
    }
}
END_TEST

START_TEST(memory_does_not_grow_with_time)
{
    size_t soon = most_held(_i, 300, false), late = most_held(_i, 1200, false);
    ck_assert_msg(late <= soon + 65536, "stream %d: %zu bytes soon, %zu late", _i, soon, late);
}
END_TEST

/* Two decays of some 90000 samples; in the middle of the first one there is memory again. What is left of it is a decay
 * after lost samples. */
START_TEST(says_when_a_decay_is_lost_for_want_of_memory)
{
    const struct plant plant = {.omega_n = 10 * M_PI, .zeta = 0.001, .x_k = 0.0005, .x_s = 0.0005};
    const struct sensor sensor = {.noise = 1e-3};
    struct stream *stream = stream_create(1, &plant, &sensor, 2000);
    for (int i = 0; i < 2; i++) {
        stream_wait(stream, 2000);
        stream_pull(stream, 1, 2000, 0);
        stream_release(stream, 0, 8000, 1e6);
    }
    size_t decays = 0, some = stream->count / 4;
    const struct segment_settings settings = segment_default_settings();
    const struct segment_listener listener = {.decay = discard, .context = &decays};
    struct segmenter *segmenter = segmenter_create(&settings, &listener);
    memory.short_at = 100000;
    segmenter_feed(segmenter, 0, stream->displacement, NULL, NULL, some, 0, stream->dt);
    memory.short_at = 0;
    struct segment_state state;
    segmenter_state(segmenter, &state);
    ck_assert_uint_eq(decays, 0);
    ck_assert_uint_ge(state.drops[DROP_NO_MEMORY], 1);
    ck_assert_uint_eq(state.samples + state.lost_samples, some);
    segmenter_feed(segmenter, some, stream->displacement + some, NULL, NULL, stream->count - some, 0, stream->dt);
    ck_assert_uint_eq(decays, 2);
    segmenter_destroy(segmenter);
    stream_destroy(stream);
}
END_TEST

/* Nothing is followed while a mass is pulled aside slowly: what is lost for want of memory is a gap all the same, and
 * one however many calls it takes. */
START_TEST(counts_a_gap_where_memory_is_short)
{
    size_t decays = 0;
    struct random random = {1};
    const struct segment_settings settings = segment_default_settings();
    const struct segment_listener listener = {.decay = discard, .context = &decays};
    struct segmenter *segmenter = segmenter_create(&settings, &listener);
    for (uint64_t block = 0; block < 120; block++) {
        double y[BLOCK];
        for (int i = 0; i < BLOCK; i++)
            y[i] = endless(5, (double)(block * BLOCK) + i, &random);
        memory.short_at = block >= 40 && block < 80 ? 1 : 0;
        segmenter_feed(segmenter, block * BLOCK, y, NULL, NULL, BLOCK, 0, 1e-3);
    }
    memory.short_at = 0;
    struct segment_state state;
    segmenter_state(segmenter, &state);
    ck_assert_uint_gt(state.lost_samples, 0);
    ck_assert_uint_eq(state.samples + state.lost_samples, 120 * BLOCK);
    ck_assert_uint_eq(state.gaps, 1);
    segmenter_destroy(segmenter);
}
END_TEST

/* A decay, and then nothing for hours: a dead encoder, or a channel whose noise is less than the resolution that was
 * set for it. */
START_TEST(a_channel_at_rest_needs_little_memory)
{
    enum { DECAY = 20000, RESTING = 1500 * BLOCK, LITTLE = 400000 };
    size_t decays = 0, before = memory.held;
    struct segment_settings settings = segment_default_settings();
    settings.max_samples = 4000000;
    settings.resolution = _i ? 0.01 : 0;
    const struct segment_listener listener = {.decay = discard, .context = &decays};
    struct segmenter *segmenter = segmenter_create(&settings, &listener);
    struct random random = {7};
    for (uint64_t first = 0; first < DECAY + RESTING; first += BLOCK) {
        double y[BLOCK];
        for (int i = 0; i < BLOCK; i++) {
            double at = (double)first + i;
            double motion = at < DECAY ? exp(-5e-4 * at) * cos(2 * M_PI * at / 200) : 0;
            y[i] = _i ? motion + 0.0005 * random_normal(&random) : 0.01 * round(100 * motion);
        }
        segmenter_feed(segmenter, first, y, NULL, NULL, BLOCK, 0, 1e-3);
    }
    ck_assert_uint_eq(decays, 1);
    ck_assert_msg(memory.held - before < LITTLE, "%zu bytes", memory.held - before);
    segmenter_destroy(segmenter);
}
END_TEST

/* Each array of the history in turn: what it says that it has room for it has. */
START_TEST(memory_that_cannot_be_given_back_harms_nothing)
{
    enum { MANY = 100000 };
    static double value[MANY], time_s[MANY];
    struct sample_history history;
    const struct stretch stretch = {.stamped = true, .period_s = 1};
    for (int i = 0; i < MANY; i++)
        time_s[i] = i;
    sample_history_init(&history);
    sample_history_restart(&history, &stretch);
    ck_assert_int_eq(sample_history_reserve(&history, MANY / 2, SIZE_MAX / 32), 0);
    ck_assert_uint_eq(history.capacity, MANY);
    sample_history_append(&history, value, time_s, NULL, MANY);
    sample_history_raise_floor(&history, UINT64_MAX);
    memory.counts = true;
    memory.moves_left = (size_t)_i;
    /* What is out of sight goes, and with it most of the room. */
    ck_assert_int_eq(sample_history_reserve(&history, 10, SIZE_MAX / 32), 0);
    memory.counts = false;
    ck_assert_uint_le(history.capacity * sizeof *history.displacement, malloc_usable_size(history.displacement));
    ck_assert_uint_le(history.capacity * sizeof *history.time_s, malloc_usable_size(history.time_s));
    ck_assert_uint_le(history.capacity, malloc_usable_size(history.flags));
    sample_history_clear(&history);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("segmenter's memory");
    TCase *tests = tcase_create("memory");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, memory_is_bounded_whatever_comes, 0, 8);
    tcase_add_loop_test(tests, memory_does_not_grow_with_time, 0, 8);
    tcase_add_test(tests, says_when_a_decay_is_lost_for_want_of_memory);
    tcase_add_test(tests, counts_a_gap_where_memory_is_short);
    tcase_add_loop_test(tests, a_channel_at_rest_needs_little_memory, 0, 2);
    tcase_add_loop_test(tests, memory_that_cannot_be_given_back_harms_nothing, 0, 3);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
