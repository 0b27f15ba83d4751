/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines must come out the same however the bytes are cut, and never cost more memory than the limit. */
#include "proto/framing.h"
#include "run_suite.h"

#include <string.h>

/* What a stream of bytes gave: lines joined with '|', a line that is too long as '!'. */
struct heard {
    char text[256];
};

static void hear(struct heard *heard, const char *line, size_t length)
{
    size_t used = strlen(heard->text);
    ck_assert_uint_lt(used + length + 2, sizeof heard->text);
    memcpy(heard->text + used, line, length);
    memcpy(heard->text + used + length, "|", 2);
}

static void feed(struct framing *framing, struct heard *heard, const char *bytes, size_t count)
{
    for (;;) {
        const char *line;
        size_t length;
        switch (framing_take(framing, &bytes, &count, &line, &length)) {
        case FRAMING_MORE:
            ck_assert_uint_eq(count, 0);
            return;
        case FRAMING_LINE:
            hear(heard, line, length);
            break;
        case FRAMING_TOO_LONG:
            hear(heard, "!", 1);
            break;
        case FRAMING_NO_MEMORY:
            ck_abort_msg("no memory");
        }
    }
}

START_TEST(several_lines_in_one_packet)
{
    struct framing framing = {0};
    struct heard heard = {0};
    feed(&framing, &heard, "one\ntwo\n\nthree\nfo", 17);
    ck_assert_str_eq(heard.text, "one|two||three|");
    feed(&framing, &heard, "ur\n", 3);
    ck_assert_str_eq(heard.text, "one|two||three|four|");
    framing_clear(&framing);
}
END_TEST

START_TEST(any_cut_gives_the_same_lines)
{
    const char bytes[] = "{\"a\":1}\n\n[2,3]\r\nlast\n";
    for (size_t piece = 1; piece < sizeof bytes; piece++) {
        struct framing framing = {0};
        struct heard heard = {0};
        for (size_t at = 0; at < sizeof bytes - 1; at += piece) {
            size_t left = sizeof bytes - 1 - at;
            feed(&framing, &heard, bytes + at, left < piece ? left : piece);
        }
        ck_assert_str_eq(heard.text, "{\"a\":1}||[2,3]\r|last|");
        framing_clear(&framing);
    }
}
END_TEST

START_TEST(zero_bytes_belong_to_the_line)
{
    struct framing framing = {0};
    const char *bytes = "a\0b\n", *line;
    size_t count = 4, length;
    ck_assert_int_eq(framing_take(&framing, &bytes, &count, &line, &length), FRAMING_LINE);
    ck_assert_uint_eq(length, 3);
    ck_assert_mem_eq(line, "a\0b", 3);
    framing_clear(&framing);
}
END_TEST

/* Feeds `total` bytes without newline in pieces; returns how often "too long" was told. */
static int feed_long(struct framing *framing, size_t total)
{
    static char piece[4096];
    memset(piece, 'x', sizeof piece);
    int told = 0;
    while (total > 0) {
        size_t count = total < sizeof piece ? total : sizeof piece;
        const char *bytes = piece, *line;
        size_t length;
        total -= count;
        for (;;) {
            enum framing_result result = framing_take(framing, &bytes, &count, &line, &length);
            if (result == FRAMING_MORE)
                break;
            ck_assert_int_eq(result, FRAMING_TOO_LONG);
            told++;
        }
    }
    return told;
}

START_TEST(the_longest_line_passes_and_one_byte_more_does_not)
{
    struct framing framing = {0};
    ck_assert_int_eq(feed_long(&framing, FRAMING_MAX_LINE), 0);
    const char *bytes = "\n", *line;
    size_t count = 1, length;
    ck_assert_int_eq(framing_take(&framing, &bytes, &count, &line, &length), FRAMING_LINE);
    ck_assert_uint_eq(length, FRAMING_MAX_LINE);
    ck_assert_int_eq(feed_long(&framing, FRAMING_MAX_LINE + 1), 1);
    framing_clear(&framing);
}
END_TEST

START_TEST(a_line_too_long_is_told_once_and_the_next_line_is_heard)
{
    struct framing framing = {0};
    struct heard heard = {0};
    ck_assert_int_eq(feed_long(&framing, 5 * (size_t)FRAMING_MAX_LINE), 1);
    ck_assert_uint_le(framing.capacity, FRAMING_MAX_LINE);
    feed(&framing, &heard, "rest\nnext\n", 10);
    ck_assert_str_eq(heard.text, "next|");
    framing_clear(&framing);
}
END_TEST

START_TEST(a_line_too_long_in_one_piece_with_the_next)
{
    struct framing framing = {0};
    struct heard heard = {0};
    size_t count = FRAMING_MAX_LINE + 10;
    char *bytes = malloc(count);
    ck_assert_ptr_nonnull(bytes);
    memset(bytes, 'x', count);
    memcpy(bytes + count - 6, "\nnext\n", 6);
    feed(&framing, &heard, bytes, count);
    ck_assert_str_eq(heard.text, "!|next|");
    free(bytes);
    framing_clear(&framing);
}
END_TEST

START_TEST(the_end_of_the_stream_completes_a_line)
{
    struct framing framing = {0};
    struct heard heard = {0};
    const char *line;
    size_t length;
    ck_assert_int_eq(framing_finish(&framing, &line, &length), FRAMING_MORE);
    feed(&framing, &heard, "one\ntwo", 7);
    ck_assert_int_eq(framing_finish(&framing, &line, &length), FRAMING_LINE);
    hear(&heard, line, length);
    ck_assert_str_eq(heard.text, "one|two|");
    ck_assert_int_eq(framing_finish(&framing, &line, &length), FRAMING_MORE);
    framing_clear(&framing);
}
END_TEST

START_TEST(an_idle_client_gives_its_memory_back)
{
    struct framing framing = {0};
    const char *bytes = "\n", *line;
    size_t count = 1, length;
    feed_long(&framing, FRAMING_MAX_LINE);
    ck_assert_int_eq(framing_take(&framing, &bytes, &count, &line, &length), FRAMING_LINE);
    ck_assert_int_eq(framing_take(&framing, &bytes, &count, &line, &length), FRAMING_MORE);
    ck_assert_uint_lt(framing.capacity, 65536);
    framing_clear(&framing);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("framing");
    TCase *lines = tcase_create("lines");
    tcase_add_test(lines, several_lines_in_one_packet);
    tcase_add_test(lines, any_cut_gives_the_same_lines);
    tcase_add_test(lines, zero_bytes_belong_to_the_line);
    tcase_add_test(lines, the_longest_line_passes_and_one_byte_more_does_not);
    tcase_add_test(lines, a_line_too_long_is_told_once_and_the_next_line_is_heard);
    tcase_add_test(lines, a_line_too_long_in_one_piece_with_the_next);
    tcase_add_test(lines, the_end_of_the_stream_completes_a_line);
    tcase_add_test(lines, an_idle_client_gives_its_memory_back);
    suite_add_tcase(suite, lines);
    return run_suite(suite);
}
