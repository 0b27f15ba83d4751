/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Names and units of columns as programs and people write them. Of several spellings in one field the clearest counts:
 * brackets at its end, then a word of its own, then a single character. */

#include "config.h"

#include "proto/column_label.h"

#include "proto/measured_unit.h"
#include "proto/name_words.h"
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
    return (struct column_label){text_piece_trim((struct text_piece){field.text, before}),
                                 text_piece_trim((struct text_piece){place + skipped, field.length - before - skipped}),
                                 false};
}

bool column_label_counts_rows(const struct column_label *label)
{
    return label->unit.length == 0 && name_counts_rows(label->name);
}

/* --- spellings: each tells whether a field is of it, and takes it apart --- */

static const struct brackets {
    char opening, closing;
} all_brackets[] = {{'(', ')'}, {'[', ']'}, {'{', '}'}, {'<', '>'}};

/* What stands before the last brackets of a kind, and in them. False: there are none. */
static bool cut_brackets(struct text_piece field, const struct brackets *brackets, struct column_label *label)
{
    const char *closing = memrchr(field.text, brackets->closing, field.length);
    const char *opening = closing ? memrchr(field.text, brackets->opening, (size_t)(closing - field.text)) : NULL;
    if (!opening)
        return false;
    *label = cut((struct text_piece){field.text, (size_t)(closing - field.text)}, opening, 1);
    label->bracketed = true;
    while (label->name.length > 0 && label->name.text[label->name.length - 1] == '/') {
        label->name.length--;
        label->name = text_piece_trim(label->name);
    }
    return true;
}

/* "Y[0]" has an index. */
static bool is_index(struct text_piece piece)
{
    for (size_t i = 0; i < piece.length; i++)
        if (piece.text[i] < '0' || piece.text[i] > '9')
            return false;
    return piece.length > 0;
}

/* "lvdt (mm)", "v / (m/s)" */
static bool in_brackets(struct text_piece field, struct column_label *label)
{
    for (size_t i = 0; field.length > 0 && i < sizeof all_brackets / sizeof all_brackets[0]; i++)
        if (field.text[field.length - 1] == all_brackets[i].closing)
            return cut_brackets(field, &all_brackets[i], label) && !is_index(label->unit);
    return false;
}

/* "Position (m) Run #1": what stands in brackets within a name must be a unit to be taken for one. */
static bool in_brackets_within(struct text_piece field, struct column_label *label)
{
    for (size_t i = 0; i < sizeof all_brackets / sizeof all_brackets[0]; i++)
        if (cut_brackets(field, &all_brackets[i], label) &&
            (name_is_of_time(label->name) ? time_unit_find(label->unit.text, label->unit.length) != NULL
                                          : measured_unit_is_known(label->unit)))
            return true;
    return false;
}

/* Where the word at the end of a field begins: behind a mark, or with a large letter behind a small one. */
static const char *find_last_word(struct text_piece field)
{
    const char *at = field.text + field.length;
    while (at > field.text && !strchr(" \t,.:;-", at[-1])) {
        at--;
        const bool begins = at > field.text && *at >= 'A' && *at <= 'Z' && at[-1] >= 'a' && at[-1] <= 'z';
        /* The m of "Time mSec" belongs to its unit. */
        const bool prefixed = begins && at - 1 > field.text && strchr(" \t,.:;-", at[-2]);
        if (begins && !prefixed)
            break;
    }
    return at;
}

/* "Time ms", "Time, ms", "time.ms", "timeMs": nothing but a time is written so. */
static bool behind_time(struct text_piece field, struct column_label *label)
{
    const char *word = find_last_word(field);
    *label = cut(field, word, 0);
    while (label->name.length > 0 && strchr(" \t,.:;-", label->name.text[label->name.length - 1]))
        label->name.length--;
    return name_is_of_time(label->name) && time_unit_find(label->unit.text, label->unit.length);
}

static const char *const words_for_in[] = {" in", " en", " em"};

/* "Weg in mm", "Desplazamiento en mm", "Curso em mm": the unit is one word. */
static bool behind_in(struct text_piece field, struct column_label *label)
{
    const char *blank = memrchr(field.text, ' ', field.length);
    if (!blank)
        return false;
    *label = cut(field, blank, 1);
    struct text_piece *name = &label->name;
    for (size_t i = 0; name->length >= 4 && i < sizeof words_for_in / sizeof words_for_in[0]; i++)
        if (memcmp(name->text + name->length - 3, words_for_in[i], 3) == 0) {
            *name = text_piece_trim((struct text_piece){name->text, name->length - 3});
            return true;
        }
    return false;
}

/* Whether a name ends in a number. */
static bool ends_in_number(struct text_piece name)
{
    const char *blank = memrchr(name.text, ' ', name.length), *last = blank ? blank + 1 : name.text;
    return last < name.text + name.length && *last >= '0' && *last <= '9';
}

