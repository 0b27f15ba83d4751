/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strings of others where they go: whatever bytes they are made of, what is written is one literal, one word, one name
 * and nothing that a terminal obeys. */

#include "proto/complaint.h"
#include "proto/plain_text.h"
#include "proto/quote.h"
#include "proto/utf8.h"

#include "run_suite.h"
#include "thinning.h"

#include <jansson.h>
#include <libconfig.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* What one of the functions that write into a stream makes of a text; free(). */
static char *written(void (*quote)(FILE *, const char *), const char *text)
{
    char *made = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&made, &size);
    quote(stream, text);
    ck_assert_int_eq(fclose(stream), 0);
    return made;
}

static void assert_plain(const char *text)
{
    char *plain = plain_text(text, false);
    ck_assert_str_eq(plain, text);
    free(plain);
}

struct plain_case {
    const char *text, *unicode, *ascii;
};

static const struct plain_case plain_cases[] = {
    {"bearing", "bearing", "bearing"},
    {"\033[31mred", "?[31mred", "?[31mred"},
    {"two\nlines\tof\rtext", "two lines of?text", "two lines of?text"},
    {"bell\a del\x7f", "bell? del?", "bell? del?"},
    {"C1 \xC2\x9B"
     "2J",
     "C1 ?2J", "C1 ?2J"},
    {"\xE2\x80\xAEgnp.exe", "?gnp.exe", "?gnp.exe"},
    {"5 µm ± 1 °", "5 µm ± 1 °", "5 um +/- 1 deg"},
    {"broken \xC3", "broken ?", "broken ?"},
    {"broken \xFF\xFE", "broken ??", "broken ??"},
    {"摩擦", "摩擦", "??"},
    {"", "", ""},
};

START_TEST(nothing_is_left_that_a_terminal_would_obey)
{
    const struct plain_case *expected = &plain_cases[_i];
    char *unicode = plain_text(expected->text, false);
    char *ascii = plain_text(expected->text, true);
    ck_assert_str_eq(unicode, expected->unicode);
    ck_assert_str_eq(ascii, expected->ascii);
    free(unicode);
    free(ascii);
}
END_TEST

START_TEST(every_string_of_a_reply_is_made_plain)
{
    json_t *reply =
        json_pack("{s:s, s:[s, {s:s}], s:i}", "name", "a\033b", "list", "\ac", "deep", "d\x7f", "number", 4);
    ck_assert_int_eq(plain_tree(reply, false), 0);
    json_t *wanted = json_pack("{s:s, s:[s, {s:s}], s:i}", "name", "a?b", "list", "?c", "deep", "d?", "number", 4);
    ck_assert(json_equal(reply, wanted));
    json_decref(wanted);
    json_decref(reply);
}
END_TEST

struct quoted {
    const char *text, *gnuplot, *label, *setting, *column, *shell, *file_name;
    bool word;
};

static const struct quoted cases[] = {
    {"bearing", "'bearing'", "\"bearing\"", "\"bearing\"", "bearing", "bearing", "bearing", true},
    {"", "''", "\"\"", "\"\"", "", "''", "_", false},
    {"a b", "'a b'", "\"a b\"", "\"a b\"", "a b", "'a b'", "a-b", false},
    {"it's", "'it’s'", "\"it's\"", "\"it's\"", "it's", "'it'\\''s'", "it-s", false},
    {"`id`", "'‘id‘'", "\"`id`\"", "\"`id`\"", "`id`", "'`id`'", "_id-", false},
    {"a\nb", "'a b'", "\"a\\nb\"", "\"a\\nb\"", "a b", "'a b'", "a-b", false},
    {"a\\\"b", "'a\\\"b'", "\"a\\\\\\\"b\"", "\"a\\\\\\\"b\"", "a\\-b", "'a\\\"b'", "a--b", false},
    {"=1+1", "'=1+1'", "\"=1+1\"", "\"=1+1\"", "~1+1", "=1+1", "_1-1", false},
    {"-rf", "'-rf'", "\"-rf\"", "\"-rf\"", "~rf", "-rf", "_rf", false},
    {"../x", "'../x'", "\"../x\"", "\"../x\"", "../x", "../x", "_.-x", false},
    {"µm_2", "'µm_2'", "\"µm_2\"", "\"µm_2\"", "µm-2", "'µm_2'", "_-m_2", true},
    {"\033[2J\xC2\x9B", "'\xEF\xBF\xBD[2J\xEF\xBF\xBD'", "\"\xEF\xBF\xBD[2J\xEF\xBF\xBD\"",
     "\"\xEF\xBF\xBD[2J\xEF\xBF\xBD\"", "?[2J?", "'?[2J?'", "_-2J--", false},
};

