/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every allocation of proto/, identify/ and segment/ made to fail in turn, once and from there on: nothing crashes,
 * nothing leaks (the sanitizers look), the caller gets a name for it, and afterwards the same works. */
#include "closed_form_decay.h"
#include "failing_memory.h"
#include "identify/decay/identify_ladder.h"
#include "identify/decay/ladder_doubts.h"
#include "proto/framing.h"
#include "proto/jsonrpc.h"
#include "proto/recording.h"
#include "proto/utf8.h"
#include "run_suite.h"
#include "segment/segmenter.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* More than any operation here allocates. */
enum { MOST = 3000 };

static const struct true_decay truth = {.omega_n = 34.7, .zeta = 0.0177, .x_k = 0.18, .x_s = 0.2, .x0 = 12};
static const double period_s = 1e-3;

/* --- proto --- */

/* A line in two pieces: what was held of it is thrown away, and the one behind it comes through. */
static bool frame(long succeeding, enum memory_manner manner)
{
    struct framing framing = {0};
    static char text[9000];
    memset(text, 'x', sizeof text);
    text[6000] = '\n';
    const char *pieces[] = {text, text + 2000, text + 6001}, *line;
    size_t counts[] = {2000, 4001, 0}, length, lines = 0, lost = 0;
    failing_memory_begin(succeeding, manner);
    for (int i = 0; i < 2; i++) {
        while (counts[i] > 0) {
            enum framing_result result = framing_take(&framing, &pieces[i], &counts[i], &line, &length);
            lines += result == FRAMING_LINE;
            lost += result == FRAMING_NO_MEMORY;
        }
    }
    bool failed = failing_memory_end();
    ck_assert_uint_eq(lost, failed ? 1 : 0);
    ck_assert_uint_eq(lines, failed ? 0 : 1);
    const char *next = "second\n";
    size_t left = 7;
    ck_assert_int_eq(framing_take(&framing, &next, &left, &line, &length), FRAMING_LINE);
    ck_assert_uint_eq(length, 6);
    framing_clear(&framing);
    return failed;
}

static bool read_message(long succeeding, enum memory_manner manner)
{
    static const char text[] = "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{\"a\":[1,2.5,\"b\"]},\"id\":\"c\"}";
    struct complaint complaint = {{0}};
    struct jsonrpc_request request;
    failing_memory_begin(succeeding, manner);
    json_t *message = jsonrpc_parse(text, sizeof text - 1, &complaint);
    int code = message ? jsonrpc_read_request(message, &request, &complaint) : 0;
    bool failed = failing_memory_end();
    ck_assert(failed == !message);
    /* The parser does not always know why it failed. */
    ck_assert(message || complaint.text[0]);
    ck_assert_int_eq(code, 0);
    json_decref(message);
    return failed;
}

enum { KINDS = 5 };

/* Every kind of message that is written. */
static void write_all(char *lines[KINDS], json_t *id, json_t *params)
{
    size_t length;
    lines[0] = jsonrpc_line(jsonrpc_request("x", json_incref(params), id), &length);
    lines[1] = jsonrpc_line(jsonrpc_notification("hello", json_incref(params)), &length);
    lines[2] = jsonrpc_line(jsonrpc_response(id, json_incref(params)), &length);
    lines[3] = jsonrpc_line(jsonrpc_error_response(id, JSONRPC_BUSY, "no place", NULL), &length);
    lines[4] = jsonrpc_response_line(id, "{\"a\":1}", &length);
}

/* Each is the whole line or nothing. */
static bool write_messages(long succeeding, enum memory_manner manner)
{
    json_t *id = json_string("c"), *params = json_pack("{s:s}", "a", "b");
    char *lines[KINDS], *whole[KINDS];
    write_all(whole, id, params);
    failing_memory_begin(succeeding, manner);
    write_all(lines, id, params);
    bool failed = failing_memory_end();
    size_t missing = 0;
    for (int i = 0; i < KINDS; i++) {
        missing += lines[i] == NULL;
        ck_assert_msg(!lines[i] || strcmp(lines[i], whole[i]) == 0, "allocation %ld: %s", succeeding, lines[i]);
        free(lines[i]);
        free(whole[i]);
    }
    ck_assert(failed || missing == 0);
    ck_assert(manner == MEMORY_STAYS_SHORT ? !failed || missing > 0 : missing <= 1);
    json_decref(id);
    json_decref(params);
    return failed;
}

static bool load_recording(long succeeding, enum memory_manner manner)
{
    struct recording recording;
    struct complaint complaint = {{0}};
    failing_memory_begin(succeeding, manner);
    int error = recording_load(TEST_DATA "/bearing_three_releases.csv", NULL, &recording, &complaint);
    bool failed = failing_memory_end();
    ck_assert_msg(error == (failed ? -ENOMEM : 0), "allocation %ld: %d %s", succeeding, error, complaint.text);
    ck_assert(error == 0 || strstr(complaint.text, "memory"));
    if (error == 0) {
        ck_assert_uint_gt(recording.count, 1000);
        recording_clear(&recording);
    }
    return failed;
}