/* "x mm", "x, m": a letter alone may be anything, unless a comma stands before it, and "range 10 mm" is a length. */
static bool behind_name(struct text_piece field, struct column_label *label)
{
    const char *blank = memrchr(field.text, ' ', field.length), *comma = memrchr(field.text, ',', field.length);
    if (!blank && !comma)
        return false;
    *label = cut(field, blank > comma ? blank : comma, 1);
    for (size_t i = 0; i < sizeof words_for_in / sizeof words_for_in[0]; i++)
        if (label->name.length == 2 && memcmp(label->name.text, words_for_in[i] + 1, 2) == 0)
            return false;
    const bool apart = label->name.length > 0 && label->name.text[label->name.length - 1] == ',';
    if (apart)
        label->name = text_piece_trim((struct text_piece){label->name.text, label->name.length - 1});
    const bool clear = apart || comma > blank || (label->unit.length > 1 && !ends_in_number(label->name));
    return clear && measured_unit_is_known(label->unit);
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
    return time_unit_find(divisor.text, divisor.length) && !name_is_of_time(label->name);
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

/* "acceleration_m_s2": the underscore before the time stands for a slash where a unit stands before it. The h of
 * "velocity_km_h" is an hour, that of "x_mm_h" may be a height. */
static bool behind_underscore_of_quotient(struct text_piece field, struct column_label *label)
{
    const char *divisor = memrchr(field.text, '_', field.length);
    const char *underscore = divisor ? memrchr(field.text, '_', (size_t)(divisor - field.text)) : NULL;
    if (!underscore)
        return false;
    *label = cut(field, underscore, 1);
    return measured_unit_is_rate(label->unit) ||
           ((name_says_velocity(label->name) || name_says_acceleration(label->name)) &&
            measured_unit_is_strange_rate(label->unit));
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
    return (struct column_label){.name = field, .unit = {NULL, 0}, .bracketed = false};
}

struct column_label column_label_read_ours(struct text_piece field)
{
    struct column_label label;
    return behind_underscore(field, &label) && label.name.length > 0 ? label : without_unit(field);
}

struct column_label column_label_read(struct text_piece field)
{
    static bool (*const spellings[])(struct text_piece, struct column_label *) = {in_brackets_within,
                                                                                  in_brackets,
                                                                                  behind_in,
                                                                                  behind_time,
                                                                                  behind_wide_slash,
                                                                                  behind_name,
                                                                                  behind_underscore_of_rate,
                                                                                  behind_underscore_of_quotient,
                                                                                  behind_underscore,
                                                                                  behind_slash};
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        struct column_label label;
        if (spellings[i](field, &label) && label.name.length > 0)
            return label;
    }
    return without_unit(field);
}

/* x_s and F_s are symbols with an index, and no times; x [s] is one. */
static bool is_symbol(const struct column_label *label)
{
    return label->name.length == 1 && !label->bracketed && !name_is_of_time(label->name);
}

/* Whether the name before a unit of time ends in another one. */
static bool contradicts(struct text_piece name, const struct time_unit *unit)
{
    const struct column_label label = column_label_read(name);
    const struct text_piece last = label.unit.length > 0 ? label.unit : label.name;
    const struct time_unit *other = time_unit_find(last.text, last.length);
    return other && other->seconds != unit->seconds;
}

/* "ms", and in brackets any unit: "(h)". */
static struct column_time unit_alone(struct text_piece name)
{
    const char last = name.length > 2 ? name.text[name.length - 1] : '\0';
    const bool bracketed = (last == ')' && *name.text == '(') || (last == ']' && *name.text == '[');
    const struct text_piece inner = bracketed ? (struct text_piece){name.text + 1, name.length - 2} : name;
    const struct time_unit *unit = time_unit_find(inner.text, inner.length);
    if (!unit || !(bracketed || unit->alone || unit->seconds == 1))
        return (struct column_time){.kind = LABEL_OF_SOMETHING_ELSE};
    const bool sure = bracketed || unit->alone;
    return (struct column_time){sure ? LABEL_OF_TIME : LABEL_OF_SECONDS_ALONE, unit->seconds, !sure};
}

static struct column_time without_written_unit(const struct column_label *label)
{
    if (name_is_time_alone(label->name))
        return (struct column_time){LABEL_OF_TIME, 1, true};
    const struct column_time alone = unit_alone(label->name);
    if (alone.kind == LABEL_OF_SOMETHING_ELSE && name_is_of_time(label->name))
        return (struct column_time){.kind = LABEL_OF_TIME_WITHOUT_UNIT};
    return alone;
}

struct column_time column_label_time(const struct column_label *label)
{
    const bool named = name_is_of_time(label->name);
    const struct time_unit *unit = time_unit_find(label->unit.text, label->unit.length);
    if (label->unit.length == 0)
        return without_written_unit(label);
    if (!unit && named && label->bracketed)
        return (struct column_time){.kind = LABEL_OF_TIME_IN_STRANGE_UNIT};
    if (!unit || !(named || !(unit->unsure || is_symbol(label))))
        return (struct column_time){.kind = LABEL_OF_SOMETHING_ELSE};
    if (contradicts(label->name, unit))
        return (struct column_time){.kind = LABEL_OF_TIME_IN_TWO_UNITS};
    return (struct column_time){LABEL_OF_TIME, unit->seconds, false};
}

bool column_label_is_time(const struct column_label *label)
{
    return column_label_time(label).kind > LABEL_OF_SECONDS_ALONE;
}