START_TEST(every_place_has_its_own_quotes)
{
    const struct quoted *expected = &cases[_i];
    char *gnuplot = written(quote_gnuplot, expected->text), *label = written(quote_label, expected->text);
    char *setting = written(quote_setting, expected->text), *shell = quote_shell(expected->text);
    char *file_name = quote_file_name(expected->text), column[64];
    quote_column(column, sizeof column, expected->text);
    ck_assert_str_eq(gnuplot, expected->gnuplot);
    ck_assert_str_eq(label, expected->label);
    ck_assert_str_eq(setting, expected->setting);
    ck_assert_str_eq(column, expected->column);
    ck_assert_str_eq(shell, expected->shell);
    ck_assert_str_eq(file_name, expected->file_name);
    ck_assert_int_eq(quote_is_word(expected->text), expected->word);
    free(gnuplot);
    free(label);
    free(setting);
    free(shell);
    free(file_name);
}
END_TEST

/* --- any bytes at all --- */

static uint64_t dice = 1;

static unsigned roll(unsigned sides)
{
    dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(dice >> 33) % sides;
}

/* Half of it what somebody obeys, the rest any bytes, among them beginnings of characters. */
static void random_text(char *text, size_t size)
{
    static const char *const pieces[] = {
        "'", "\"", "`",  "\\", "\n", "$(", ")",  "\xC2\x9B", "\xE2\x80\xAE",     "\xE2\x80\x99", "]]>", "=",
        "-", "/",  "..", " ",  ";",  "#",  "\t", "µ",        "\xF3\xA0\x81\x81", "END\n"};
    size_t length = 0;
    while (length + 5 < size && roll(40) > 0) {
        char byte[2] = {(char)(1 + roll(255)), '\0'};
        const char *piece = roll(2) ? pieces[roll(sizeof pieces / sizeof pieces[0])] : byte;
        strcpy(text + length, piece);
        length += strlen(piece);
    }
    text[length] = '\0';
}

/* The inside of a literal has none of these characters, except behind a backslash where one escapes. */
static void assert_literal(const char *literal, char quote, bool escapes)
{
    size_t length = strlen(literal);
    ck_assert_uint_ge(length, 2);
    ck_assert(literal[0] == quote && literal[length - 1] == quote);
    for (size_t i = 1; i + 1 < length; i++) {
        ck_assert_msg(literal[i] != quote, "ends early: %s", literal);
        if (escapes && literal[i] == '\\')
            i++;
        ck_assert_msg(i + 1 < length, "its end is escaped: %s", literal);
    }
    assert_plain(literal);
}

static void assert_setting_comes_back(const char *literal)
{
    char line[4096];
    config_t parsed;
    const char *value;
    snprintf(line, sizeof line, "unit = %s;", literal);
    config_init(&parsed);
    ck_assert_msg(config_read_string(&parsed, line), "%s: %s", config_error_text(&parsed), line);
    ck_assert_int_eq(config_setting_length(config_root_setting(&parsed)), 1);
    ck_assert(config_lookup_string(&parsed, "unit", &value));
    config_destroy(&parsed);
}

START_TEST(nothing_leaves_its_literal)
{
    for (int i = 0; i < 20000 / thinning(); i++) {
        char text[200], column[64], copy[64];
        random_text(text, sizeof text);
        char *gnuplot = written(quote_gnuplot, text), *label = written(quote_label, text);
        char *setting = written(quote_setting, text), *file_name = quote_file_name(text);
        assert_literal(gnuplot, '\'', false);
        ck_assert(!strpbrk(gnuplot, "`>"));
        assert_literal(label, '"', true);
        assert_literal(setting, '"', true);
        assert_setting_comes_back(setting);
        quote_column(column, sizeof column, text);
        assert_plain(column);
        const char *first = column + strspn(column, " ");
        ck_assert(!strpbrk(column, ",;\"_") && (*first == '\0' || !strchr("=+-@", *first)));
        ck_assert(!strchr("-.", *file_name) && !strchr(file_name, '/') && strlen(file_name) <= QUOTE_FILE_NAME);
        utf8_copy(copy, sizeof copy, text);
        ck_assert_int_eq(strncmp(copy, text, strlen(copy)), 0);
        free(gnuplot);
        free(label);
        free(setting);
        free(file_name);
    }
}
END_TEST

