/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lines of a key and a unit, as oscilloscopes and analysers have them. */

#include "proto/dialect/unit_lines.h"

#include "proto/measured_unit.h"
#include "proto/time_unit.h"

#include <string.h>
#include <strings.h>

enum whose_unit { OF_TIME, OF_AXIS, OF_CHANNELS };

/* An axis has one unit for all that is drawn over it; of channels, each has its own. */
static const struct key {
    const char *name;
    enum whose_unit whose;
} keys[] = {
    {"Horizontal Units", OF_TIME},   {"X-Axis unit", OF_TIME}, {"X units", OF_TIME},
    {"Vertical Units", OF_CHANNELS}, {"Y-Axis unit", OF_AXIS}, {"Y units", OF_AXIS},
};

static const struct key *find_key(struct text_piece cell)
{
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (cell.length == strlen(keys[i].name) && strncasecmp(cell.text, keys[i].name, cell.length) == 0)
            return &keys[i];
    return NULL;
}

/* "CH1:V": the unit stands behind the channel. */
static struct text_piece behind_colon(struct text_piece cell)
{
    const char *colon = memchr(cell.text, ':', cell.length);
    const size_t skipped = colon ? (size_t)(colon - cell.text) + 1 : 0;
    return text_piece_trim((struct text_piece){cell.text + skipped, cell.length - skipped});
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

/* That of a column, "" where it has none: the channels of an oscilloscope have one each, or only the first is told. */
static struct text_piece unit_of(const struct key *key, size_t column, const struct text_piece *cells, size_t count)
{
    const struct text_piece none = {"", 0};
    const size_t first = key->whose == OF_TIME ? 0 : 1;
    const bool own = key->whose == OF_CHANNELS || (column > 0 && column < count && cells[column].length > 0);
    const size_t cell = own ? column : 1;
    const struct text_piece unit = column >= first && cell < count ? behind_colon(cells[cell]) : none;
    const bool known =
        key->whose == OF_TIME ? time_unit_find(unit.text, unit.length) != NULL : measured_unit_is_known(unit);
    return known ? unit : none;
}

static void take_line(const struct key *key, const struct text_piece *cells, size_t count, struct header_lines *names)
{
    const size_t end = key->whose == OF_TIME ? 1 : names->count;
    for (size_t c = 0; c < end; c++) {
        const struct text_piece unit = unit_of(key, c, cells, count);
        if (unit.length > 0)
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
