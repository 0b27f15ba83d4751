/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every form is tried on the first lines, and the one counts in which most of them are rows. Where two do as well and
 * give other numbers nobody can know, and it is said how to settle it. */

#include "proto/dialect/sniff.h"

#include "proto/dialect/day_time.h"
#include "proto/dialect/header_lines.h"
#include "proto/dialect/labview.h"
#include "proto/dialect/oscilloscope.h"
#include "proto/dialect/sniff_refusal.h"
#include "proto/dialect/unit_lines.h"
#include "proto/dialect/words.h"
#include "proto/name_words.h"
#include "proto/time_unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where two forms give the same numbers the earlier one counts. */
static const struct cell_form forms[] = {{',', '.'}, {';', '.'},  {'\t', '.'}, {' ', '.'},
                                         {';', ','}, {'\t', ','}, {' ', ','},  {',', ','}};
enum { FORMS = sizeof forms / sizeof forms[0] };

static bool is_allowed(const struct cell_form *form, const struct recording_manner *manner)
{
    return (!manner->delimiter || (unsigned char)form->delimiter == manner->delimiter) &&
           (!manner->decimal || (unsigned char)form->decimal == manner->decimal);
}

/* A form with what was found of it. */
struct candidate {
    struct attempt attempt;
    struct cell_choice choice;
    size_t skipped; /* cells before those that are kept, where none are chosen */
};

/* LabVIEW's channels stand behind the first cell, and remarks behind them. */
static void choose_channels(const struct preamble *preamble, struct cell_choice *choice)
{
    const size_t first = preamble->stamped ? 0 : 1, most = sizeof choice->cells / sizeof choice->cells[0];
    choice->count = 0;
    for (size_t c = first; c <= preamble->channels && choice->count < most; c++)
        choice->cells[choice->count++] = c;
}

static struct candidate try_form(const struct sample *sample, const struct recording_manner *manner,
                                 const struct preamble *preamble, size_t skipped, struct cell_form form,
                                 struct text_piece *missing)
{
    struct candidate candidate = {.attempt.rows = 0, .skipped = skipped};
    struct attempt_terms terms = {.skipped = skipped,
                                  .rate_known = manner->timing.rate_hz > 0,
                                  .groups_allowed = manner->decimal != 0,
                                  .blanks_group = manner->decimal != 0 && manner->delimiter != 0};
    if (manner->columns && !header_lines_choose(manner->columns, sample, form.delimiter, &terms.choice, missing))
        return candidate;
    if (preamble->found && !manner->columns)
        choose_channels(preamble, &terms.choice);
    terms.from = terms.choice.header_line > preamble->from ? terms.choice.header_line : preamble->from;
    candidate.choice = terms.choice;
    candidate.attempt = attempt_make(sample, form, &terms);
    return candidate;
}

/* --- which of two --- */

/* With a rate one column is enough, and a comma may be within its numbers or between two. A first column that only
 * grows counts the rows or tells their time; one that falls does neither. */
static bool one_column_against_two(const struct attempt *one, const struct attempt *two)
{
    return one->used == 1 && two->form.delimiter == ',' && two->used == 2;
}

/* What the names above the rows say of their cells. */
enum testimony { NO_NAMES, AS_MANY_NAMES, OTHER_NAMES };

static enum testimony testimony_of(const struct sample *sample, const struct attempt *attempt)
{
    static const struct attempt_terms from_the_top;
    struct header_lines *names = malloc(sizeof *names);
    if (!names)
        return NO_NAMES;
    header_lines_find(names, sample, attempt, &from_the_top);
    const bool many = names->line > 0 && names->names[0].length > 0 &&
                      (memchr(names->names[0].text, ',', names->names[0].length) ||
                       memchr(names->names[0].text, '\t', names->names[0].length));
    const enum testimony testimony = names->line == 0                               ? NO_NAMES
                                     : names->fits && !(attempt->used == 1 && many) ? AS_MANY_NAMES
                                                                                    : OTHER_NAMES;
    free(names);
    return testimony;
}

enum preference { NEITHER, FIRST, SECOND };

