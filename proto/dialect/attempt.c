/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows in one form: the first line that fits is the first row, and whatever does not fit behind it counts against the
 * form. */

#include "proto/dialect/attempt.h"

#include "proto/dialect/day_time.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a, with a mark behind each number. */
static uint64_t hash_number(uint64_t hash, const char *text, size_t length)
{
    for (size_t i = 0; i <= length; i++)
        hash = (hash ^ (i < length ? (unsigned char)text[i] : 0xFFu)) * UINT64_C(0x100000001b3);
    return hash;
}

static bool is_acceptable(enum number_shape shape, const struct cell_form *form, const struct attempt_terms *terms)
{
    if (shape == UNSURE_GROUP) /* 1.234 is a thousand only where somebody says so */
        return form->decimal == '.' || terms->groups_allowed;
    return shape != NO_NUMBER;
}

/* Whether the first cell counts upwards, as a time does. */
static void note_first(struct attempt *attempt, enum number_shape shape, const char *text, size_t length)
{
    char number[CELL_NUMBER_BYTES + 1];
    memcpy(number, text, length);
    number[length] = '\0';
    const double value = strtod(number, NULL); /* LC_NUMERIC stays "C", and nothing but the order counts */
    attempt->counts = attempt->counts && shape == WHOLE_NUMBER && (attempt->rows == 0 || value > attempt->last);
    if (attempt->rows > 0 && value < attempt->last)
        attempt->goes_back = true;
    if (attempt->rows > 0 && value > attempt->last)
        attempt->stands = false;
    attempt->last = value;
}

/* A number of the row; `leads`: its first cell. */
static bool take_number(struct attempt *attempt, struct text_piece cell, bool leads, const struct attempt_terms *terms)
{
    char text[CELL_NUMBER_BYTES];
    size_t length = 0;
    const enum number_shape shape = cell_number(cell, attempt->form.decimal, text, &length);
    if (!is_acceptable(shape, &attempt->form, terms))
        return false;
    attempt->decimals = attempt->decimals || shape == DECIMAL_NUMBER || shape == UNSURE_DECIMAL;
    attempt->proved = attempt->proved || shape == DECIMAL_NUMBER;
    attempt->padded = attempt->padded || (shape == WHOLE_NUMBER && length > 1 && text[0] == '0');
    attempt->unsure = attempt->unsure || shape == UNSURE_GROUP;
    attempt->groups = attempt->groups || shape == GROUPED_NUMBER || (shape == UNSURE_GROUP && terms->groups_allowed);
    attempt->values = hash_number(attempt->values, text, length);
    if (leads)
        note_first(attempt, shape, text, length);
    return true;
}

/* A date or a time in the first cell, or a date there and a time in the next one. How many cells; 0: neither. */
static size_t take_day_time(struct attempt *attempt, const struct text_piece *cells, size_t left)
{
    struct day_time first, second;
    if (!day_time_read(cells[0], &first))
        return 0;
    attempt->short_clock = first.has_time && first.short_clock;
    if (first.has_time)
        return 1;
    attempt->date_apart = left > 1 && day_time_read(cells[1], &second) && second.has_time && !second.has_date;
    return attempt->date_apart ? 2 : 0;
}

/* Adds a row to an attempt that has as many as it has; false when it is none of its form. */
static bool take_row(struct attempt *attempt, struct text_piece line, const struct attempt_terms *terms)
{
    struct text_piece cells[CELLS_MOST];
    const struct cell_choice *choice = &terms->choice;
    const size_t count = cells_split(attempt->form.delimiter, line, cells, CELLS_MOST);
    size_t used = count < CELLS_MOST ? count : CELLS_MOST, numbers = 0;
    const bool chosen = choice->count > 0; /* whatever else a row has then */
    /* "200 123" without another cell is a pair of numbers as well as one of thousands. */
    if (count == 1 && !terms->blanks_group && memchr(cells[0].text, ' ', cells[0].length))
        return false;
    if (count > CELLS_MOST || (attempt->rows > 0 && count != attempt->cells && !chosen))
        return false;
    while (used > 0 && cells[used - 1].length == 0)
        used--;
    const size_t first = choice->count > 0 ? 0 : terms->skipped;
    const size_t wanted = choice->count > 0 ? choice->count : used;
    for (size_t k = first; k < wanted; k++) {
        const size_t c = choice->count > 0 ? choice->cells[k] : k;
        if (c >= used)
            return false;
        const size_t taken = k == first ? take_day_time(attempt, cells + c, used - c) : 0;
        if (k == first && attempt->rows > 0 && attempt->day_times != (taken > 0))
            return false; /* a line of a header behind rows */
        if (taken == 0 && !take_number(attempt, cells[c], k == first, terms))
            return false;
        attempt->day_times = attempt->day_times || taken > 0;
        k += choice->count == 0 && taken > 1;
        numbers++;
    }
    if (numbers < (terms->rate_known ? 1u : 2u) || (attempt->rows > 0 && used != attempt->used && !chosen))
        return false;
    attempt->cells = count;
    attempt->used = used;
    attempt->rows++;
    return true;
}

/* What begins like a row right above the first that fits is a bad one, and no header. */
static size_t first_like_a_row(const struct sample *sample, const struct attempt *attempt, size_t from)
{
    size_t first = attempt->good;
    for (size_t i = first; i-- > from;) {
        struct text_piece line = sample->lines[i], cell = {"", 0};
        if (text_piece_trim(line).length == 0 || comment_mark(line, attempt->form.delimiter) > 0)
            continue;
        cell_next(attempt->form.delimiter, &line, &cell);
        const size_t signs = cell.length > 0 && strchr("+-.", cell.text[0]) ? 1 : 0;
        if (cell.length <= signs || (unsigned)(cell.text[signs] - '0') >= 10)
            break;
        first = i;
    }
    return first;
}

struct attempt attempt_make(const struct sample *sample, struct cell_form form, const struct attempt_terms *terms)
{
    struct attempt attempt = {.form = form, .stands = true, .counts = true, .values = UINT64_C(0xcbf29ce484222325)};
    for (size_t i = terms->from; i < sample->count; i++) {
        const struct text_piece line = sample->lines[i];
        struct attempt further = attempt;
        if (comment_mark(line, form.delimiter) > 0 || !take_row(&further, line, terms))
            continue;
        if (attempt.rows == 0)
            further.good = i;
        attempt = further;
    }
    /* With commas between cells as well, only numbers in quotes can have one: without any the point will do. */
    if (form.delimiter == form.decimal && !attempt.decimals)
        attempt.rows = 0;
    attempt.groups = attempt.groups || (attempt.unsure && attempt.decimals);
    attempt.first = first_like_a_row(sample, &attempt, terms->from);
    return attempt;
}