/* --- identify --- */

static bool says_no_memory(const struct identification *found)
{
    bool said = found->verdict == VERDICT_NO_MEMORY || found->fit.verdict == VERDICT_NO_MEMORY ||
                found->extrema_fit.verdict == VERDICT_NO_MEMORY || found->decrement.verdict == VERDICT_NO_MEMORY;
    for (int i = 0; i < MODEL_COUNT; i++)
        said = said || found->models[i].verdict == VERDICT_NO_MEMORY;
    return said;
}

/* What a user would quote of it. */
static bool same_figures(const struct identification *one, const struct identification *other)
{
    return one->verdict == other->verdict && one->recommended == other->recommended &&
           one->fit.estimate[FIT_ZETA].value == other->fit.estimate[FIT_ZETA].value &&
           one->fit.estimate[FIT_ZETA].se == other->fit.estimate[FIT_ZETA].se &&
           one->fit.estimate[FIT_X_K].value == other->fit.estimate[FIT_X_K].value &&
           one->extrema_fit.estimate[FIT_ZETA].value == other->extrema_fit.estimate[FIT_ZETA].value &&
           one->decrement.zeta.mean == other->decrement.zeta.mean &&
           one->static_friction.x_s_max == other->static_friction.x_s_max;
}

static struct identification identified(const struct decay_record *record)
{
    const struct identify_settings settings = {
        .physical = {.mass_kg = 1.92, .stiffness_n_per_m = 2310, .gravity_m_per_s2 = 9.80665, .metres_per_unit = 1e-3}};
    struct identification found;
    identify(record, NULL, &settings, &found);
    return found;
}

static bool identify_one(long succeeding, enum memory_manner manner)
{
    const struct sampling sampling = {.period_s = period_s, .count = 3000, .step = 0.01};
    double *displacement;
    struct decay_record record = measured_record(&truth, &sampling, NULL, &displacement);
    struct identification whole = identified(&record);
    ck_assert_int_eq(whole.verdict, VERDICT_OK);
    failing_memory_begin(succeeding, manner);
    struct identification found = identified(&record);
    bool failed = failing_memory_end();
    ck_assert_msg(says_no_memory(&found) || same_figures(&found, &whole),
                  "allocation %ld: another result, and no word of memory", succeeding);
    ck_assert(failed || same_figures(&found, &whole));
    struct identification again = identified(&record);
    ck_assert(same_figures(&again, &whole));
    identification_clear(&whole);
    identification_clear(&found);
    identification_clear(&again);
    free(displacement);
    return failed;
}

/* A decay that a ladder was climbed for, with what it rests on. */
static struct {
    struct decay_record record;
    double *displacement;
    struct extrema_chain chain;
    struct identification found;
    struct ladder ladder;
} climbed;

static void climb(void)
{
    const struct identify_settings settings = {.physical = physical_default_settings()};
    const struct true_decay decay = {.omega_n = 34.7, .zeta = 0.01, .x_k = 0.1, .x0 = 12};
    const struct sampling sampling = {.period_s = 5e-3, .count = 800, .step = 0.01};
    climbed.record = measured_record(&decay, &sampling, NULL, &climbed.displacement);
    identify(&climbed.record, NULL, &settings, &climbed.found);
    ck_assert_int_eq(identify_ladder(&climbed.record, &settings, &climbed.found), VERDICT_OK);
    ck_assert_int_eq(extrema_chain_find(&climbed.record, NULL, &climbed.chain), VERDICT_OK);
    climbed.ladder = *climbed.found.ladder;
}

static void climb_down(void)
{
    identification_clear(&climbed.found);
    extrema_chain_clear(&climbed.chain);
    free(climbed.displacement);
}

/* What was doubted stays, and that nobody could ask is said: it is not that nothing is to be doubted. */
static bool doubt_one(long succeeding, enum memory_manner manner)
{
    struct doubts *doubts = &climbed.found.doubts;
    *doubts = (struct doubts){.frequency_drift = true, .damping_drift = true, .presliding = true};
    *climbed.found.ladder = climbed.ladder;
    failing_memory_begin(succeeding, manner);
    const enum verdict verdict = ladder_doubt(&climbed.record, &climbed.chain, NULL, &climbed.found);
    const bool failed = failing_memory_end();
    ck_assert_msg(verdict == (failed ? VERDICT_NO_MEMORY : VERDICT_OK), "allocation %ld: %s", succeeding,
                  verdict_name(verdict));
    ck_assert(doubts->frequency_drift == failed && doubts->damping_drift == failed && doubts->presliding == failed);
    return failed;
}

/* --- segment --- */

/* Rest, a held pull, a decay, and rest again. */
enum { REST = 1500, HELD = 800, FREE = 3500, THROW = REST + HELD + FREE, RELEASED = REST + HELD };