/* Which of two that fit as many rows and give other numbers. */
static enum preference prefer(const struct sample *sample, const struct attempt *first, const struct attempt *second)
{
    const bool named[2] = {testimony_of(sample, first) == AS_MANY_NAMES, testimony_of(sample, second) == AS_MANY_NAMES};
    if (named[0] != named[1])
        return named[0] ? FIRST : SECOND;
    if (first->good != second->good)
        return first->good < second->good ? FIRST : SECOND;
    if (one_column_against_two(second, first) && (first->goes_back || first->padded))
        return SECOND;
    if (one_column_against_two(second, first) && !first->stands)
        return FIRST;
    return NEITHER;
}

/* The form that fits most rows. 1, 0 when none fits any, or a negative errno and a complaint. */
static int choose(const struct sample *sample, const struct recording_manner *manner, const struct preamble *preamble,
                  size_t skipped, struct candidate *best, struct text_piece *missing, struct complaint *complaint)
{
    struct candidate as_good = {.attempt.rows = 0};
    *best = as_good;
    for (size_t i = 0; i < FORMS; i++) {
        if (!is_allowed(&forms[i], manner))
            continue;
        const struct candidate next = try_form(sample, manner, preamble, skipped, forms[i], missing);
        if (next.attempt.rows == 0 || next.attempt.rows < best->attempt.rows)
            continue;
        if (!preamble->found && next.attempt.used == 1 && testimony_of(sample, &next.attempt) == OTHER_NAMES)
            continue;
        const bool better = next.attempt.rows > best->attempt.rows;
        const bool same = !better && next.attempt.values == best->attempt.values;
        const enum preference preferred = better ? SECOND
                                          : same ? FIRST
                                                 : prefer(sample, &best->attempt, &next.attempt);
        if (preferred == NEITHER)
            as_good = next;
        if (preferred == SECOND)
            *best = next;
    }
    if (best->attempt.rows > 0 && as_good.attempt.rows == best->attempt.rows)
        return sniff_refuse_both(sample, manner, &best->attempt, &as_good.attempt, complaint);
    return best->attempt.rows > 0;
}

/* --- a column that counts the rows --- */

/* R names the columns alone, and writes the count of rows before them: then the first name is that of the second. */
static void pass_over_count(struct header_lines *names, const struct sample *sample, const struct attempt *attempt)
{
    if (names->fits || names->line == 0 || names->unit_count > 0 || names->count + 1 != attempt->used ||
        cells_split(attempt->form.delimiter, sample->lines[names->line - 1], NULL, 0) != names->count)
        return;
    memmove(names->names + 1, names->names, names->count * sizeof *names->names);
    names->names[0] = (struct text_piece){"", 0};
    names->count++;
    names->fits = true;
}

/* Whether the names tell that the first column only counts the rows, as pandas writes it, and that the second is the
 * time. */
static bool is_second_the_time(const struct header_lines *names, bool day_times)
{
    if (names->line == 0 || !names->fits || names->count < 3)
        return false;
    const struct column_label first = column_label_read(names->names[0]), second = column_label_read(names->names[1]);
    return (first.name.length == 0 || column_label_counts_rows(&first) || name_is_index_of_pandas(first.name)) &&
           (day_times || column_label_is_time(&second));
}

/* Leaves out a first column that counts the rows, of a form that fits with it, or else of one that fits without it:
 * dates may stand behind it. 1, 0 when no form fits, or a negative errno and a complaint. */
static int leave_out_count(const struct sample *sample, const struct recording_manner *manner,
                           const struct preamble *preamble, struct candidate *best, struct complaint *complaint)
{
    static const struct attempt_terms from_the_top;
    const bool fits = best->attempt.rows > 0;
    struct text_piece missing;
    struct complaint ignored;
    struct candidate behind = *best;
    if (manner->columns || preamble->found)
        return fits;
    if (!fits && choose(sample, manner, preamble, 1, &behind, &missing, &ignored) <= 0)
        return 0;
    struct header_lines *names = malloc(sizeof *names);
    if (!names) {
        complaint_set(complaint, "memory is short");
        return -ENOMEM;
    }
    header_lines_find(names, sample, &behind.attempt, &from_the_top);
    pass_over_count(names, sample, &behind.attempt);
    const bool counted = is_second_the_time(names, behind.attempt.day_times) && (!fits || best->attempt.counts);
    free(names);
    if (counted) {
        *best = behind;
        best->skipped = 1;
    }
    return fits || counted;
}

