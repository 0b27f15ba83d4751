/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters near their ends: what is found does not depend on how long the daemon has been running. */
#include "acquire/counter_unwrap.h"
#include "closed_form_decay.h"
#include "run_suite.h"
#include "segment/segmenter.h"
#include "service/history.h"

#include <jansson.h>
#include <string.h>

static const struct true_decay truth = {.omega_n = 34.7, .zeta = 0.0177, .x_k = 0.18, .x_s = 0.2, .x0 = 12};
static const double period_s = 1e-3;

/* Scans of one throw: rest, a held pull, and the decay. */
enum { REST = 1500, HELD = 800, FREE = 3500, THROW = REST + HELD + FREE, RELEASED = REST + HELD };

/* What is kept of a decay. */
struct found {
    size_t decays, samples, half_cycles;
    uint64_t index; /* of the first sample, from the first one fed */
    uint64_t first; /* index of that one */
    enum decay_end ended_by;
    double sum;
};

static void on_decay(void *context, struct decay *decay)
{
    struct found *found = context;
    found->decays++;
    found->samples = decay->record.count;
    found->half_cycles = decay->half_cycles;
    found->index = decay->first_index - found->first;
    found->ended_by = decay->ended_by;
    for (size_t i = 0; i < decay->record.count; i++)
        found->sum += (double)(i + 1) * decay->record.displacement[i];
    decay_destroy(decay);
}

/* One throw whose samples are numbered from `first` on, in pieces that end anywhere. */
static struct found throw_from(uint64_t first)
{
    struct found found = {.first = first};
    const struct segment_settings settings = segment_default_settings();
    const struct segment_listener listener = {.decay = on_decay, .context = &found};
    struct segmenter *segmenter = segmenter_create(&settings, &listener);
    ck_assert_ptr_nonnull(segmenter);
    for (size_t done = 0; done < THROW; done += 97) {
        double displacement[97];
        size_t count = THROW - done < 97 ? THROW - done : 97;
        for (size_t i = 0; i < count; i++) {
            double t = ((double)(done + i) - RELEASED) * period_s;
            double ripple = 1e-3 * (double)(((done + i) * 2654435761u) % 1000) / 1000;
            double pulled = truth.x0 * fmin(1, fmax(0, (double)(done + i) - REST) / 400);
            displacement[i] = ripple + (done + i < RELEASED ? pulled : true_displacement(&truth, t));
        }
        segmenter_feed(segmenter, first + done, displacement, NULL, NULL, count, 0, period_s);
    }
    segmenter_finish(segmenter, DECAY_END_END_OF_SOURCE);
    struct segment_state state;
    segmenter_state(segmenter, &state);
    ck_assert_uint_eq(state.samples, THROW);
    ck_assert_uint_eq(state.gaps + state.lost_samples, 0);
    segmenter_destroy(segmenter);
    return found;
}

/* The bits at which a narrower type than the right one would end; the last is where the right one does. */
static const int ends[] = {16, 24, 31, 32, 48, 53, 62, 63, 64};

START_TEST(sample_index)
{
    struct found at_home = throw_from(0);
    ck_assert_uint_eq(at_home.decays, 1);
    int bits = ends[_i];
    /* The wrap lies at the beginning, in the middle of the decay, and behind it. */
    for (uint64_t before = 1; before <= THROW; before += RELEASED + 500) {
        uint64_t first = (bits < 64 ? UINT64_C(1) << bits : 0) - before;
        struct found found = throw_from(first);
        ck_assert_uint_eq(found.decays, 1);
        ck_assert_uint_eq(found.samples, at_home.samples);
        ck_assert_uint_eq(found.half_cycles, at_home.half_cycles);
        ck_assert_uint_eq(found.index, at_home.index);
        ck_assert_int_eq(found.ended_by, at_home.ended_by);
        ck_assert(found.sum == at_home.sum);
    }
}
END_TEST

/* The JSON text of an event's seq, read back. */
static uint64_t told_seq(const struct notice *notice)
{
    json_t *message = json_loadb(notice->line, notice->length, 0, NULL);
    json_int_t seq = json_integer_value(json_object_get(json_object_get(message, "params"), "seq"));
    json_decref(message);
    return (uint64_t)seq;
}

START_TEST(seq)
{
    static const struct service_event event = {.code = "gap", .sentence = "a gap"};
    int bits = ends[_i];
    if (bits == 64)
        return; /* beyond JSON's own integers */
    uint64_t first = (UINT64_C(1) << bits) - 5;
    struct history *history = history_create(4, 1000);
    ck_assert_ptr_nonnull(history);
    history_resume(history, "00112233445566778899aabbccddeeff", first);
    /* Across the end, but for the last of them: 2^63 is no number of JSON's. */
    uint64_t count = bits == 63 ? 5 : 10;
    for (uint64_t i = 0; i < count; i++) {
        struct notice *notice = history_add_event(history, &event);
        ck_assert_ptr_nonnull(notice);
        ck_assert_uint_eq(notice->seq, first + i);
        ck_assert_uint_eq(told_seq(notice), first + i);
    }
    ck_assert_uint_eq(history_next_seq(history), first + count);
    ck_assert_uint_eq(history_complete_from(history, TOPIC_EVENT), first + count - 4);
    for (uint64_t i = count - 4; i < count; i++)
        ck_assert_uint_eq(history_from(history, TOPIC_EVENT, first + i)->seq, first + i);
    ck_assert_ptr_null(history_from(history, TOPIC_EVENT, first + count));
    history_destroy(history);
}
END_TEST

/* A carriage that goes on and on in steps of up to half the range, and comes back. */
START_TEST(encoder)
{
    for (unsigned bits = 2; bits <= 63; bits++) {
        uint64_t range = UINT64_C(1) << bits, zero = range - 3;
        int64_t step = (int64_t)(range / 2 - 1), position = 0;
        struct counter_unwrap unwrap = counter_unwrap_start(bits, zero);
        if (bits > 50)
            step = INT64_C(1) << 40; /* so that the position itself does not end */
        for (int i = 0; i < 200; i++) {
            position += i < 100 ? step : -step;
            /* Bits above the counter's are noise. */
            uint64_t reading = (zero + (uint64_t)position) | (bits < 63 ? UINT64_C(1) << 63 : 0);
            ck_assert_int_eq(counter_unwrap_next(&unwrap, reading), position);
        }
        ck_assert_int_eq(position, 0);
    }
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("wrap");
    int count = sizeof ends / sizeof ends[0];
    tcase_add_loop_test(cases, sample_index, 0, count);
    tcase_add_loop_test(cases, seq, 0, count);
    tcase_add_test(cases, encoder);
    Suite *suite = suite_create("wrap");
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
