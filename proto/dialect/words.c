/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the marks of dialects are called. */

#include "proto/dialect/words.h"

#include <string.h>

struct word {
    const char *name;
    char mark;
};

static const struct word delimiters[] = {{"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"blank", ' '}};
static const struct word decimals[] = {{"point", '.'}, {"comma", ','}};

enum {
    DELIMITER_COUNT = sizeof delimiters / sizeof delimiters[0],
    DECIMAL_COUNT = sizeof decimals / sizeof decimals[0],
};

static char find(const struct word *words, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i].name, name) == 0 || (name[0] == words[i].mark && name[1] == '\0'))
            return words[i].mark;
    return '\0';
}

char delimiter_find(const char *name)
{
    return find(delimiters, DELIMITER_COUNT, name);
}

char decimal_find(const char *name)
{
    return find(decimals, DECIMAL_COUNT, name);
}

const char *delimiter_name_at(size_t index)
{
    return index < DELIMITER_COUNT ? delimiters[index].name : NULL;
}

const char *decimal_name_at(size_t index)
{
    return index < DECIMAL_COUNT ? decimals[index].name : NULL;
}

const char *delimiter_name(char delimiter)
{
    for (size_t i = 0; i < DELIMITER_COUNT; i++)
        if (delimiters[i].mark == delimiter)
            return delimiters[i].name;
    return "?";
}

const char *decimal_name(char decimal)
{
    return decimal == ',' ? "decimal comma" : "decimal point";
}
