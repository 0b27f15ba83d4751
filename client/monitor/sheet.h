/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_MONITOR_SHEET_H
#define FRICID_CLIENT_MONITOR_SHEET_H

#include "client/columns.h"
#include "client/monitor/canvas.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* The verdict of a first answer that is ok so far: neither good nor bad. */
#define SHEET_PROVISIONAL "provisional"

/* A list of JSON objects as a table with a head, in an area: columns give way by their rank where there is no room. */
struct sheet {
    const struct column *columns;
    size_t column_count;
    const json_t *objects; /* a list */
    size_t chosen;         /* this one is always seen */
    bool active;           /* the keys act on this sheet */
};

/* Says so in its place when memory is short. */
void sheet_draw(struct canvas *canvas, struct area area, const struct sheet *sheet, const struct glyphs *glyphs);

/* A member as a cell; long ones, which are names, are shortened, so that figures have room. */
struct phrase sheet_member(const json_t *object, const struct column *column, const struct glyphs *glyphs);

#endif
