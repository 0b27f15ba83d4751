/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Panels stand below each other; on a wide screen those of the signal to the left of those of what was found. Where
 * there is not room for all, the one of the largest rank goes first. */

#include "client/monitor/layout.h"

/* On this many columns a table of results has room beside a trace. */
enum { WIDE_COLUMNS = 160, RESULTS_COLUMNS = 112 };

/* Where a panel stands on a wide screen. */
enum side { SIDE_TOP, SIDE_LEFT, SIDE_RIGHT, SIDE_BOTTOM, SIDES };

/* What a panel asks for, in rows with its title. */
struct claim {
    int least, most; /* most 0: as much as there is */
    int weight;      /* of rows beyond the least, it gets that many parts */
    int rank;        /* the largest gives way first; 0: never */
    enum side side;
};

static const struct claim claims[PANELS] = {
    [PANEL_HEAD] = {.least = 1, .most = 2, .weight = 8, .side = SIDE_TOP},
    [PANEL_CHANNELS] = {.least = 2, .weight = 6, .side = SIDE_TOP},
    [PANEL_TRACE] = {.least = 6, .weight = 4, .rank = 2, .side = SIDE_LEFT},
    [PANEL_DECAY] = {.least = 1, .most = 1, .weight = 1, .rank = 3, .side = SIDE_LEFT},
    [PANEL_RESULTS] = {.least = 3, .weight = 3, .rank = 1, .side = SIDE_RIGHT},
    [PANEL_EVENTS] = {.least = 2, .weight = 1, .rank = 4, .side = SIDE_RIGHT},
    [PANEL_KEYS] = {.least = 1, .most = 1, .weight = 1, .side = SIDE_BOTTOM},
};

/* Those of a column of panels, and how many rows each gets; 0: it is not in it. */
struct column_rows {
    struct claim claims[PANELS];
    int rows[PANELS];
};

static int total(const struct column_rows *column)
{
    int sum = 0;
    for (int p = 0; p < PANELS; p++)
        sum += column->rows[p];
    return sum;
}

/* The one that gives way next; PANELS: none does. */
static int least_wanted(const struct column_rows *column)
{
    int found = PANELS, rank = 0;
    for (int p = 0; p < PANELS; p++)
        if (column->rows[p] > 0 && column->claims[p].rank > rank) {
            found = p;
            rank = column->claims[p].rank;
        }
    return found;
}

/* The one that has least of what it may have beyond its claim. */
static int most_needy(const struct column_rows *column)
{
    int found = PANELS;
    double least = 0;
    for (int p = 0; p < PANELS; p++) {
        const struct claim *claim = &column->claims[p];
        if (column->rows[p] == 0 || (claim->most > 0 && column->rows[p] >= claim->most))
            continue;
        const double share = (column->rows[p] - claim->least + 0.5) / claim->weight;
        if (found == PANELS || share < least) {
            found = p;
            least = share;
        }
    }
    return found;
}

static void share_out(struct column_rows *column, int room)
{
    for (int p = 0; p < PANELS; p++)
        column->rows[p] = column->claims[p].least;
    for (int p; total(column) > room && (p = least_wanted(column)) < PANELS;)
        column->rows[p] = 0;
    for (int p; total(column) < room && (p = most_needy(column)) < PANELS;)
        column->rows[p]++;
}

/* The claims of the panels on these sides, as bits. */
static struct column_rows claims_of(unsigned sides, int channels, int rows)
{
    struct column_rows column = {0};
    for (int p = 0; p < PANELS; p++)
        if (sides & 1u << claims[p].side)
            column.claims[p] = claims[p];
    struct claim *list = &column.claims[PANEL_CHANNELS];
    /* With its head; of many channels no more than a third of the screen. */
    list->most = 1 + (channels > 1 ? channels : 1);
    if (list->most > rows / 3)
        list->most = rows / 3;
    list->least = list->most < 3 ? list->most : 3;
    return column;
}

static int place(struct layout *layout, const struct column_rows *column, int row, int left, int columns)
{
    for (int p = 0; p < PANELS; p++)
        if (column->rows[p] > 0) {
            layout->panels[p] = (struct area){row, left, column->rows[p], columns};
            row += column->rows[p];
        }
    return row;
}

static void lay_out_wide(struct layout *layout, int rows, int columns, int channels)
{
    const int right = RESULTS_COLUMNS + (columns - WIDE_COLUMNS) / 4;
    struct column_rows top = claims_of(1u << SIDE_TOP, channels, rows), left = claims_of(1u << SIDE_LEFT, 0, 0),
                       found = claims_of(1u << SIDE_RIGHT, 0, 0);
    left.claims[PANEL_CHANNELS] = found.claims[PANEL_CHANNELS] = (struct claim){0};
    share_out(&top, rows);
    const int row = place(layout, &top, 0, 0, columns), room = rows - row - 1;
    share_out(&left, room);
    share_out(&found, room);
    place(layout, &left, row, 0, columns - right - 2);
    place(layout, &found, row, columns - right, right);
    layout->panels[PANEL_KEYS] = (struct area){rows - 1, 0, 1, columns};
}

struct layout layout_for(int rows, int columns, int channels)
{
    struct layout layout = {.too_small = rows < LAYOUT_LEAST_ROWS || columns < LAYOUT_LEAST_COLUMNS};
    if (layout.too_small)
        return layout;
    if (columns >= WIDE_COLUMNS) {
        lay_out_wide(&layout, rows, columns, channels);
        return layout;
    }
    struct column_rows all = claims_of((1u << SIDES) - 1, channels, rows);
    share_out(&all, rows);
    place(&layout, &all, 0, 0, columns);
    return layout;
}
