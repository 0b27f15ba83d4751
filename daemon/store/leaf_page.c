/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From the bytes of a leaf to rows. Section numbers are those of https://sqlite.org/fileformat2.html. */

#include "store/leaf_page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The number of the page where what does not fit goes on. */
enum { NEXT_PAGE = 4 };

/* Bytes that are still to be read; NULL: there were too few of them. */
struct bytes {
    const unsigned char *at, *end;
};

static size_t left_of(const struct bytes *bytes)
{
    return bytes->at ? (size_t)(bytes->end - bytes->at) : 0;
}

static const unsigned char *take(struct bytes *bytes, size_t count)
{
    const unsigned char *taken = left_of(bytes) >= count ? bytes->at : NULL;
    bytes->at = taken ? taken + count : NULL;
    return taken;
}

/* Seven bits a byte, the highest first, and eight of a ninth (1.6). */
static uint64_t take_varint(struct bytes *bytes)
{
    uint64_t number = 0;
    for (int i = 0; i < 9; i++) {
        const unsigned char *byte = take(bytes, 1);
        if (!byte)
            return 0;
        number = i < 8 ? number << 7 | (*byte & 0x7F) : number << 8 | *byte;
        if (i < 8 && !(*byte & 0x80))
            return number;
    }
    return number;
}

/* --- the payload of a cell --- */

/* How much of it stands on the leaf itself (1.6). */
static size_t count_local(uint64_t length, bool of_index)
{
    const size_t most = of_index ? (DATABASE_PAGE - 12) * 64 / 255 - 23 : DATABASE_PAGE - 35,
                 least = (DATABASE_PAGE - 12) * 32 / 255 - 23;
    if (length <= most)
        return (size_t)length;
    const size_t local = least + (size_t)((length - least) % (DATABASE_PAGE - NEXT_PAGE));
    return local <= most ? local : least;
}

static int make_room(struct leaf_row *row, size_t length)
{
    if (length <= row->capacity)
        return 0;
    const size_t capacity = length > 2 * row->capacity ? length : 2 * row->capacity;
    unsigned char *larger = realloc(row->payload, capacity);
    if (!larger)
        return -ENOMEM;
    row->payload = larger;
    row->capacity = capacity;
    return 0;
}

/* The rest of a payload stands on pages of which each names the next (1.7). Memory is taken for what is there, for the
 * length may be damaged. */
static int read_overflow(const struct stored_pages *pages, uint32_t number, struct leaf_row *row, size_t got,
                         size_t length)
{
    unsigned char page[DATABASE_PAGE];
    while (got < length) {
        const size_t left = length - got, here = left < sizeof page - NEXT_PAGE ? left : sizeof page - NEXT_PAGE;
        if (number < 2 || stored_pages_find(pages, number, page) != 0)
            return 0;
        if (make_room(row, got + here) != 0)
            return -ENOMEM;
        memcpy(row->payload + got, page + NEXT_PAGE, here);
        number = big_endian_get(page);
        got += here;
    }
    return 1;
}

/* 1: it is there, whole. */
static int read_payload(const struct stored_pages *pages, struct bytes *cell, bool of_index, struct leaf_row *row,
                        size_t *length)
{
    const uint64_t whole = take_varint(cell);
    row->number = of_index ? 0 : (int64_t)take_varint(cell);
    const size_t local = count_local(whole, of_index);
    const unsigned char *here = take(cell, local);
    /* No row is longer than all pages: those that name each other in a circle have no end. */
    if (!here || whole == 0 || whole / DATABASE_PAGE >= pages->count)
        return 0;
    *length = (size_t)whole;
    if (make_room(row, local) != 0)
        return -ENOMEM;
    memcpy(row->payload, here, local);
    if (local == *length)
        return 1;
    const unsigned char *next = take(cell, NEXT_PAGE);
    return next ? read_overflow(pages, big_endian_get(next), row, local, *length) : 0;
}

/* --- the values of a row --- */

static int64_t take_integer(struct bytes *bytes, size_t size)
{
    const unsigned char *taken = take(bytes, size);
    uint64_t number = taken && taken[0] & 0x80 ? UINT64_MAX : 0;
    for (size_t i = 0; taken && i < size; i++)
        number = number << 8 | taken[i];
    return (int64_t)number;
}

/* 2.1: what a value is, and how long. */
static bool take_value(struct bytes *bytes, uint64_t serial, struct leaf_value *value)
{
    enum { REAL = 7, ZERO = 8, ONE = 9, BLOB = 12 };
    static const size_t sizes[] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0};
    *value = (struct leaf_value){.type = SQLITE_NULL};
    if (serial >= BLOB) {
        if ((serial - BLOB) / 2 > left_of(bytes))
            return false;
        value->type = serial % 2 ? SQLITE_TEXT : SQLITE_BLOB;
        value->length = (size_t)(serial - BLOB) / 2;
        value->bytes = take(bytes, value->length);
    } else if (serial > ONE) {
        return false;
    } else if (serial > 0) {
        value->type = serial == REAL ? SQLITE_FLOAT : SQLITE_INTEGER;
        value->integer = serial < ZERO ? take_integer(bytes, sizes[serial]) : (int64_t)serial - ZERO;
        memcpy(&value->real, &value->integer, sizeof value->real);
    }
    return bytes->at != NULL;
}

static bool take_values(struct leaf_row *row, size_t length)
{
    struct bytes header = {row->payload, row->payload + length};
    const uint64_t header_length = take_varint(&header);
    if (!header.at || header_length > length || header.at > row->payload + header_length)
        return false;
    header.end = row->payload + header_length;
    struct bytes body = {header.end, row->payload + length};
    for (row->count = 0; header.at < header.end; row->count++) {
        const uint64_t serial = take_varint(&header);
        if (!header.at || row->count == LEAF_VALUES || !take_value(&body, serial, &row->values[row->count]))
            return false;
    }
    return body.at == body.end;
}

/* --- the page --- */

size_t leaf_page_rows(const unsigned char page[DATABASE_PAGE])
{
    const size_t cells = big_endian_get_two(page + TREE_CELLS);
    return (page[0] == LEAF_OF_TABLE || page[0] == LEAF_OF_INDEX) && LEAF_POINTERS + 2 * cells <= DATABASE_PAGE ? cells
                                                                                                                : 0;
}

int leaf_page_read(const struct stored_pages *pages, const unsigned char page[DATABASE_PAGE], size_t place,
                   struct leaf_row *row)
{
    const size_t at = big_endian_get_two(page + LEAF_POINTERS + 2 * place);
    size_t length;
    if (at >= DATABASE_PAGE)
        return 0;
    struct bytes cell = {page + at, page + DATABASE_PAGE};
    const int there = read_payload(pages, &cell, page[0] == LEAF_OF_INDEX, row, &length);
    return there == 1 ? take_values(row, length) : there;
}

void leaf_row_clear(struct leaf_row *row)
{
    free(row->payload);
    *row = (struct leaf_row){0};
}
