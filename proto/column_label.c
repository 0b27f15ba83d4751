/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Names and units of columns as programs and people write them. Of several spellings in one field the clearest counts:
 * brackets at its end, then a word of its own, then a single character. */

#include "config.h"

#include "proto/column_label.h"

#include "proto/time_unit.h"

#include <string.h>

struct text_piece text_piece_trim(struct text_piece piece)
{
    while (piece.length > 0 && strchr(" \t", piece.text[0])) {
        piece.text++;
        piece.length--;
    }
    while (piece.length > 0 && strchr(" \t", piece.text[piece.length - 1]))
        piece.length--;
    return piece;
}

/* What stands before a place of a field, and what stands `skipped` bytes behind it. */
static struct column_label cut(struct text_piece field, const char *place, size_t skipped)
{
    const size_t before = (size_t)(place - field.text);
    return (struct column_label){
        text_piece_trim((struct text_piece){field.text, before}),
        text_piece_trim((struct text_piece){place + skipped, field.length - before - skipped})};
}

/* --- words of a name --- */

enum { WORDS_BYTES = 128 };

/* The words of a name in small letters, with a blank before and behind each: a word is then found with strstr(). Of a
 * name that is longer only the beginning counts. */
static void words_of(struct text_piece name, char words[WORDS_BYTES])
{
    size_t used = 0;
    words[used++] = ' ';
    for (size_t i = 0; i < name.length && used < WORDS_BYTES - 2; i++) {
        char letter = name.text[i];
        if (letter >= 'A' && letter <= 'Z')
            letter = (char)(letter + ('a' - 'A'));
        const bool belongs = (letter >= 'a' && letter <= 'z') || (unsigned char)letter >= 0x80;
        if (belongs || words[used - 1] != ' ')
            words[used++] = belongs ? letter : ' ';
    }
    if (words[used - 1] != ' ')
        words[used++] = ' ';
    words[used] = '\0';
}

static bool names_time(struct text_piece name)
{
    static const char *const signs[] = {" t ", "time", "zeit", "temps", "tiempo", "tempo"};
    char words[WORDS_BYTES];
    words_of(name, words);
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (strstr(words, signs[i]))
            return true;
    return false;
}

/* Nothing but the word: a time in seconds, as in a file without a header. "timestamp" and the like are often others. */
static bool is_time_alone(struct text_piece name)
{
    static const char *const words_alone[] = {" t ", " time ", " zeit ", " temps ", " tiempo ", " tempo "};
    char words[WORDS_BYTES];
    words_of(name, words);
    for (size_t i = 0; i < sizeof words_alone / sizeof words_alone[0]; i++)
        if (strcmp(words, words_alone[i]) == 0)
            return true;
    return false;
}

bool column_label_counts_rows(const struct column_label *label)
{
    static const char counting[] =
        " index idx sample samples scan scans row rows point points record number no nr n count counter ";
    char words[WORDS_BYTES], sought[WORDS_BYTES];
    words_of(label->name, words);
    const char *word = words + 1;
    for (size_t length; (length = strcspn(word, " ")) > 0; word += length + 1) {
        memcpy(sought, word - 1, length + 2);
        sought[length + 2] = '\0';
        if (!strstr(counting, sought))
            return false;
    }
    return word > words + 1 && label->unit.length == 0;
}

/* --- spellings: each tells whether a field is of it, and takes it apart --- */

/* "lvdt (mm)", "v / (m/s)" */
static bool in_brackets(struct text_piece field, struct column_label *label)
{
    const char closing = field.length > 0 ? field.text[field.length - 1] : '\0';
    const char opening = closing == ')' ? '(' : closing == ']' ? '[' : '\0';
    const char *bracket = opening ? memrchr(field.text, opening, field.length) : NULL;
    if (!bracket)
        return false;
    field.length--;
    *label = cut(field, bracket, 1);
    while (label->name.length > 0 && label->name.text[label->name.length - 1] == '/') {
        label->name.length--;
        label->name = text_piece_trim(label->name);
    }
    return true;
}

/* "Weg in mm": the unit is one word. */
static bool behind_in(struct text_piece field, struct column_label *label)
{
    const char *blank = memrchr(field.text, ' ', field.length);
    if (!blank)
        return false;
    *label = cut(field, blank, 1);
    struct text_piece *name = &label->name;
    if (name->length < 4 || memcmp(name->text + name->length - 3, " in", 3) != 0)
        return false;
    *name = text_piece_trim((struct text_piece){name->text, name->length - 3});
    return true;
}

