/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows of other programs. Most of them differ from those of a recording in single characters only, and these take a
 * table; the others are taken apart cell by cell. */

#include "proto/dialect/translate.h"

#include "proto/dialect/day_time.h"
#include "proto/dialect/sample.h"
#include "proto/dialect/sniff.h"
#include "proto/utf8.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HOUR_S = 3600,
    /* The reader refuses such lines: they are cut where it does. */
    LONGEST_LINE = RECORDING_MAX_LINE + 2,
    IN_BYTES = 4 * LONGEST_LINE,
    /* A cell may become longer: a time of the day that is written as seconds, and quotes around what is none. */
    OUT_BYTES = 4 * LONGEST_LINE,
    DAY_S = 86400,
};

/* What becomes of a character within a row; 0: the row must be taken apart. */
struct character_table {
    char to[256];
};

struct translator {
    struct byte_source source; /* first: a source is this */
    struct byte_source *from;
    struct layout layout;
    struct character_table table;
    bool by_table; /* rows may be translated by it */
    char *in, *out;
    size_t in_begin, in_end, out_begin, out_end;
    size_t line; /* of the line taken last, from 1 */
    bool ended;
    bool dated;              /* the first time was read */
    int64_t first_s, last_s; /* that of the first row, and of the row before, with the midnights or hours between */
};

static void put_bytes(struct translator *translator, const char *bytes, size_t length)
{
    memcpy(translator->out + translator->out_end, bytes, length);
    translator->out_end += length;
}

static void put(struct translator *translator, char c)
{
    translator->out[translator->out_end++] = c;
}

/* --- cells --- */

/* What is no number keeps its commas, in quotes, so that it stays one cell, and its points where these are no decimal
 * marks, lest they be taken for such. */
static void put_raw(struct translator *translator, struct text_piece cell)
{
    const bool quoted = memchr(cell.text, ',', cell.length) ||
                        (translator->layout.form.decimal != '.' && memchr(cell.text, '.', cell.length));
    if (quoted)
        put(translator, '"');
    put_bytes(translator, cell.text, cell.length);
    if (quoted)
        put(translator, '"');
}

static void put_number(struct translator *translator, struct text_piece cell)
{
    char number[CELL_NUMBER_BYTES];
    size_t length = 0;
    const enum number_shape shape = cell_number(cell, translator->layout.form.decimal, number, &length);
    if (shape == NO_NUMBER || shape == WORD_FOR_A_NUMBER || (shape == UNSURE_GROUP && !translator->layout.groups))
        put_raw(translator, cell);
    else
        put_bytes(translator, number, length);
}

/* Seconds since the whole second of the first row. A time without a date that falls far back passed midnight,
 * and minutes and seconds the hour. */
static void put_day_time(struct translator *translator, struct text_piece cell, struct text_piece next)
{
    struct day_time first, second = {.seconds = 0};
    const bool apart = translator->layout.date_apart;
    const bool read = day_time_read(cell, &first) && (!apart || (day_time_read(next, &second) && !second.has_date)) &&
                      first.has_time != second.has_time;
    if (!read) {
        put_raw(translator, cell);
        return;
    }
    int64_t seconds = first.seconds + second.seconds;
    const struct text_piece fraction = second.has_time ? second.fraction : first.fraction;
    if (!translator->dated)
        translator->first_s = translator->last_s = seconds;
    translator->dated = true;
    const int64_t turn_s = first.short_clock ? HOUR_S : DAY_S;
    while (!first.has_date && seconds < translator->last_s - turn_s / 2)
        seconds += turn_s;
    translator->last_s = seconds;
    /* A fraction counts forwards also before the first second: such a row goes back in time, and is refused. */
    translator->out_end +=
        (size_t)sprintf(translator->out + translator->out_end, "%lld", (long long)(seconds - translator->first_s));
    if (fraction.length > 0) {
        put(translator, '.');
        put_bytes(translator, fraction.text, fraction.length);
    }
}

/* Too few cells leave the row short, and too many too long, which the reader counts. */
static void put_cells(struct translator *translator, struct text_piece line)
{
    struct text_piece cells[CELLS_MOST];
    const struct layout *layout = &translator->layout;
    const size_t count = cells_split(layout->form.delimiter, line, cells, CELLS_MOST);
    if (layout->blank && cells[0].length > 0) {
        put_raw(translator, cells[0]);
        return;
    }
    for (size_t k = 0; k < layout->kept_count && layout->kept[k] < count; k++) {
        const size_t c = layout->kept[k];
        const struct text_piece next = c + 1 < count ? cells[c + 1] : (struct text_piece){"", 0};
        if (k > 0)
            put(translator, ',');
        if (k == 0 && layout->day_times)
            put_day_time(translator, cells[c], next);
        else
            put_number(translator, cells[c]);
    }
    for (size_t c = layout->used; c < count && c < CELLS_MOST; c++)
        if (cells[c].length > 0 || c >= layout->cells) {
            put(translator, ',');
            put_raw(translator, cells[c]);
        }
}

/* --- lines --- */

