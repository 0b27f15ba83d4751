/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Names and units before the first row. The nearest line counts; lines above it are prose. */

#include "proto/dialect/header_lines.h"

#include "proto/measured_unit.h"
#include "proto/time_unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tabs or commas at the end of a line name nothing. */
static size_t split_names(char delimiter, struct text_piece line, struct text_piece names[CELLS_MOST])
{
    size_t count = cells_split(delimiter, line, names, CELLS_MOST);
    if (count > CELLS_MOST)
        count = CELLS_MOST;
    while (count > 0 && names[count - 1].length == 0)
        count--;
    return count;
}

static bool is_in_brackets(struct text_piece name)
{
    return name.length > 0 && strchr("([", name.text[0]);
}

/* Where blanks delimit, "Time (ms)" is two cells: the unit goes back to its name. In a line of units none has one. */
static size_t join_units(struct text_piece names[CELLS_MOST], size_t count)
{
    size_t joined = 0;
    for (size_t i = 0; i < count; i++) {
        if (joined > 0 && is_in_brackets(names[i]) && !is_in_brackets(names[joined - 1]))
            names[joined - 1].length = (size_t)(names[i].text + names[i].length - names[joined - 1].text);
        else
            names[joined++] = names[i];
    }
    return joined;
}

/* Whether words that blanks part end a name: "(mm)", or "mm" behind another. */
static bool ends_name(const struct text_piece *words, size_t i)
{
    const struct text_piece word = words[i];
    return strchr(")]", word.text[word.length - 1]) ||
           (i > 0 && (time_unit_find(word.text, word.length) || measured_unit_is_known(word)));
}

/* "t s x mm", "Time (s) Displacement left (mm)": each name ends in its unit. Whether that makes `wanted` of them. */
static bool join_words(struct text_piece *names, size_t *count, size_t wanted)
{
    struct text_piece joined[CELLS_MOST];
    size_t made = 0, begun = 0;
    for (size_t i = 0; i < *count; i++) {
        if (names[i].length == 0 || !ends_name(names + begun, i - begun))
            continue;
        joined[made].text = names[begun].text;
        joined[made++].length = (size_t)(names[i].text + names[i].length - names[begun].text);
        begun = i + 1;
    }
    if (begun < *count || made != wanted)
        return false;
    memcpy(names, joined, made * sizeof *names);
    *count = made;
    return true;
}

/* "Elapsed time  LVDT left": names that stand apart by two blanks or more. */
static size_t split_at_wide_gaps(struct text_piece line, struct text_piece names[CELLS_MOST])
{
    size_t count = 0;
    line = text_piece_trim(line);
    while (line.length > 0 && count < CELLS_MOST) {
        const char *gap = memmem(line.text, line.length, "  ", 2);
        const size_t length = gap ? (size_t)(gap - line.text) : line.length;
        names[count++] = (struct text_piece){line.text, length};
        line = text_piece_trim((struct text_piece){line.text + length, line.length - length});
    }
    return count;
}

/* Names in a line of which blanks part the words. */
static size_t split_words(struct text_piece line, struct text_piece names[CELLS_MOST], size_t wanted)
{
    size_t count = join_units(names, split_names(' ', line, names));
    if (count <= wanted || join_words(names, &count, wanted) || split_at_wide_gaps(line, names) == wanted)
        return count < wanted ? count : wanted;
    return join_units(names, split_names(' ', line, names));
}

/* "t0 = -4.0e+00": a remark behind the names. */
static bool is_remark(struct text_piece name)
{
    const char *mark = memmem(name.text, name.length, " =", 2);
    return mark && mark > name.text;
}