/* --- what follows from it --- */

static void keep_cells(struct layout *layout, const struct candidate *candidate, const struct header_lines *names)
{
    const struct attempt *attempt = &candidate->attempt;
    /* An empty cell that has a name is a value that is missing: the reader says so. */
    const size_t width = names->count > attempt->used && names->count <= attempt->cells ? names->count : attempt->used;
    const size_t count = candidate->choice.count > 0 ? candidate->choice.count : width;
    const size_t most = sizeof layout->kept / sizeof layout->kept[0];
    layout->kept_count = 0;
    for (size_t k = candidate->skipped; k < count && layout->kept_count < most; k++) {
        layout->kept[layout->kept_count++] = candidate->choice.count > 0 ? candidate->choice.cells[k] : k;
        k += k == candidate->skipped && attempt->date_apart && candidate->choice.count == 0;
    }
}

/* What the reader of recordings takes as it is. */
static bool is_plain(const struct sample *sample, const struct layout *layout, const struct candidate *candidate,
                     const struct header_lines *names)
{
    const struct attempt *attempt = &candidate->attempt;
    if (names->fits && names->line > 0 && cells_split(',', sample->lines[names->line - 1], NULL, 0) != names->count)
        return false;
    for (size_t i = 0; i < sample->count; i++) {
        const struct text_piece line = sample->lines[i];
        const size_t mark = comment_mark(line, ',');
        const bool delimiters = line.length > 0 && line_is_empty(line, ',') && i < attempt->first;
        if ((mark > 0 && line.text[mark - 1] != '#') || delimiters || memchr(line.text, '\n', line.length) ||
            (i >= attempt->first && memchr(line.text, '"', line.length)))
            return false;
    }
    return layout->form.delimiter == ',' && layout->form.decimal == '.' && !attempt->day_times && !attempt->groups &&
           candidate->choice.count == 0 && candidate->skipped == 0 && attempt->used == attempt->cells &&
           names->unit_count == 0 && (names->line == 0 || (names->first && !names->commented));
}

/* When that is which a date and a time say, or a date with its time; that of rows counts from its whole second. */
static void date_layout(struct layout *layout, struct text_piece date, struct text_piece time, bool whole)
{
    struct day_time first, second = {.has_time = false};
    if (!day_time_read(date, &first) || !first.has_date || (!first.has_time && !day_time_read(time, &second)))
        return;
    if (!first.has_time) {
        first.has_time = second.has_time && !second.has_date;
        first.seconds += second.seconds;
        first.zoned = second.zoned;
        first.fraction = second.fraction;
    }
    if (whole)
        first.fraction.length = 0;
    layout->zero_at_ns = day_time_moment_ns(&first);
    layout->local = layout->zero_at_ns != INT64_MIN && !first.zoned;
}

/* A number that has more digits is none that a clock counts. */
static void take_first_time(struct layout *layout, struct text_piece cell)
{
    char text[CELL_NUMBER_BYTES];
    size_t length = 0;
    const enum number_shape shape = cell_number(cell, layout->form.decimal, text, &length);
    if (shape != NO_NUMBER && shape != WORD_FOR_A_NUMBER && length < sizeof layout->first_time)
        memcpy(layout->first_time, text, length); /* zeroed: it ends behind them */
}

static void find_date(struct layout *layout, const struct sample *sample, const struct preamble *preamble)
{
    struct text_piece cells[CELLS_MOST];
    layout->zero_at_ns = INT64_MIN;
    if (preamble->found)
        date_layout(layout, preamble->date, preamble->time, false);
    const size_t count = cells_split(layout->form.delimiter, sample->lines[layout->first_line - 1], cells, CELLS_MOST);
    const size_t first = layout->kept[0];
    if (first >= count || first >= CELLS_MOST - 1)
        return;
    if (layout->day_times)
        date_layout(layout, cells[first], first + 1 < count ? cells[first + 1] : cells[first], true);
    else
        take_first_time(layout, cells[first]);
}