/* Character by character, as long as each has its own. False when one has not: nothing is written then. */
static bool put_by_table(struct translator *translator, struct text_piece line)
{
    const char *to = translator->table.to;
    char *out = translator->out + translator->out_end;
    size_t i = 0;
    for (; i < line.length; i++) {
        const char c = to[(unsigned char)line.text[i]];
        if (c == '\0')
            return false;
        out[i] = c;
    }
    translator->out_end += line.length;
    return true;
}

static void put_line(struct translator *translator, struct text_piece line)
{
    const struct layout *layout = &translator->layout;
    if (translator->line == 1) {
        const size_t mark = utf8_mark(line.text, line.length);
        line = (struct text_piece){line.text + mark, line.length - mark};
    }
    while (line.length > 0 && line.text[line.length - 1] == '\r')
        line.length--;
    if (line.length > RECORDING_MAX_LINE)
        put_bytes(translator, line.text, line.length);
    else if (translator->line == layout->header_line && layout->header)
        put_bytes(translator, layout->header, strlen(layout->header));
    else if (translator->line >= layout->first_line && text_piece_trim(line).length > 0 &&
             !(translator->by_table && put_by_table(translator, line)) &&
             comment_mark(line, layout->form.delimiter) == 0)
        put_cells(translator, line);
    put(translator, '\n');
}

/* Brings the next line into the buffer. 1, 0 at the end, or a negative errno and a complaint. */
static int next_line(struct translator *translator, struct text_piece *line, struct complaint *complaint)
{
    for (;;) {
        char *begin = translator->in + translator->in_begin;
        const size_t left = translator->in_end - translator->in_begin;
        const char *newline = memchr(begin, '\n', left);
        if (newline || (translator->ended && left > 0) || left > LONGEST_LINE) {
            const size_t length = newline ? (size_t)(newline - begin) : left;
            *line = (struct text_piece){begin, length < LONGEST_LINE ? length : LONGEST_LINE};
            translator->in_begin += length + (newline != NULL);
            translator->line++;
            return 1;
        }
        if (translator->ended)
            return 0;
        memmove(translator->in, begin, left);
        translator->in_begin = 0;
        translator->in_end = left;
        const long count = byte_source_read(translator->from, translator->in + left, IN_BYTES - left, complaint);
        if (count < 0)
            return (int)count;
        translator->ended = count == 0;
        translator->in_end += (size_t)count;
    }
}

static long read_translated(struct byte_source *source, char *bytes, size_t room, struct complaint *complaint)
{
    struct translator *translator = (struct translator *)source;
    if (translator->out_begin == translator->out_end)
        translator->out_begin = translator->out_end = 0;
    /* As many lines as surely fit: each may be the longest. */
    while (translator->out_begin == 0 && translator->out_end < OUT_BYTES / 2) {
        struct text_piece line = {"", 0};
        const int got = next_line(translator, &line, complaint);
        if (got < 0 && translator->out_end == 0)
            return got;
        if (got <= 0)
            break;
        put_line(translator, line);
    }
    const size_t left = translator->out_end - translator->out_begin, count = left < room ? left : room;
    memcpy(bytes, translator->out + translator->out_begin, count);
    translator->out_begin += count;
    return (long)count;
}

static void forget(struct translator *translator)
{
    translator->in_begin = translator->in_end = translator->out_begin = translator->out_end = 0;
    translator->line = 0;
    translator->ended = translator->dated = false;
}

static int rewind_translated(struct byte_source *source, struct complaint *complaint)
{
    struct translator *translator = (struct translator *)source;
    forget(translator);
    return byte_source_rewind(translator->from, complaint);
}

static void close_translated(struct byte_source *source)
{
    struct translator *translator = (struct translator *)source;
    byte_source_close(translator->from);
    layout_clear(&translator->layout);
    free(translator->in);
    free(translator->out);
    free(translator);
}

/* --- construction --- */

/* Rows that keep all of their cells, in which one character delimits and nothing is in quotes. */
static void make_table(struct translator *translator)
{
    const struct layout *layout = &translator->layout;
    bool in_order = layout->kept_count == layout->cells && !layout->day_times && layout->form.delimiter != ' ';
    for (size_t k = 0; k < layout->kept_count; k++)
        in_order = in_order && layout->kept[k] == k;
    translator->by_table = in_order;
    /* A blank may be between thousands. */
    for (const char *c = "0123456789+-eE"; *c; c++)
        translator->table.to[(unsigned char)*c] = *c;
    if (layout->form.delimiter != '\0')
        translator->table.to[(unsigned char)layout->form.delimiter] = ',';
    /* With commas between cells and in numbers, only quotes tell one from the other. */
    if (layout->form.delimiter != layout->form.decimal)
        translator->table.to[(unsigned char)layout->form.decimal] = '.';
}

struct byte_source *translate_open(struct byte_source *source, struct layout *layout)
{
    static const struct byte_source_methods methods = {read_translated, rewind_translated, close_translated};
    struct translator *translator = calloc(1, sizeof *translator);
    if (!translator) {
        byte_source_close(source);
        return NULL;
    }
    translator->source.methods = &methods;
    translator->from = source;
    translator->layout = *layout;
    layout->header = NULL;
    translator->in = malloc(IN_BYTES);
    translator->out = malloc(OUT_BYTES);
    if (!translator->in || !translator->out) {
        close_translated(&translator->source);
        return NULL;
    }
    make_table(translator);
    return &translator->source;
}