/* The names in a line. Where blanks delimit rows, another delimiter may stand between names, which have blanks. */
static bool take_names(struct header_lines *found, struct text_piece line, const struct attempt *attempt)
{
    static const char others[] = "\t,;";
    const char delimiter = attempt->form.delimiter;
    for (size_t i = 0; delimiter == ' ' && i < sizeof others - 1; i++) {
        found->count = split_names(others[i], line, found->names);
        if (found->count == attempt->used && found->count > 1)
            return true;
    }
    found->count =
        delimiter == ' ' ? split_words(line, found->names, attempt->used) : split_names(delimiter, line, found->names);
    while (found->count > attempt->used && is_remark(found->names[found->count - 1]))
        found->count--;
    return found->count == attempt->used || found->count == attempt->cells;
}

static struct text_piece without_brackets(struct text_piece unit)
{
    const char last = unit.length > 1 ? unit.text[unit.length - 1] : '\0';
    const bool brackets =
        last != '\0' && ((unit.text[0] == '(' && last == ')') || (unit.text[0] == '[' && last == ']'));
    return brackets ? text_piece_trim((struct text_piece){unit.text + 1, unit.length - 2}) : unit;
}

/* "", "-": a cell in a line of units that tells none. */
static bool tells_no_unit(struct text_piece unit)
{
    for (size_t i = 0; i < unit.length; i++)
        if (unit.text[i] != '-')
            return false;
    return true;
}

/* From a cell on, all that tell something are units, and one of them does. */
static bool are_units(const struct text_piece *units, size_t from, size_t count)
{
    size_t known = 0;
    for (size_t i = from; i < count; i++) {
        const struct text_piece unit = without_brackets(units[i]);
        if (tells_no_unit(unit))
            continue;
        if (!measured_unit_is_known(unit) && !time_unit_find(unit.text, unit.length))
            return false;
        known++;
    }
    return known > 0;
}

/* "Second,Value" are names. */
static bool is_value(struct text_piece cell)
{
    static const char word[] = "Value";
    return cell.length == sizeof word - 1 && memcmp(cell.text, word, cell.length) == 0;
}

/* A unit of time below a name: "Time" and "ms"; where there is none, such as below times of the day, every cell that
 * holds something is a unit. */
static bool is_line_of_units(const struct text_piece *units, size_t count, const struct attempt *attempt)
{
    if (count != attempt->used && count != attempt->cells)
        return false;
    const struct text_piece first = without_brackets(units[0]);
    return (time_unit_find(first.text, first.length) && !is_value(units[1])) || are_units(units, 0, count);
}

/* "hh:mm:ss.ms", "dd.mm.yyyy HH:MM:SS", "TT.MM.JJJJ", "%H:%M:%S" */
static bool is_format_of_times(struct text_piece cell)
{
    static const char letters[] = "hmsydtjfHMSYDTJF%", marks[] = ":.,-/ ";
    size_t marked = 0;
    for (size_t i = 0; i < cell.length; i++) {
        const bool mark = memchr(marks, cell.text[i], sizeof marks - 1);
        if (!mark && !memchr(letters, cell.text[i], sizeof letters - 1))
            return false;
        marked += mark;
    }
    return marked > 0 && marked < cell.length;
}

/* The nearest line above `line` with something in it that is no comment, from 1; 0: none. */
static size_t line_above(const struct sample *sample, size_t line, size_t from, char delimiter)
{
    while (line > from) {
        const struct text_piece above = sample->lines[line - 1];
        if (!line_is_empty(above, delimiter) && comment_mark(above, delimiter) == 0)
            return line;
        line--;
    }
    return 0;
}

static bool has_a_time(const struct header_lines *found)
{
    for (size_t i = 0; i < found->count; i++) {
        const struct column_label label = column_label_read(found->names[i]);
        if (column_label_time(&label).kind == LABEL_OF_TIME)
            return true;
    }
    return false;
}

/* Names in the last comment, as some programs write them; one of them is a time, lest a remark be taken for one. */
static void find_in_comment(struct header_lines *found, const struct sample *sample, const struct attempt *attempt,
                            size_t from)
{
    size_t line = attempt->first;
    while (line > from && line_is_empty(sample->lines[line - 1], attempt->form.delimiter))
        line--;
    if (line == from)
        return;
    struct text_piece comment = sample->lines[line - 1];
    const size_t mark = comment_mark(comment, attempt->form.delimiter);
    comment = text_piece_trim((struct text_piece){comment.text + mark, comment.length - mark});
    if (mark == 0 || !take_names(found, comment, attempt) || found->count < 2)
        return;
    if (!has_a_time(found))
        return;
    found->line = line;
    found->commented = true;
    found->fits = true;
}