/* The shell itself says how many words it sees, and what the first is. */
START_TEST(a_shell_sees_one_word)
{
    char script[200000] = "check() { test $# -eq 1 || echo \"$# words: $*\"; }\n";
    size_t length = strlen(script);
    for (int i = 0; i < 500; i++) {
        char text[200];
        random_text(text, sizeof text);
        char *word = quote_shell(text), *ascii = plain_text(word, true);
        length += (size_t)snprintf(script + length, sizeof script - length, "check %s\ncheck %s\n", word, ascii);
        ck_assert_uint_lt(length, sizeof script - 1);
        assert_plain(word);
        free(word);
        free(ascii);
    }
    FILE *file = tmpfile();
    ck_assert(file && fwrite(script, 1, length, file) == length && fflush(file) == 0);
    char command[64], said[256] = "";
    snprintf(command, sizeof command, "sh /dev/fd/%d 2>&1", fileno(file));
    FILE *answer = popen(command, "r");
    ck_assert_ptr_nonnull(answer);
    said[fread(said, 1, sizeof said - 1, answer)] = '\0';
    ck_assert_int_eq(pclose(answer), 0);
    ck_assert_str_eq(said, "");
    fclose(file);
}
END_TEST

/* JSON stays the same value, and what is not plain is escaped. */
START_TEST(json_is_plain_and_means_the_same)
{
    json_t *value = json_object();
    for (uint32_t character = 1; character < 0x110000; character += character < 0x3000 ? 1 : 0x1F) {
        if (character >= 0xD800 && character < 0xE000)
            continue;
        wchar_t wide[2] = {(wchar_t)character, 0};
        char text[16], key[16];
        ck_assert_int_gt(snprintf(text, sizeof text, "%ls", wide), 0);
        snprintf(key, sizeof key, "%x", character);
        ck_assert_int_eq(json_object_set_new(value, key, json_string(text)), 0);
    }
    char *made = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&made, &size);
    ck_assert_int_eq(quote_json(stream, value, 0), 0);
    fclose(stream);
    assert_plain(made);
    json_t *again = json_loads(made, 0, NULL);
    ck_assert(json_equal(value, again));
    json_decref(again);
    json_decref(value);
    free(made);
}
END_TEST

START_TEST(lines_and_sentences_are_plain)
{
    for (int i = 0; i < 20000 / thinning(); i++) {
        char text[200], line[200];
        struct complaint complaint;
        random_text(text, sizeof text);
        strcpy(line, text);
        plain_line(line);
        assert_plain(line);
        char *copy = plain_text(text, false), *ascii = plain_text(text, true);
        ck_assert_str_eq(copy, line);
        for (const char *c = ascii; *c; c++)
            ck_assert(*c >= ' ' && *c <= '~');
        complaint_set(&complaint, "%s%s%s%s", text, text, text, text);
        assert_plain(complaint.text);
        free(copy);
        free(ascii);
    }
}
END_TEST

START_TEST(keys_are_plain_too)
{
    json_t *value = json_pack("{s:i, s:{s:s}}", "a\033", 1, "b", "\xC2\x9B", "c\n");
    json_t *wanted = json_pack("{s:i, s:{s:s}}", "a?", 1, "b", "?", "c ");
    ck_assert_int_eq(plain_tree(value, false), 0);
    ck_assert(json_equal(value, wanted));
    json_decref(value);
    json_decref(wanted);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("quote");
    TCase *quote = tcase_create("quote");
    setlocale(LC_CTYPE, "C.UTF-8");
    tcase_set_timeout(quote, 60);
    tcase_add_loop_test(quote, nothing_is_left_that_a_terminal_would_obey, 0,
                        sizeof plain_cases / sizeof plain_cases[0]);
    tcase_add_test(quote, every_string_of_a_reply_is_made_plain);
    tcase_add_test(quote, keys_are_plain_too);
    tcase_add_test(quote, lines_and_sentences_are_plain);
    tcase_add_loop_test(quote, every_place_has_its_own_quotes, 0, sizeof cases / sizeof cases[0]);
    tcase_add_test(quote, nothing_leaves_its_literal);
    tcase_add_test(quote, a_shell_sees_one_word);
    tcase_add_test(quote, json_is_plain_and_means_the_same);
    suite_add_tcase(suite, quote);
    return run_suite(suite);
}
