/* SPDX-License-Identifier: GPL-3.0-or-later */

/* "X,CH1,CH2,Start,Increment," and "Sequence,Volt,Volt,-6.0e-02,1.0e-04". */

#include "proto/dialect/oscilloscope.h"

#include <stdlib.h>
#include <string.h>

static bool is(struct text_piece piece, const char *text)
{
    return piece.length == strlen(text) && memcmp(piece.text, text, piece.length) == 0;
}

static double number_of(struct text_piece piece)
{
    char text[CELL_NUMBER_BYTES + 1];
    size_t length = 0;
    const enum number_shape shape = cell_number(piece, '.', text, &length);
    text[shape == NO_NUMBER || shape == WORD_FOR_A_NUMBER ? 0 : length] = '\0';
    return strtod(text, NULL); /* LC_NUMERIC stays "C" */
}

void oscilloscope_read(const struct sample *sample, struct preamble *preamble)
{
    struct text_piece names[CELLS_MOST], values[CELLS_MOST];
    if (sample->count < 3)
        return;
    const size_t count = cells_split(',', sample->lines[0], names, CELLS_MOST),
                 of_values = cells_split(',', sample->lines[1], values, CELLS_MOST);
    size_t start = 0;
    if (count > CELLS_MOST || of_values > CELLS_MOST || !is(names[0], "X") || !is(values[0], "Sequence"))
        return;
    while (start < count && !is(names[start], "Start"))
        start++;
    if (start < 2 || start + 1 >= count || start + 1 >= of_values || !is(names[start + 1], "Increment") ||
        !(number_of(values[start + 1]) > 0))
        return;
    preamble->rate_hz = 1 / number_of(values[start + 1]);
    preamble->channels = start - 1;
    for (size_t c = 0; c < preamble->channels; c++)
        preamble->units[c] = values[c + 1];
    preamble->from = 2;
    preamble->names_line = 1;
    preamble->delimiter = ',';
    preamble->decimal = '.';
    preamble->program = "oscilloscope, ";
    preamble->found = true;
}