static void describe(struct layout *layout, const struct candidate *candidate, const struct preamble *preamble,
                     const struct header_lines *names)
{
    const struct attempt *attempt = &candidate->attempt;
    /* A point is taken for what it is nearly everywhere. */
    const bool assumed = layout->form.decimal == '.' && attempt->decimals && !attempt->proved && !layout->decimal_told;
    snprintf(layout->said, sizeof layout->said, "%s%s, %s%s%s%s%s%s%s", preamble->found ? preamble->program : "",
             attempt->used == 1 ? "one column" : delimiter_name(layout->form.delimiter),
             decimal_name(layout->form.decimal), assumed ? " (assumed)" : "",
             candidate->skipped > 0 ? ", without the count of rows" : "",
             attempt->groups ? ", thousands in groups" : "",
             preamble->found || names->unit_count == 0 ? ""
             : names->units_above                      ? ", units above the names"
                                                       : ", units below the names",
             attempt->short_clock ? ", times as minutes and seconds"
             : attempt->day_times ? ", times of the day"
                                  : "",
             layout->local ? ", local time" : "");
}

/* LabVIEW's names stand above remarks too, its time is in seconds, and its units stand further up. */
static void take_preamble(const struct sample *sample, const struct preamble *preamble, struct header_lines *names)
{
    if (preamble->names_line > 0) {
        names->line = preamble->names_line;
        names->count = cells_split(preamble->delimiter, sample->lines[names->line - 1], names->names, CELLS_MOST);
    }
    if (names->line == 0 || names->count <= preamble->channels)
        return;
    names->fits = true;
    names->units[0] = (struct text_piece){"", 0};
    for (names->unit_count = 1; names->unit_count <= preamble->channels; names->unit_count++)
        names->units[names->unit_count] = preamble->units[names->unit_count - 1];
}

/* Of columns that are chosen by their numbers, where nobody knows which name is whose. */
static void leave_names_out(struct header_lines *names)
{
    names->count = names->unit_count = 0;
    names->fits = true;
}

static int lay_out(const struct sample *sample, const struct candidate *candidate, const struct preamble *preamble,
                   struct layout *layout, struct header_lines *names, struct complaint *complaint)
{
    static const struct attempt_terms from_the_top;
    const struct attempt *attempt = &candidate->attempt;
    header_lines_find(names, sample, attempt, &from_the_top);
    if (candidate->skipped > 0)
        pass_over_count(names, sample, attempt);
    if (preamble->found)
        take_preamble(sample, preamble, names);
    if (candidate->choice.count > 0 && candidate->choice.header_line == 0 && !names->fits)
        leave_names_out(names);
    if (!preamble->found)
        unit_lines_take(sample, attempt->form.delimiter, names);
    layout->form = attempt->form;
    layout->cells = attempt->cells;
    layout->used = candidate->choice.count > 0 ? CELLS_MOST : attempt->used;
    layout->first_line = attempt->first + 1;
    layout->header_line = names->line;
    layout->day_times = attempt->day_times;
    layout->date_apart = attempt->date_apart;
    layout->groups = attempt->groups;
    layout->blank = preamble->found && preamble->blank;
    layout->seconds = attempt->day_times || (preamble->found && preamble->stamped);
    keep_cells(layout, candidate, names);
    layout->plain = !preamble->found && is_plain(sample, layout, candidate, names);
    find_date(layout, sample, preamble);
    describe(layout, candidate, preamble, names);
    if (layout->plain || names->line == 0)
        return 0;
    /* Names that are not as many as the cells are all shown to the reader, who counts them. */
    size_t all[CELLS_MOST];
    for (size_t i = 0; i < names->count; i++)
        all[i] = i;
    layout->header = header_lines_write(names, names->fits ? layout->kept : all,
                                        names->fits ? layout->kept_count : names->count, layout->seconds);
    if (layout->header)
        return 0;
    complaint_set(complaint, "memory is short");
    return -ENOMEM;
}

/* Its rows are shown to the reader as seconds. */
static int check_unit_of_times(const struct preamble *preamble, const struct recording_manner *manner,
                               struct complaint *complaint)
{
    const struct recording_timing *timing = &manner->timing;
    if (!preamble->stamped || preamble->unit_s == 1 || timing->unit_s > 0 || timing->rate_hz > 0)
        return 0;
    complaint_set(complaint, "is a LabVIEW measurement with times in %s: say so with %s",
                  time_unit_name_of(preamble->unit_s), sniff_ways_out(manner)->time_unit);
    return -EBADMSG;
}