/* Lines between units and rows: comments and scales of channels, "SampleRate". */
enum { MOST_LINES_BELOW_UNITS = 2 };

/* Whether the line above the units names a time, without which a line far above the rows may be prose. */
static bool names_a_time(const struct header_lines *found)
{
    const struct column_label label = column_label_read(found->names[0]);
    return column_label_is_time(&label);
}

/* A line of units below fitting names, of which the first cell is none that is known: a form of times, something in
 * brackets, or any word below the name of times of the day, which need no unit. */
static bool are_units_below_names(const struct header_lines *found, const struct text_piece *units,
                                  const struct attempt *attempt)
{
    const bool may_be = without_brackets(units[0]).length < units[0].length ||
                        is_format_of_times(without_brackets(units[0])) || (attempt->day_times && names_a_time(found));
    return found->fits && may_be && are_units(units, 1, found->count);
}

/* The units in a line, and the names in the one above it. False: they are none. */
static bool take_units(struct header_lines *found, struct text_piece line, struct text_piece above,
                       const struct attempt *attempt, bool near)
{
    struct text_piece cells[CELLS_MOST];
    take_names(found, line, attempt);
    const bool sure = is_line_of_units(found->names, found->count, attempt);
    found->unit_count = found->count;
    for (size_t i = 0; i < found->count; i++) {
        cells[i] = found->names[i];
        found->units[i] = without_brackets(cells[i]);
        if (tells_no_unit(found->units[i]))
            found->units[i].length = 0;
    }
    found->fits = take_names(found, above, attempt);
    if (!sure && (found->count != found->unit_count || !are_units_below_names(found, cells, attempt)))
        return false;
    return found->fits && (near || names_a_time(found));
}

/* Takes units in that stand between the names and the rows; `line`: the nearest above these. Where the names stand. */
static size_t find_units(struct header_lines *found, const struct sample *sample, const struct attempt *attempt,
                         size_t nearest, size_t from)
{
    struct header_lines tried;
    size_t line = nearest;
    for (size_t below = 0; below <= MOST_LINES_BELOW_UNITS && line > 0; below++) {
        const size_t above = line_above(sample, line - 1, from, attempt->form.delimiter);
        tried = *found;
        if (above > 0 && take_units(&tried, sample->lines[line - 1], sample->lines[above - 1], attempt, below == 0)) {
            *found = tried;
            return above;
        }
        line = above;
    }
    return nearest;
}

void header_lines_find(struct header_lines *found, const struct sample *sample, const struct attempt *attempt,
                       const struct attempt_terms *terms)
{
    const char delimiter = attempt->form.delimiter;
    size_t line = line_above(sample, attempt->first, terms->from, delimiter);
    found->line = found->count = found->unit_count = 0;
    found->commented = found->first = found->units_above = false;
    found->fits = line == 0;
    if (line == 0) {
        find_in_comment(found, sample, attempt, terms->from);
        return;
    }
    found->fits = take_names(found, sample->lines[line - 1], attempt);
    line = find_units(found, sample, attempt, line, terms->from);
    found->line = line;
    found->first = line_above(sample, line - 1, 0, delimiter) == 0;
}

/* --- writing --- */

/* "lvdt_mm" above "mm" needs no other. */
static bool has_unit(struct text_piece name, struct text_piece unit)
{
    const struct column_label label = column_label_read(name);
    return label.unit.length > 0 && measured_units_agree(label.unit, unit);
}

