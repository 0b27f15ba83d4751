/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lines of a key and a unit, as oscilloscopes and analysers have them. */

#include "proto/dialect/unit_lines.h"

#include "proto/measured_unit.h"
#include "proto/time_unit.h"

#include <string.h>
#include <strings.h>

static const struct key {
    const char *name;
    bool of_time; /* it is that of the first column, else of all others */
} keys[] = {
    {"Horizontal Units", true}, {"X-Axis unit", true},  {"X units", true},
    {"Vertical Units", false},  {"Y-Axis unit", false}, {"Y units", false},
};

static const struct key *find_key(struct text_piece cell)
{
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (cell.length == strlen(keys[i].name) && strncasecmp(cell.text, keys[i].name, cell.length) == 0)
            return &keys[i];
    return NULL;
}

static bool is_unit(struct text_piece cell, bool of_time)
{
    return of_time ? time_unit_find(cell.text, cell.length) != NULL : measured_unit_is_known(cell);
}

/* The cells of a line that a colon or the delimiter parts. NULL: it begins with no key. */
static const struct key *split(struct text_piece line, char delimiter, struct text_piece cells[CELLS_MOST],
                               size_t *count)
{
    const struct key *key = NULL;
    const char marks[] = {delimiter, ':'};
    for (size_t i = 0; !key && i < sizeof marks; i++) {
        *count = cells_split(marks[i], line, cells, CELLS_MOST);
        key = *count > 1 && *count <= CELLS_MOST ? find_key(cells[0]) : NULL;
    }
    return key;
}

/* One unit is that of all columns, and several are one's each. */
static void take_line(const struct key *key, const struct text_piece *cells, size_t count, struct header_lines *names)
{
    const size_t first = key->of_time ? 0 : 1, end = key->of_time ? 1 : names->count;
    for (size_t c = first; c < end; c++) {
        const struct text_piece unit = c > 0 && c < count && cells[c].length > 0 ? cells[c] : cells[1];
        if (is_unit(unit, key->of_time))
            names->units[c] = unit;
    }
}

void unit_lines_take(const struct sample *sample, char delimiter, struct header_lines *names)
{
    struct text_piece cells[CELLS_MOST];
    size_t count;
    if (names->line == 0 || !names->fits || names->unit_count > 0)
        return;
    for (size_t c = 0; c < names->count; c++)
        names->units[c] = (struct text_piece){"", 0};
    for (size_t i = 0; i + 1 < names->line; i++) {
        const struct key *key = split(sample->lines[i], delimiter, cells, &count);
        if (!key)
            continue;
        take_line(key, cells, count, names);
        names->unit_count = names->count;
        names->units_above = true;
    }
}