/* Commas everywhere: "0,001,1,234" is two numbers, and the names above say so. */
static int check_commas(const struct candidate *candidate, const struct header_lines *names,
                        struct complaint *complaint)
{
    if (candidate->attempt.form.delimiter != ',' || names->line == 0 || names->count < 2 ||
        names->count * 2 != candidate->attempt.used)
        return 0;
    complaint_set(complaint,
                  "the header in line %zu names %zu columns and line %zu has %zu values: the comma seems to stand both "
                  "between the values and in the numbers; write the file with semicolons or tabs between the values",
                  names->line, names->count, candidate->attempt.first + 1, candidate->attempt.used);
    return -EBADMSG;
}

/* "Time Displacement x" above two values. */
static int check_words(const struct sample *sample, const struct candidate *candidate, const struct header_lines *names,
                       const struct recording_manner *manner, struct complaint *complaint)
{
    const struct attempt *attempt = &candidate->attempt;
    return attempt->form.delimiter == ' ' && names->line > 0 && !names->fits && names->count > attempt->used
               ? sniff_refuse_words(sample, manner, names, attempt, complaint)
               : 0;
}

/* "659 659" beside a rate: the first of two values that goes back is no time, and the two may be one. */
static int check_blanks(const struct sample *sample, const struct attempt *attempt,
                        const struct recording_manner *manner, struct complaint *complaint)
{
    const struct text_piece line = sample->lines[attempt->first];
    if (attempt->form.delimiter != ' ' || !attempt->goes_back || manner->delimiter || manner->columns ||
        cell_number(line, attempt->form.decimal, NULL, &(size_t){0}) != GROUPED_NUMBER)
        return 0;
    return sniff_refuse_blanks(sample, manner, attempt, complaint);
}

/* What a file says of itself counts less than what somebody says of it. */
static struct recording_manner with_preamble(const struct recording_manner *manner, const struct preamble *preamble)
{
    struct recording_manner both = *manner;
    if (!preamble->found)
        return both;
    if (!both.delimiter)
        both.delimiter = (unsigned char)preamble->delimiter;
    if (!both.decimal)
        both.decimal = (unsigned char)preamble->decimal;
    if (!preamble->stamped && !(both.timing.rate_hz > 0))
        both.timing.rate_hz = preamble->rate_hz;
    return both;
}

int sniff(const struct sample *sample, const struct recording_manner *manner, struct layout *layout,
          struct complaint *complaint)
{
    struct candidate best;
    struct preamble preamble;
    struct text_piece missing = {"", 0};
    *layout = (struct layout){.plain = true, .zero_at_ns = INT64_MIN};
    int error = labview_read(sample, &preamble, complaint);
    if (!error && !preamble.found)
        oscilloscope_read(sample, &preamble);
    if (!error)
        error = check_unit_of_times(&preamble, manner, complaint);
    if (error)
        return error;
    const struct recording_manner told = with_preamble(manner, &preamble);
    int found = choose(sample, &told, &preamble, 0, &best, &missing, complaint);
    if (found >= 0)
        found = leave_out_count(sample, &told, &preamble, &best, complaint);
    if (found <= 0)
        return found < 0 ? found : sniff_refuse_all(sample, &told, missing, complaint);
    struct header_lines *names = malloc(sizeof *names);
    if (!names) {
        complaint_set(complaint, "memory is short");
        return -ENOMEM;
    }
    layout->decimal_told = told.decimal != 0;
    error = lay_out(sample, &best, &preamble, layout, names, complaint);
    if (!error)
        error = check_commas(&best, names, complaint);
    if (!error)
        error = check_words(sample, &best, names, &told, complaint);
    if (!error)
        error = check_blanks(sample, &best.attempt, &told, complaint);
    /* Who says the decimal mark says what the other one is, and thousands may come behind the sample. */
    layout->groups = layout->groups || layout->decimal_told;
    if (preamble.found && !preamble.stamped && !(manner->timing.rate_hz > 0))
        layout->rate_hz = preamble.rate_hz;
    free(names);
    return error;
}

void layout_clear(struct layout *layout)
{
    free(layout->header);
    layout->header = NULL;
}