static struct text_piece without_power(struct text_piece unit)
{
    static const char *const powers[] = {"\xc2\xb2", "^2", "2"};
    for (size_t i = 0; i < sizeof powers / sizeof powers[0]; i++) {
        const size_t length = strlen(powers[i]);
        if (unit.length > length && memcmp(unit.text + unit.length - length, powers[i], length) == 0)
            return (struct text_piece){unit.text, unit.length - length};
    }
    return unit;
}

/* What is divided by a time is a rate, "m/s" or "Counts / s", unless it is the time itself, as in "t/s". */
static bool is_rate(const struct column_label *label)
{
    const struct text_piece divisor = without_power(label->unit);
    return time_unit_find(divisor.text, divisor.length) && !names_time(label->name);
}

/* "t / ms" */
static bool behind_wide_slash(struct text_piece field, struct column_label *label)
{
    const char *slash = memchr(field.text, '/', field.length);
    const bool wide = slash && ((slash > field.text && slash[-1] == ' ') ||
                                (slash + 1 < field.text + field.length && slash[1] == ' '));
    if (!wide)
        return false;
    *label = cut(field, slash, 1);
    return !is_rate(label);
}

/* "v_mm_per_s": the word before "per" belongs to the unit. */
static bool behind_underscore_of_rate(struct text_piece field, struct column_label *label)
{
    static const char per[] = "_per_";
    const char *at = memmem(field.text, field.length, per, sizeof per - 1);
    const char *underscore = at ? memrchr(field.text, '_', (size_t)(at - field.text)) : NULL;
    if (!underscore)
        return false;
    *label = cut(field, underscore, 1);
    return true;
}

/* "lvdt_mm", and with a slash in its unit "acceleration_m/s2". */
static bool behind_underscore(struct text_piece field, struct column_label *label)
{
    const char *underscore = memrchr(field.text, '_', field.length);
    if (!underscore)
        return false;
    *label = cut(field, underscore, 1);
    return true;
}

/* "t/ms" */
static bool behind_slash(struct text_piece field, struct column_label *label)
{
    const char *slash = memchr(field.text, '/', field.length);
    if (!slash)
        return false;
    *label = cut(field, slash, 1);
    return !is_rate(label);
}

static struct column_label without_unit(struct text_piece field)
{
    return (struct column_label){.name = field, .unit = {NULL, 0}};
}

struct column_label column_label_read_ours(struct text_piece field)
{
    struct column_label label;
    return behind_underscore(field, &label) && label.name.length > 0 ? label : without_unit(field);
}

struct column_label column_label_read(struct text_piece field)
{
    static bool (*const spellings[])(struct text_piece, struct column_label *) = {
        in_brackets, behind_in, behind_wide_slash, behind_underscore_of_rate, behind_underscore, behind_slash};
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        struct column_label label;
        if (spellings[i](field, &label) && label.name.length > 0)
            return label;
    }
    return without_unit(field);
}

/* x_s and F_s are symbols with an index, and no times. */
static bool is_symbol(struct text_piece name)
{
    return name.length == 1 && !names_time(name);
}

/* Whether the name before a unit of time ends in another one. */
static bool contradicts(struct text_piece name, const struct time_unit *unit)
{
    const struct column_label label = column_label_read(name);
    const struct text_piece last = label.unit.length > 0 ? label.unit : label.name;
    const struct time_unit *other = time_unit_find(last.text, last.length);
    return other && other->seconds != unit->seconds;
}

enum label_of_time column_label_time(const struct column_label *label, double *unit_s)
{
    const bool named = names_time(label->name), has_unit = label->unit.length > 0;
    const struct time_unit *unit = has_unit ? time_unit_find(label->unit.text, label->unit.length)
                                            : time_unit_find(label->name.text, label->name.length);
    const bool sure = unit && (has_unit ? named || !(unit->unsure || is_symbol(label->name)) : unit->spelled);
    if (!has_unit && is_time_alone(label->name)) {
        *unit_s = 1;
        return LABEL_OF_TIME;
    }
    if (sure && has_unit && contradicts(label->name, unit))
        return LABEL_OF_TIME_IN_TWO_UNITS;
    if (sure)
        *unit_s = unit->seconds;
    return sure ? LABEL_OF_TIME : named && !has_unit ? LABEL_OF_TIME_WITHOUT_UNIT : LABEL_OF_SOMETHING_ELSE;
}