/* A cell in a line that commas delimit; quotes inside it could not be told from its own. */
static void write_cell(FILE *stream, struct text_piece cell, const struct text_piece *unit)
{
    const bool quoted =
        memchr(cell.text, ',', cell.length) || (unit && unit->length > 0 && memchr(unit->text, ',', unit->length));
    if (quoted)
        fputc('"', stream);
    for (size_t i = 0; i < cell.length; i++)
        if (cell.text[i] != '"')
            fputc(strchr("\r\n", cell.text[i]) ? ' ' : cell.text[i], stream);
    if (unit && unit->length > 0 && !has_unit(cell, *unit))
        fprintf(stream, " (%.*s)", (int)unit->length, unit->text);
    if (quoted)
        fputc('"', stream);
}

char *header_lines_write(const struct header_lines *found, const size_t *kept, size_t count, bool seconds)
{
    static const struct text_piece none = {"", 0};
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    for (size_t k = 0; k < count; k++) {
        const size_t c = kept[k];
        if (k > 0)
            fputc(',', stream);
        if (k == 0 && seconds)
            fputs("time (s)", stream);
        else if (c >= found->count && found->fits)
            fprintf(stream, "column %zu", c + 1);
        else
            write_cell(stream, c < found->count ? found->names[c] : none,
                       c < found->unit_count ? &found->units[c] : NULL);
    }
    const bool written = !ferror(stream);
    if (fclose(stream) == 0 && written)
        return text;
    free(text);
    return NULL;
}

/* --- choosing --- */

static bool same(struct text_piece piece, struct text_piece name)
{
    return piece.length == name.length && memcmp(piece.text, name.text, name.length) == 0;
}

static bool find_name(const struct text_piece *names, size_t count, struct text_piece name, size_t *cell)
{
    for (size_t i = 0; i < count; i++)
        if (same(names[i], name) || same(column_label_read(names[i]).name, name)) {
            *cell = i;
            return true;
        }
    return false;
}

/* The whole number that a piece is, from 1; 0: it is none. */
static size_t number_of(struct text_piece piece)
{
    size_t number = 0;
    for (size_t i = 0; i < piece.length; i++) {
        if ((unsigned)(piece.text[i] - '0') >= 10 || number > CELLS_MOST)
            return 0;
        number = 10 * number + (size_t)(piece.text[i] - '0');
    }
    return number;
}

/* Numbers, or names among those of a line. */
static bool choose(struct text_piece columns, const struct text_piece *names, size_t count, struct cell_choice *choice,
                   struct text_piece *missing)
{
    struct text_piece wanted;
    choice->count = 0;
    while (cell_next(',', &columns, &wanted)) {
        const size_t number = number_of(wanted);
        size_t cell = number - 1;
        *missing = wanted;
        if (choice->count == sizeof choice->cells / sizeof choice->cells[0])
            return false;
        if ((number == 0 || number > CELLS_MOST) && !find_name(names, count, wanted, &cell))
            return false;
        for (size_t k = 0; k < choice->count; k++)
            if (choice->cells[k] == cell)
                return false;
        choice->cells[choice->count++] = cell;
    }
    return true;
}

bool header_lines_choose(const char *columns, const struct sample *sample, char delimiter, struct cell_choice *choice,
                         struct text_piece *missing)
{
    struct text_piece names[CELLS_MOST];
    const struct text_piece wanted = {columns, strlen(columns)};
    size_t most = 0;
    struct text_piece lacking;
    choice->header_line = 0;
    if (choose(wanted, NULL, 0, choice, missing))
        return true;
    for (size_t i = 0; i < sample->count; i++) {
        const size_t mark = comment_mark(sample->lines[i], delimiter);
        const struct text_piece line = {sample->lines[i].text + mark, sample->lines[i].length - mark};
        const size_t count = split_names(delimiter, line, names);
        choice->header_line = i + 1;
        if (choose(wanted, names, delimiter == ' ' ? join_units(names, count) : count, choice, &lacking))
            return true;
        /* The line that has most of the names is the one that was meant. */
        if (choice->count > most)
            *missing = lacking;
        most = choice->count > most ? choice->count : most;
    }
    return false;
}