static double thrown(size_t i)
{
    double ripple = 1e-3 * (double)((i * 2654435761u) % 1000) / 1000;
    if (i < REST)
        return ripple;
    if (i < RELEASED)
        return truth.x0 * fmin(1, (double)(i - REST) / 400) + ripple;
    return true_displacement(&truth, (double)(i - RELEASED) * period_s) + ripple;
}

static void on_decay(void *context, struct decay *decay)
{
    size_t *decays = context;
    (*decays)++;
    decay_destroy(decay);
}

/* Whether the samples carry stamps. */
static bool stamped;

static void feed_throw(struct segmenter *segmenter, uint64_t first)
{
    static double displacement[THROW], time_s[THROW];
    for (size_t i = 0; i < THROW; i++) {
        displacement[i] = thrown(i);
        time_s[i] = (double)(first + i) * period_s;
    }
    for (size_t done = 0; done < THROW; done += 100)
        segmenter_feed(segmenter, first + done, displacement + done, stamped ? time_s + done : NULL, NULL, 100, 0,
                       period_s);
}

/* One throw while memory fails, the next while it does not: the second is found whatever became of the first. */
static bool segment_throws(long succeeding, enum memory_manner manner)
{
    size_t decays = 0;
    const struct segment_settings settings = segment_default_settings();
    const struct segment_listener listener = {.decay = on_decay, .context = &decays};
    failing_memory_begin(succeeding, manner);
    struct segmenter *segmenter = segmenter_create(&settings, &listener);
    if (segmenter)
        feed_throw(segmenter, 0);
    bool failed = failing_memory_end();
    if (!segmenter) {
        ck_assert(failed);
        return true;
    }
    struct segment_state state;
    segmenter_state(segmenter, &state);
    ck_assert_uint_eq(state.samples + state.lost_samples, THROW);
    bool said = state.lost_samples > 0 || state.drops[DROP_NO_MEMORY] > 0;
    ck_assert_msg(decays == 1 || (failed && said), "allocation %ld: %zu decays and no word of memory", succeeding,
                  decays);
    size_t before = decays;
    feed_throw(segmenter, THROW);
    segmenter_finish(segmenter, DECAY_END_END_OF_SOURCE);
    ck_assert_msg(decays == before + 1, "after allocation %ld the next decay was not found", succeeding);
    segmenter_destroy(segmenter);
    return failed;
}

/* --- all of them --- */

/* One operation with its first, second, … allocation failing, until none does. */
static void fail_in_turn(bool (*operation)(long succeeding, enum memory_manner manner), long least)
{
    for (int manner = MEMORY_FAILS_ONCE; manner <= MEMORY_STAYS_SHORT; manner++) {
        long succeeding = 0;
        while (operation(succeeding, (enum memory_manner)manner))
            ck_assert_int_lt(++succeeding, MOST);
        ck_assert_msg(succeeding >= least, "only %ld allocations were seen", succeeding);
        printf("%ld allocations failed in turn\n", succeeding);
    }
}

START_TEST(lines)
{
    fail_in_turn(frame, 1);
}
END_TEST

START_TEST(messages)
{
    fail_in_turn(read_message, 10);
    fail_in_turn(write_messages, 30);
}
END_TEST

/* Against jansson's own check: all beginnings of two bytes, each alone and with two continuations behind. */
START_TEST(text)
{
    for (unsigned first = 1; first < 256; first++) {
        for (unsigned second = 1; second < 256; second++) {
            const char bytes[] = {(char)first, (char)second, '\x80', '\x80'};
            for (size_t length = 1; length <= sizeof bytes; length++) {
                json_t *string = json_stringn(bytes, length);
                ck_assert_msg(is_utf8(bytes, length) == (string != NULL), "%02x %02x, %zu bytes", first, second,
                              length);
                json_decref(string);
            }
        }
    }
}
END_TEST

START_TEST(recordings)
{
    fail_in_turn(load_recording, 5);
}
END_TEST

START_TEST(identifications)
{
    fail_in_turn(identify_one, 8);
}
END_TEST

START_TEST(doubts_of_a_ladder)
{
    climb();
    fail_in_turn(doubt_one, 7);
    climb_down();
}
END_TEST

START_TEST(streams)
{
    for (int i = 0; i < 2; i++) {
        stamped = i == 1;
        fail_in_turn(segment_throws, 8);
    }
}
END_TEST

int main(void)
{
    failing_memory_set_up();
    TCase *cases = tcase_create("short memory");
    tcase_set_timeout(cases, 120);
    tcase_add_test(cases, lines);
    tcase_add_test(cases, messages);
    tcase_add_test(cases, text);
    tcase_add_test(cases, recordings);
    tcase_add_test(cases, identifications);
    tcase_add_test(cases, doubts_of_a_ladder);
    tcase_add_test(cases, streams);
    Suite *suite = suite_create("short memory");
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
